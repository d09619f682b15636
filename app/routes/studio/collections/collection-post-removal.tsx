import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { removePost } from "#app/domain/collections/commands/placing.server.ts";
import { placedPosts } from "#app/domain/collections/queries/studio.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnCollection, livingOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-post-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar da coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { collection } = await livingOwnCollection(args);
  const posts = await placedPosts(args.context.get(domainContext), { collectionId: collection.id });
  return {
    title:
      foundOr404(
        posts.find(({ id }) => id === args.params.postId),
        "Esta publicação não está na coleção.",
      ).title || "Sem título",
  };
}

export function action(args: Route.ActionArgs) {
  const { id, postId } = args.params;
  let way = `/collection/${id}/posts/${postId}/return`;
  return actOnCollection(
    args,
    async (ctx, own) => {
      const posts = await placedPosts(ctx, own);
      const next = posts[posts.findIndex((post) => post.id === postId) + 1];
      if (next) way += `?before=${next.id}`;
      await removePost(ctx, { ...own, postId });
    },
    () =>
      redirectWithToast(args.request, `/collection/${id}/posts`, {
        kind: "success",
        message: "Tirada da coleção. A publicação continua no ar.",
        undo: way,
      }),
  );
}

export default function CollectionPostRemoval({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Tirar da coleção"
      title={loaderData.title}
      means="Ela sai só da coleção e continua no ar. Quem já comprou a coleção continua com ela."
      button={<Button>Tirar da coleção</Button>}
      backTo={`/collection/${params.id}/posts`}
      message={actionData?.message}
    />
  );
}
