import { redirect } from "react-router";
import { CollectionHeader } from "#app/components/collections/collection-header.tsx";
import { CollectionOfferCard } from "#app/components/collections/collection-offer.tsx";
import { EntryList } from "#app/components/collections/entry-list.tsx";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { FoldedSharePanel } from "#app/components/posts/sharing/share-panel.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { pathInCollection, publicCollectionPath } from "#app/domain/collections/rules.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { readSignedCursor, signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { activeMark } from "#app/http/public-pages/active-mark.server.ts";
import { collectionMeta, notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import type { Route } from "./+types/collection.ts";

const ENTRIES_PER_PAGE = 30;

/**
 * Loads a collection as every visitor sees it: its posts, open or locked, and its price. Reads no
 * session, so that the edge can cache it.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = new URL(request.url).searchParams.get("cursor");
  const here = publicCollectionPath(params.username, params.id);
  const cursor = await readSignedCursor(ctx.signer, here, asked);
  const visible = await collectionFor(ctx, {
    collectionId: params.id,
    viewerId: null,
    cursor,
    limit: ENTRIES_PER_PAGE,
  });
  const page = await foundOrAgeGate(
    ctx,
    visible,
    "Não encontramos esta coleção. Ela pode ter saído do ar.",
    { kind: "collection", id: params.id, viewer: null },
  );
  const path = publicCollectionPath(page.creator.username, page.collection.id);
  // Usernames change. The redirect updates the address in search engines.
  if (page.creator.username !== params.username) throw redirect(path, 301);
  await activeMark(ctx, request, { creatorId: page.creator.id });
  const { appOrigin } = ctx.settings;
  const next = page.next && (await signCursor(ctx.signer, path, page.next));
  const pageUrl = appOrigin + path;
  return { ...page, next, pageUrl, qr: qrDrawing(pageUrl), origin: appOrigin };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? collectionMeta(loaderData) : notFoundMeta("Coleção não encontrada");

export default function PublicCollection({ loaderData }: Route.ComponentProps) {
  const { collection, creator, entries, next, pageUrl, qr } = loaderData;
  const marked = useMarkedPath();
  const space = marked(`/space/${creator.username}/public`);
  return (
    <div className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <CollectionHeader
        collection={collection}
        creator={creator}
        creatorPath={space}
        reloadDocument
        share={<ShareLink title={collection.title} url={pageUrl} />}
      />
      <FoldedSharePanel title={collection.title} url={pageUrl} qr={qr} />
      {collection.priceCents === null ? null : (
        <CollectionOfferCard
          collectionId={collection.id}
          priceCents={collection.priceCents}
          reloadDocument
        />
      )}
      {entries.length === 0 ? (
        <p className="px-1 text-muted">
          Ainda não há publicações aqui. Veja o que mais {creator.name} faz.
        </p>
      ) : null}
      <EntryList
        entries={entries}
        pathOf={(id) =>
          marked(pathInCollection(publicPostPath(creator.username, id), collection.id))
        }
        reloadDocument
      />
      {next ? (
        <ButtonLink
          to={marked(`?cursor=${next}`)}
          reloadDocument
          variant="outline"
          className="self-center"
        >
          Carregar mais
        </ButtonLink>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={space} reloadDocument variant="outline">
          Mais de {creator.name}
        </ButtonLink>
        <ButtonLink to={marked(`/collection/${collection.id}`)} reloadDocument variant="outline">
          Guardar onde parei
        </ButtonLink>
      </div>
    </div>
  );
}

/** Shows the error inside the public layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="px-4">
      <ErrorPage error={error} />
    </div>
  );
}
