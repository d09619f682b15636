import { redirect } from "react-router";
import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { EventNotRecorded } from "#app/domain/events/errors.ts";
import { recordingAudience, recordingOf } from "#app/domain/events/live/rules/recording.ts";
import { publishComposition, saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { TITLE_MAX } from "#app/domain/posts/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import { recordingPicture, recordingPost } from "./recording-post.server.ts";
import type { Route } from "./+types/recording.ts";

export const meta: Route.MetaFunction = () => [{ title: "Publicar a gravação · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  return { title: event.title, audience: recordingAudience(event) };
}

const schema = z.object({ asDraft: z.literal("true").optional() });

/**
 * Publishes the event's recording as a post at once, or prepares it as a draft. A second click
 * opens the post that there is.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const answer = await submitForSpace(
    { request, context },
    "posts:publish",
    schema,
    async ({ asDraft }, actor) => {
      const ctx = context.get(domainContext);
      const { event } = await ownEvent({ context, params });
      const recording = recordingOf(event, { now: ctx.now(), titleMax: TITLE_MAX });
      if (!recording) throw new EventNotRecorded();
      const creatorId = actor.space.personId;
      const { postId, state } = await recordingPost(ctx, { eventId: event.id, creatorId });
      if (state !== null) return redirect(`/post/${postId}${state === "published" ? "" : "/edit"}`);
      const composition = {
        ...recording,
        postId,
        version: 0,
        // Two clicks at once are one composer.
        tab: `recording-${event.id}`,
        authorId: creatorId,
        actedBy: actingPersonId(actor),
        teaser: "",
        isSensitive: false,
        image: await recordingPicture(ctx, event),
        media: null,
        removesImage: false,
      };
      if (asDraft) {
        await saveDraft(ctx, composition);
        return await redirectWithToast(request, `/post/${postId}/edit`, {
          kind: "success",
          message: "Rascunho da gravação criado. Confira quem pode ver e publique.",
        });
      }
      await publishComposition(ctx, { ...composition, at: null });
      return await redirectWithToast(request, `/post/${postId}`, {
        kind: "success",
        message: "Gravação publicada. Quem segue a página é avisado.",
        undo: `/post/${postId}/unpublication`,
      });
    },
  );
  if (answer instanceof Response) return answer;
  // A refusal beside a field of the composer, such as its price, has no field here.
  const { message, errors } = answer.data;
  const [first = null] = Object.values(errors);
  return { ...answer, data: { ...answer.data, message: message ?? first } };
}

/** Stands here for who was refused. The event's page has the buttons. */
export default function Recording({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Publicar a gravação"
      title={loaderData.title}
      means={`O vídeo, o texto e a capa viram uma publicação ${loaderData.audience}, e quem segue a página é avisado. Para conferir antes, prepare um rascunho.`}
      button={
        <>
          <Button>Publicar a gravação</Button>
          <Button variant="outline" name="asDraft" value="true">
            Preparar um rascunho
          </Button>
        </>
      }
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}
