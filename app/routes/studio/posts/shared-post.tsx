import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { saveDraft } from "#app/domain/posts/commands/compose.server.ts";
import { sharedSchema } from "#app/domain/posts/schema/sharing.ts";
import { actorPageLabel } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Route } from "./+types/shared-post.ts";

/** One constant for every render. A new list would restart the picker. */
const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Publicar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: ctx.newId(), tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/** Saves what the device shared with the installed app as a draft, and opens it in the composer. */
export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  requireWriter({ context }, "posts:publish");
  return await submitForSpace(
    { request, context },
    "posts:publish",
    sharedSchema,
    async (form, actor) => {
      const composition = await compositionOf(ctx, form, actor);
      await saveDraft(ctx, composition);
      return redirectWithToast(request, `/post/${composition.postId}/edit`, {
        kind: "success",
        message: actor.isOwn
          ? "Rascunho salvo. Só você vê."
          : `Rascunho salvo na ${actorPageLabel(actor)}.`,
      });
    },
    { unnamed: "acting" },
  );
}

/** Shows what was refused, with its text: the browser does not keep the picture. */
export default function SharedPost({ loaderData, actionData }: Route.ComponentProps) {
  const problem = actionData && {
    ...actionData,
    values: { ...loaderData.values, ...actionData.values },
  };
  return (
    <>
      <PageHeader title="Publicar" />
      <Composer {...loaderData} state="new" media={NO_MEDIA} problem={problem} />
    </>
  );
}
