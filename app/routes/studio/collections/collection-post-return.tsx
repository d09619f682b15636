import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { restorePostPlace } from "#app/domain/collections/commands/placing.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnCollection, livingOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-post-return.ts";

export const meta: Route.MetaFunction = () => [{ title: "Devolver à coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { actor } = await livingOwnCollection(args);
  const post = await storedPost(args.context.get(domainContext), { postId: args.params.postId });
  return {
    title:
      foundOr404(
        post?.authorId === actor.space.personId ? post : null,
        "Não encontramos esta publicação.",
      ).title || "Sem título",
  };
}

/** Puts a post back in its place. `before` is the post that came after it. */
export function action(args: Route.ActionArgs) {
  const { id, postId } = args.params;
  const beforeId = new URL(args.request.url).searchParams.get("before");
  return actOnCollection(
    args,
    (ctx, own) => restorePostPlace(ctx, { ...own, postId, beforeId }),
    () =>
      redirectWithToast(args.request, `/collection/${id}/posts#post-${postId}`, {
        kind: "success",
        message: "A publicação voltou para a coleção.",
      }),
  );
}

export default function CollectionPostReturn({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Devolver à coleção"
      title={loaderData.title}
      means="Ela volta para o lugar em que estava."
      button={<Button>Devolver</Button>}
      backTo={`/collection/${params.id}/posts`}
      message={actionData?.message ?? Object.values(actionData?.errors ?? {})[0]}
    />
  );
}
