import type { ReactNode } from "react";
import { Link } from "react-router";
import { postsCountLabel } from "#app/domain/collections/rules.ts";
import type { CollectionCreator, CollectionSummary } from "#app/domain/collections/schema.ts";
import { CollectionCover } from "./collection-cover.tsx";

type CollectionHeaderProps = {
  collection: CollectionSummary;
  creator: CollectionCreator;
  creatorPath: string;
  reloadDocument?: boolean;
  share: ReactNode;
  children?: ReactNode;
};

/** Header of a collection: cover, title, creator, description and actions. */
export function CollectionHeader({
  collection,
  creator,
  creatorPath,
  reloadDocument = false,
  share,
  children,
}: CollectionHeaderProps) {
  return (
    <header className="flex flex-col gap-4 overflow-hidden rounded-card border border-line bg-card pb-6">
      <CollectionCover
        cover={collection.cover}
        title={collection.title}
        className="h-44 w-full sm:h-60"
        eager
      />
      <div className="flex flex-col gap-1 px-5 sm:px-6">
        <div className="flex items-start justify-between gap-3">
          <h1 className="min-w-0 text-title wrap-anywhere">{collection.title}</h1>
          {share}
        </div>
        <p className="text-muted">
          Coleção de{" "}
          <Link
            to={creatorPath}
            reloadDocument={reloadDocument}
            className="font-semibold text-leaf hover:underline"
          >
            {creator.name}
          </Link>{" "}
          · {postsCountLabel(collection.postsCount)}
        </p>
        {collection.description ? (
          <p className="pt-2 whitespace-pre-line wrap-anywhere">{collection.description}</p>
        ) : null}
      </div>
      {children ? <div className="flex flex-wrap gap-2 px-5 sm:px-6">{children}</div> : null}
    </header>
  );
}
