import { redirect } from "react-router";
import { Composer } from "#app/components/composer/composer.tsx";
import { emptyValues } from "#app/components/composer/values.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { versionSchema } from "#app/domain/posts/schema/composing.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import { saveAsDraft } from "./versions.server.ts";
import type { Route } from "./+types/post-version-stored.ts";

const NO_MEDIA: MediaItem[] = [];

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Duas versões · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  if (request.method === "GET") throw redirect(`/post/${params.id}/edit`);
  const ctx = context.get(domainContext);
  const { space } = requireWriter({ context }, "posts:publish");
  return {
    authorId: space.personId,
    values: emptyValues({ postId: params.id, tab: ctx.newId() }),
    ...(await composerChoices(ctx, { authorId: space.personId })),
  };
}

/** Chooses the stored version: what is typed becomes a draft of its own. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return submitForSpace(
    { request, context },
    "posts:publish",
    versionSchema,
    async ({ copyId, ...form }, actor) => {
      const {
        extraWrites: _,
        extraWritesRefusal: __,
        ...typed
      } = await compositionOf(ctx, form, actor);
      await saveAsDraft(ctx, { ...typed, copyId });
      return redirectWithToast(request, `/post/${params.id}/edit`, {
        kind: "success",
        message: "Você ficou com a versão salva. A outra está nos seus rascunhos.",
      });
    },
  );
}

/** Shows a choice that was refused, with the typed text. */
export default function PostVersionStored({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Duas versões" />
      <Composer {...loaderData} state="draft" media={NO_MEDIA} problem={actionData} />
    </>
  );
}
