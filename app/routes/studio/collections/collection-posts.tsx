import { quoted } from "#app/domain/text.ts";
import { data, redirect } from "react-router";
import { OrderList } from "#app/components/collections/order-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { movePost } from "#app/domain/collections/commands/placing.server.ts";
import { placedPosts } from "#app/domain/collections/queries/studio.server.ts";
import { COLLECTION_POSTS_MAX } from "#app/domain/collections/rules/limits.ts";
import { moveSchema } from "#app/domain/collections/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { revalidateOnConflict } from "#app/http/space-field.ts";
import { livingOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-posts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Organizar coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { collection, actor } = await livingOwnCollection(args);
  const posts = await placedPosts(args.context.get(domainContext), { collectionId: collection.id });
  return { title: collection.title, posts, spaceId: actor.space.personId };
}

/** Reloads the list after a conflict, so that the page shows the present order. */
export const shouldRevalidate = revalidateOnConflict;

/** Moves one post. The rest of the order stays as it is at that time. */
export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    moveSchema,
    async ({ move, inPlace }, { space }) => {
      await movePost(context.get(domainContext), {
        collectionId: params.id,
        creatorId: space.personId,
        ...move,
      });
      if (inPlace) return data<FormProblem>({ errors: {}, message: null, values: {} });
      return redirect(`/collection/${params.id}/posts#post-${move.postId}`);
    },
  );
}

export default function CollectionPosts({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, posts, spaceId } = loaderData;
  return (
    <>
      <PageHeader
        title="Organizar"
        lead={`${quoted(title)} · ${posts.length} de até ${COLLECTION_POSTS_MAX}`}
      >
        <ButtonLink to={`/collection/${params.id}/import`} size="sm">
          Adicionar
        </ButtonLink>
        <ButtonLink to={`/collection/${params.id}`} variant="outline" size="sm">
          Ver
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-4">
        <FormMessage message={actionData?.message ?? Object.values(actionData?.errors ?? {})[0]} />
        {posts.length === 0 ? (
          <EmptyState
            title="Nada aqui ainda"
            action={
              <ButtonLink to={`/collection/${params.id}/import`}>Adicionar publicações</ButtonLink>
            }
          >
            Escolha entre o que você já publicou. O que você escrever depois entra pela própria
            publicação.
          </EmptyState>
        ) : (
          <OrderList collectionId={params.id} posts={posts} spaceId={spaceId} />
        )}
      </div>
    </>
  );
}
