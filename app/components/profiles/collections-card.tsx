import { Link } from "react-router";
import { CollectionLine } from "#app/components/collections/collection-line.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { Card } from "#app/components/ui/card.tsx";
import { publicCollectionPath } from "#app/domain/collections/rules.ts";
import type { CollectionSummary } from "#app/domain/collections/schema.ts";

type CollectionsCardProps = {
  collections: CollectionSummary[];
  username: string;
  hasMore?: boolean;
  signedIn?: boolean;
};

/** Newest collections of a page, with covers and a link to all. */
export function CollectionsCard({
  collections,
  username,
  hasMore = false,
  signedIn = false,
}: CollectionsCardProps) {
  const marked = useMarkedPath();
  if (collections.length === 0) return null;
  return (
    <Card as="section" label="Coleções" className="flex flex-col gap-3 p-5">
      <h2 className="text-[1.125rem] leading-6">Coleções</h2>
      <CollectionLinks collections={collections} username={username} signedIn={signedIn} />
      {hasMore ? (
        <Link
          to={marked(`/space/${username}/${signedIn ? "" : "public/"}collections`)}
          reloadDocument={!signedIn}
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          Todas as coleções
        </Link>
      ) : null}
    </Card>
  );
}

/** One link a collection, for members or visitors. */
export function CollectionLinks({
  collections,
  username,
  signedIn,
}: Pick<CollectionsCardProps, "collections" | "username"> & { signedIn: boolean }) {
  const marked = useMarkedPath();
  return (
    <ul className="flex flex-col gap-3">
      {collections.map((collection) => (
        <li key={collection.id}>
          <CollectionLine
            collection={collection}
            postsCount={collection.postsCount}
            to={marked(
              signedIn
                ? `/collection/${collection.id}`
                : publicCollectionPath(username, collection.id),
            )}
            reloadDocument={!signedIn}
          />
        </li>
      ))}
    </ul>
  );
}
