import { Composer } from "#app/components/composer/composer.tsx";
import { firstPostValues, valuesOfPost } from "#app/components/composer/values.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { editPost } from "#app/domain/posts/commands/compose.server.ts";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import { publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { formatMinute } from "#app/domain/time.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { composerChoices, compositionOf } from "./composition.server.ts";
import { withOtherVersion } from "./versions.server.ts";
import type { Route } from "./+types/post-edit.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "Editar · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const authorId = requireActor({ context }, "posts:publish").space.personId;
  const [post, choices] = await Promise.all([
    postToEdit(ctx, { postId: params.id, authorId }),
    composerChoices(ctx, { authorId }),
  ]);
  const stored = foundOr404(post, "Não encontramos esta publicação. Ela pode ter sido apagada.");
  const values = { ...valuesOfPost(stored, { tab: ctx.newId() }), ...firstPostValues(request) };
  return {
    authorId,
    values,
    state: stored.state,
    scheduledAt: stored.scheduledAt,
    title: stored.title,
    media: stored.media,
    isPollFixed: (stored.poll?.votersCount ?? 0) > 0,
    ...choices,
  };
}

/**
 * Prevents a reload in an open composer. It keeps the version that it opened with, so that it never
 * overwrites a newer one unseen.
 */
export function shouldRevalidate({
  currentParams,
  nextParams,
}: {
  currentParams: { id?: string };
  nextParams: { id?: string };
}): boolean {
  return currentParams.id !== nextParams.id;
}

/** Changes a published post. Drafts are saved and published at the addresses of a new post. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await submitForSpace(
    { request, context },
    "posts:publish",
    publicationSchema,
    async (form, actor) => {
      await editPost(ctx, { ...(await compositionOf(ctx, form, actor)), postId: params.id });
      return redirectWithToast(request, `/post/${params.id}`, {
        kind: "success",
        message: "Alterações salvas.",
      });
    },
  );
  return await withOtherVersion(context, answer);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function PostEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { state, scheduledAt } = loaderData;
  const title = {
    draft: "Rascunho",
    scheduled: "Publicação agendada",
    published: "Editar publicação",
  }[state];
  return (
    <>
      <PageHeader title={title}>
        <ButtonLink to={`/post/${loaderData.values["postId"] ?? ""}`} variant="outline" size="sm">
          Ver
        </ButtonLink>
      </PageHeader>
      {state === "scheduled" && scheduledAt !== null ? (
        <p className="mb-4 text-muted">
          Sai sozinha em {formatMinute(scheduledAt)}, pelo horário de Brasília.
        </p>
      ) : null}
      <Composer key={loaderData.values["postId"]} {...loaderData} problem={actionData} />
    </>
  );
}
