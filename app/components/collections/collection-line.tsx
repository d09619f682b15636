import { Link } from "react-router";
import { Money } from "#app/components/ui/money.tsx";
import { postsCountLabel } from "#app/domain/collections/rules.ts";
import type { CollectionSummary } from "#app/domain/collections/schema.ts";
import { CollectionCover } from "./collection-cover.tsx";

type CollectionLineProps = {
  collection: Pick<CollectionSummary, "title" | "cover" | "priceCents">;
  postsCount: number;
  to: string;
  reloadDocument?: boolean;
};

/** Collection in a list: cover, title, number of posts and price. */
export function CollectionLine({
  collection,
  postsCount,
  to,
  reloadDocument = false,
}: CollectionLineProps) {
  return (
    <Link to={to} reloadDocument={reloadDocument} className="group flex min-w-0 items-center gap-4">
      <CollectionCover
        cover={collection.cover}
        title={collection.title}
        columns={3}
        rows={3}
        sizes="72px"
        className="size-18 shrink-0 rounded-field"
      />
      <span className="flex min-w-0 flex-col">
        <span className="font-semibold wrap-anywhere group-hover:underline">
          {collection.title}
        </span>
        <span className="text-small text-muted">
          {postsCountLabel(postsCount)}
          {collection.priceCents === null ? null : (
            <>
              {" "}
              · <Money cents={collection.priceCents} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
