import { redirect } from "react-router";
import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import { withOtherVersion } from "./versions.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Route } from "./+types/post-draft.ts";

/** One constant for every render. A new list would restart the picker. */
const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Rascunho · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: ctx.newId(), tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await submitForSpace(
    { request, context },
    "posts:publish",
    draftSchema,
    async (form, actor) => {
      // A post started from the reading pages with nothing typed has nothing to save.
      if (
        new URL(request.url).searchParams.has("start") &&
        form.title === "" &&
        form.content === ""
      )
        return redirect(form.first ? "/post/create?first" : "/post/create");
      const composition = await compositionOf(ctx, form, actor);
      await saveDraft(ctx, composition);
      return redirectWithToast(
        request,
        `/post/${composition.postId}/edit${form.first ? "?first" : ""}`,
        {
          kind: "success",
          message: "Rascunho salvo. Só você vê.",
        },
      );
    },
  );
  return await withOtherVersion(context, answer);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

/** Shows a draft that was refused, with the typed text. Drafts are saved beside the text. */
export default function PostDraft({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Rascunho" />
      <Composer {...loaderData} state="new" media={NO_MEDIA} problem={actionData} />
    </>
  );
}
