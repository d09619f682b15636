import { quoted } from "#app/domain/text.ts";
import { useSearchParams } from "react-router";
import { ImportChoices, ImportFilters } from "#app/components/collections/import-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { addPosts } from "#app/domain/collections/commands/placing.server.ts";
import { importCandidates } from "#app/domain/collections/queries/studio.server.ts";
import { postsCountLabel, parseImportFilter } from "#app/domain/collections/rules.ts";
import { COLLECTION_POSTS_MAX, IMPORT_MAX } from "#app/domain/collections/rules/limits.ts";
import { importSchema } from "#app/domain/collections/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { livingOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-import.ts";

export const meta: Route.MetaFunction = () => [{ title: "Adicionar à coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { collection, actor } = await livingOwnCollection(args);
  const search = new URL(args.request.url).searchParams;
  const looking = {
    collectionId: collection.id,
    creatorId: actor.space.personId,
    filter: parseImportFilter(search),
    cursor: search.get("cursor"),
    limit: IMPORT_MAX,
  };
  const found = await importCandidates(args.context.get(domainContext), looking);
  return {
    title: collection.title,
    placedCount: collection.placedCount,
    posts: found.items,
    next: found.next,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    importSchema,
    async ({ postIds }, { space }) => {
      // The list is newest first. The collection is read from the oldest on.
      await addPosts(context.get(domainContext), {
        collectionId: params.id,
        creatorId: space.personId,
        postIds: postIds.toReversed(),
      });
      return redirectWithToast(request, `/collection/${params.id}/posts`, {
        kind: "success",
        message: `${postsCountLabel(postIds.length)} na coleção. Agora ponha na ordem.`,
      });
    },
  );
}

export default function CollectionImport({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, placedCount, posts, next } = loaderData;
  const [search] = useSearchParams();
  const asked = Object.fromEntries(search);
  const isFiltered = [...search.values()].some((value) => value !== "" && value !== "published");
  return (
    <>
      <PageHeader
        title="Adicionar publicações"
        lead={`${quoted(title)} · ${placedCount} de até ${COLLECTION_POSTS_MAX}`}
      >
        <ButtonLink to={`/collection/${params.id}/posts`} variant="outline" size="sm">
          Organizar
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-4">
        <Card className="p-5 sm:p-6">
          <ImportFilters key={search.toString()} asked={asked} />
        </Card>
        {posts.length === 0 ? (
          <Nothing isFiltered={isFiltered} hasMore={next !== null} collectionId={params.id} />
        ) : (
          <Card className="p-5 sm:p-6">
            <ImportChoices key={search.toString()} posts={posts} problem={actionData} />
          </Card>
        )}
        <MoreLink next={next} />
      </div>
    </>
  );
}

function Nothing({
  isFiltered,
  hasMore,
  collectionId,
}: {
  isFiltered: boolean;
  hasMore: boolean;
  collectionId: string;
}) {
  if (!isFiltered) {
    return (
      <EmptyState
        title="Tudo o que está no ar já está aqui"
        action={<ButtonLink to="/post/create">Publicar</ButtonLink>}
      >
        O que você escrever depois entra na coleção pela própria publicação.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nada com esse jeito"
      action={
        <ButtonLink to={`/collection/${collectionId}/import`} variant="outline">
          Ver todas
        </ButtonLink>
      }
    >
      {hasMore
        ? "Entre as mais recentes não há nenhuma. Carregue mais para procurar nas antigas."
        : "Procure por outra palavra, outro tipo ou outra data."}
    </EmptyState>
  );
}
