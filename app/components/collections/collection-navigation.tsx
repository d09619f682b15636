import { ArrowLeft, ArrowRight, Layers } from "lucide-react";
import { Link } from "react-router";
import { Money } from "#app/components/ui/money.tsx";
import { pathInCollection } from "#app/domain/collections/rules.ts";
import type { HoldingCollection, PlaceInCollection } from "#app/domain/collections/schema.ts";

type Side = { label: string; rel: "prev" | "next"; post: { id: string; title: string } };
type WayProps = {
  place: PlaceInCollection;
  postPathOf: (postId: string) => string;
  collectionPath: string;
  reloadDocument?: boolean;
};

/** Links to the previous and next post of a collection, for a reader inside it. */
export function CollectionNavigation({
  place,
  postPathOf,
  collectionPath,
  reloadDocument = false,
}: WayProps) {
  const sides: Side[] = [
    ...(place.previous ? [{ label: "Anterior", rel: "prev" as const, post: place.previous }] : []),
    ...(place.next ? [{ label: "Próxima", rel: "next" as const, post: place.next }] : []),
  ];
  return (
    <nav aria-label={`Coleção ${place.title}`} className="flex flex-col gap-3">
      <p className="text-small text-muted">
        <Link
          to={collectionPath}
          reloadDocument={reloadDocument}
          className="font-semibold text-leaf hover:underline"
        >
          {place.title}
        </Link>{" "}
        · {place.number} de {place.total}
      </p>
      <div className="flex flex-wrap gap-3 empty:hidden">
        {sides.map(({ label, rel, post }) => (
          <Link
            key={rel}
            to={pathInCollection(postPathOf(post.id), place.collectionId)}
            rel={rel}
            reloadDocument={reloadDocument}
            className={`flex min-h-16 flex-1 basis-56 items-center gap-3 rounded-card border border-line bg-card px-4 py-3 hover:border-edge ${rel === "next" ? "justify-end text-right" : ""}`}
          >
            {rel === "prev" ? (
              <ArrowLeft aria-hidden="true" className="size-5 shrink-0 text-leaf" />
            ) : null}
            <span className="flex min-w-0 flex-col">
              <span className="text-small text-muted">{label} na coleção</span>
              <span className="line-clamp-2 font-semibold">{post.title}</span>
            </span>
            {rel === "next" ? (
              <ArrowRight aria-hidden="true" className="size-5 shrink-0 text-leaf" />
            ) : null}
          </Link>
        ))}
      </div>
    </nav>
  );
}

type FoundInProps = {
  places: HoldingCollection[];
  pathOf: (collectionId: string) => string;
  reloadDocument?: boolean;
};

/** Collections that contain the post, for a reader who came from elsewhere. */
export function ContainingCollections({ places, pathOf, reloadDocument = false }: FoundInProps) {
  if (places.length === 0) return null;
  return (
    <ul aria-label="Coleções desta publicação" className="flex flex-wrap gap-2">
      {places.map((place) => (
        <li key={place.collectionId} className="min-w-0">
          <Link
            to={pathOf(place.collectionId)}
            reloadDocument={reloadDocument}
            className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line bg-card px-4 text-small font-semibold hover:border-edge"
          >
            <Layers aria-hidden="true" className="size-4 shrink-0 text-leaf" />
            <span className="truncate">{place.title}</span>
            {place.priceCents === null ? null : (
              <Money cents={place.priceCents} className="shrink-0 font-normal text-muted" />
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
