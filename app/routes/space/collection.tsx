import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { CollectionHeader } from "#app/components/collections/collection-header.tsx";
import { CollectionOfferCard } from "#app/components/collections/collection-offer.tsx";
import { EntryList } from "#app/components/collections/entry-list.tsx";
import { SellingStopped } from "#app/components/plans/selling-stopped.tsx";
import { ReadingProgress } from "#app/components/collections/reading-progress.tsx";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { FoldedSharePanel } from "#app/components/posts/sharing/share-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { editableCollection } from "#app/domain/collections/queries/studio.server.ts";
import { pathInCollection, publicCollectionPath } from "#app/domain/collections/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import type { SellingProblem } from "#app/domain/plans/rules.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import type { Route } from "./+types/collection.ts";

const ENTRIES_PER_PAGE = 30;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.collection.title ?? "Coleção não encontrada"} · Coreto` },
];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = context.get(actorContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const member = context.get(memberContext);
  const viewing = { collectionId: params.id, viewerId: member.id, cursor, limit: ENTRIES_PER_PAGE };
  const page = await foundOrAgeGate(
    ctx,
    await collectionFor(ctx, viewing),
    "Não encontramos esta coleção. Ela pode ter saído do ar.",
    { kind: "collection", id: params.id, viewer: member },
  );
  const url =
    ctx.settings.appOrigin + publicCollectionPath(page.creator.username, page.collection.id);
  const isOurs = actor.space.personId === page.creator.id;
  const stopped =
    isOurs && page.collection.priceCents === null
      ? await whyNotSold(ctx, { collectionId: params.id, creatorId: page.creator.id })
      : null;
  return {
    ...page,
    isOurs,
    mayEdit: isOurs && actor.may("posts:publish"),
    stopped,
    usernameOffer: page.isBought ? usernameOffer(context) : null,
    isFirstPage: cursor === null,
    shared: { url, qr: qrDrawing(url) },
  };
}

/**
 * Returns why nobody can buy a priced collection. Null for a collection without a price. Called
 * only for the page's own team.
 */
async function whyNotSold(
  ctx: Context,
  own: { collectionId: string; creatorId: string },
): Promise<SellingProblem | "empty" | null> {
  const [collection, documents] = await Promise.all([
    editableCollection(ctx, own),
    documentsOfPerson(ctx, { personId: own.creatorId }),
  ]);
  return collection?.priceCents == null ? null : (sellingProblem(documents, ctx.now()) ?? "empty");
}

export default function Collection({ loaderData }: Route.ComponentProps) {
  const {
    collection,
    creator,
    entries,
    next,
    progress,
    isBought,
    isOurs,
    mayEdit,
    stopped,
    isFirstPage,
    usernameOffer,
    shared,
  } = loaderData;
  const marked = useMarkedPath();
  const sells = collection.priceCents !== null && !isBought && !isOurs;
  return (
    <div className="flex flex-col gap-4">
      <CollectionHeader
        collection={collection}
        creator={creator}
        creatorPath={`/space/${creator.username}`}
        share={<ShareLink title={collection.title} url={shared.url} />}
      >
        {mayEdit ? <EditLinks collectionId={collection.id} /> : null}
      </CollectionHeader>
      <FoldedSharePanel title={collection.title} {...shared} />
      {isBought ? (
        <p className="rounded-field bg-signal-soft px-4 py-3 font-medium">
          Você comprou esta coleção: tudo aqui está aberto para você.
        </p>
      ) : null}
      {usernameOffer ? (
        <UsernameOffer {...usernameOffer} to={`/collection/${collection.id}`} />
      ) : null}
      {mayEdit && stopped ? <SellingStopped why={stopped} /> : null}
      {sells && collection.priceCents !== null ? (
        <CollectionOfferCard collectionId={collection.id} priceCents={collection.priceCents} />
      ) : null}
      {isFirstPage ? (
        <ReadingProgress progress={progress} collectionId={collection.id} isQuiet={sells} />
      ) : null}
      {entries.length === 0 ? (
        <NothingInside creator={creator} mayEdit={mayEdit} collectionId={collection.id} />
      ) : null}
      <EntryList
        entries={entries}
        pathOf={(id) => marked(pathInCollection(`/post/${id}`, collection.id))}
      />
      <MoreLink next={next} />
    </div>
  );
}

function EditLinks({ collectionId }: { collectionId: string }) {
  return (
    <>
      <ButtonLink to={`/collection/${collectionId}/posts`} variant="outline">
        Organizar
      </ButtonLink>
      <ButtonLink to={`/collection/${collectionId}/edit`} variant="outline">
        Editar
      </ButtonLink>
    </>
  );
}

type NothingProps = {
  creator: { name: string; username: string };
  mayEdit: boolean;
  collectionId: string;
};

function NothingInside({ creator, mayEdit, collectionId }: NothingProps) {
  if (mayEdit) {
    return (
      <EmptyState
        title="Esta coleção está vazia"
        action={
          <ButtonLink to={`/collection/${collectionId}/import`}>Adicionar publicações</ButtonLink>
        }
      >
        Escolha entre o que já foi publicado, ou marque a coleção ao escrever. Rascunhos só aparecem
        quando saem.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Esta coleção está vazia"
      action={<ButtonLink to={`/space/${creator.username}`}>Ver a página</ButtonLink>}
    >
      Ainda não há publicações aqui. Veja o que mais {creator.name} faz.
    </EmptyState>
  );
}
