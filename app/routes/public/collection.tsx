import { redirect } from "react-router";
import { CollectionHeader } from "#app/components/collections/collection-header.tsx";
import { CollectionOffer } from "#app/components/collections/collection-offer.tsx";
import { EntryList } from "#app/components/collections/entry-list.tsx";
import { ShareLink } from "#app/components/posts/share-link.tsx";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { countWords, insideCollection, publicCollectionPath } from "#app/domain/collections/rules.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { publicPath } from "#app/domain/posts/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/collection.ts";

const ENTRIES_PER_PAGE = 30;
const DESCRIPTION_CHARACTERS = 160;

/** A collection as everyone sees it: what is inside, open or closed, and its price. Nobody is resolved here, so that the edge may keep it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const page = found(await collectionFor(ctx, { collectionId: params.id, viewerId: null, cursor, limit: ENTRIES_PER_PAGE }), "Não encontramos esta coleção. Ela pode ter saído do ar.");
  const path = publicCollectionPath(page.creator.username, page.collection.id);
  // Names change; the address in a search engine follows.
  if (page.creator.username !== params.username) throw redirect(path, 301);
  const { appOrigin } = ctx.settings;
  return { ...page, pageUrl: appOrigin + path, origin: appOrigin };
}

type Shown = Exclude<Awaited<ReturnType<typeof loader>>, Response>;

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [{ title: "Coleção não encontrada · Coreto" }, { name: "robots", content: "noindex" }];
  const { collection, creator, origin, pageUrl } = loaderData;
  const said = collection.description.replaceAll(/\s+/g, " ").slice(0, DESCRIPTION_CHARACTERS);
  const description = said || `${countWords(collection.postsCount)} de ${creator.name} no Coreto, em ordem.`;
  const image = collection.cover?.isOpen ? `${origin}${mediaUrl(collection.cover.mediaId, "1280")}` : null;
  return [
    { title: `${collection.title} · ${creator.name} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    // An empty shelf is nothing to be found by.
    ...(collection.postsCount === 0 ? [{ name: "robots", content: "noindex" }] : []),
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Coreto" },
    { property: "og:locale", content: "pt_BR" },
    { property: "og:title", content: collection.title },
    { property: "og:description", content: description },
    { property: "og:url", content: pageUrl },
    ...(image ? [{ property: "og:image", content: image }, { property: "og:image:alt", content: collection.cover?.alt ?? "" }] : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    { "script:ld+json": structuredData(loaderData, description, image) },
  ];
};

/** schema.org/CollectionPage with its items in order; one that is sold says for how much. */
function structuredData({ collection, creator, entries, origin, pageUrl }: Shown, description: string, image: string | null) {
  const { priceCents } = collection;
  return {
    "@context": "https://schema.org",
    "@type": "CollectionPage",
    name: collection.title,
    description,
    url: pageUrl,
    isAccessibleForFree: priceCents === null,
    author: { "@type": "Person", name: creator.name, url: `${origin}/space/${creator.username}/public` },
    ...(image ? { image } : {}),
    ...(priceCents === null ? {} : { offers: { "@type": "Offer", price: (priceCents / 100).toFixed(2), priceCurrency: "BRL", url: pageUrl } }),
    mainEntity: {
      "@type": "ItemList",
      numberOfItems: collection.postsCount,
      itemListElement: entries.map(({ number, post }) => ({ "@type": "ListItem", position: number, name: post.title, url: origin + publicPath(creator.username, post.id) })),
    },
  };
}

export default function PublicCollection({ loaderData }: Route.ComponentProps) {
  const { collection, creator, entries, next, pageUrl } = loaderData;
  const space = `/space/${creator.username}/public`;
  return (
    <div className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <CollectionHeader collection={collection} creator={creator} creatorPath={space} reloadDocument share={<ShareLink title={collection.title} url={pageUrl} />} />
      {collection.priceCents === null ? null : <CollectionOffer collectionId={collection.id} priceCents={collection.priceCents} reloadDocument />}
      {entries.length === 0 ? <p className="px-1 text-muted">Ainda não há publicações aqui. Veja o que mais {creator.name} faz.</p> : null}
      <EntryList entries={entries} pathOf={(id) => insideCollection(publicPath(creator.username, id), collection.id)} reloadDocument />
      {next ? (
        <ButtonLink to={`?cursor=${next}`} reloadDocument variant="outline" className="self-center">
          Carregar mais
        </ButtonLink>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={space} reloadDocument variant="outline">
          Mais de {creator.name}
        </ButtonLink>
        <ButtonLink to={`/collection/${collection.id}`} reloadDocument variant="outline">
          Guardar onde parei
        </ButtonLink>
      </div>
    </div>
  );
}

/** Everything else is the layout's to say. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="px-4">
      <ErrorPage error={error} />
    </div>
  );
}
