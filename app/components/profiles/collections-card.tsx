import { Link } from "react-router";
import { Bandeirinhas } from "#app/components/ui/bandeirinhas.tsx";
import { Card } from "#app/components/ui/card.tsx";

type CollectionSummary = { id: string; title: string; postsCount: number };

/** The collections of a page, each with its own flags for a cover. */
export function CollectionsCard({ collections, signedIn = false }: { collections: CollectionSummary[]; signedIn?: boolean }) {
  if (collections.length === 0) return null;
  return (
    <Card as="section" label="Coleções" className="flex flex-col gap-3 p-5">
      <h2 className="text-[1.125rem] leading-6">Coleções</h2>
      <ul className="flex flex-col gap-3">
        {collections.map((collection) => (
          <li key={collection.id}>
            <Link to={`/collection/${collection.id}`} reloadDocument={!signedIn} className="group flex items-center gap-4">
              <Bandeirinhas seed={collection.title} columns={3} rows={3} className="size-18 shrink-0 rounded-field" />
              <span className="flex min-w-0 flex-col">
                <span className="font-semibold group-hover:underline">{collection.title}</span>
                <span className="text-small text-muted">{collection.postsCount === 1 ? "1 publicação" : `${collection.postsCount} publicações`}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
