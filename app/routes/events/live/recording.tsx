import { redirect } from "react-router";
import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { EventNotRecorded } from "#app/domain/events/errors.ts";
import { recordingOf } from "#app/domain/events/rules/recording.ts";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { TITLE_MAX } from "#app/domain/posts/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/recording.ts";

export const meta: Route.MetaFunction = () => [{ title: "Publicar a gravação · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await ownEvent(args)).event.title };
}

/**
 * Makes a draft of the event's recording and opens it in the composer. The draft has the event's
 * id, so that a second click opens the same one; only if that post was deleted it is a new one.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "posts:publish",
    z.object({}),
    async (_, actor) => {
      const ctx = context.get(domainContext);
      const { event } = await ownEvent({ context, params });
      const recording = recordingOf(event, { now: ctx.now(), titleMax: TITLE_MAX });
      if (!recording) throw new EventNotRecorded();
      const earlier = await storedPost(ctx, { postId: event.id });
      if (earlier?.deletedAt === null)
        return redirect(`/post/${event.id}${earlier.state === "published" ? "" : "/edit"}`);
      const postId = earlier ? ctx.newId() : event.id;
      await saveDraft(ctx, {
        ...recording,
        postId,
        version: 0,
        tab: ctx.newId(),
        authorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        teaser: "",
        isSensitive: false,
        image: null,
        media: null,
        removesImage: false,
      });
      return await redirectWithToast(request, `/post/${postId}/edit`, {
        kind: "success",
        message: "Rascunho da gravação criado. Confira quem pode ver e publique.",
      });
    },
  );
}

/** Stands here for who has no JavaScript and was refused. The event's page has the button. */
export default function Recording({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Publicar a gravação"
      title={loaderData.title}
      means="O vídeo vira um rascunho de publicação, para quem podia vir ao evento. Você confere antes de publicar."
      button={<Button>Criar o rascunho</Button>}
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}
