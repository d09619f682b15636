import { Check, Lock } from "lucide-react";
import { Link } from "react-router";
import type { CollectionEntry } from "#app/domain/collections/schema.ts";
import { hasThumbnail, mediaUrl } from "#app/domain/media/rules.ts";
import { audienceLabel, lockText } from "#app/domain/posts/rules.ts";
import { formatDay } from "#app/domain/time.ts";

type EntryListProps = {
  entries: CollectionEntry[];
  pathOf: (postId: string) => string;
  reloadDocument?: boolean;
};

/** Posts of a collection in order. Locked ones show their thumbnail and reason. */
export function EntryList({ entries, pathOf, reloadDocument = false }: EntryListProps) {
  return (
    <ol className="flex flex-col gap-3" aria-label="Publicações da coleção">
      {entries.map((entry) => (
        <EntryRow
          key={entry.post.id}
          entry={entry}
          path={pathOf(entry.post.id)}
          reloadDocument={reloadDocument}
        />
      ))}
    </ol>
  );
}

function EntryRow({
  entry: { number, isRead, post },
  path,
  reloadDocument,
}: {
  entry: CollectionEntry;
  path: string;
  reloadDocument: boolean;
}) {
  const isOpen = post.access.visible;
  return (
    <li className="relative flex items-start gap-3 rounded-card border border-line bg-card p-4 focus-within:border-edge hover:border-edge sm:gap-4">
      <span className="w-6 shrink-0 pt-0.5 text-right font-semibold text-muted tabular-nums">
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="text-[1.0625rem] leading-6 font-semibold wrap-anywhere">
          <Link
            to={path}
            reloadDocument={reloadDocument}
            className="after:absolute after:inset-0 after:rounded-card hover:underline"
          >
            {post.title}
          </Link>
        </h2>
        {post.excerpt ? (
          <p className="line-clamp-2 text-small text-muted wrap-anywhere">{post.excerpt}</p>
        ) : null}
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
          <span>
            <time dateTime={new Date(post.publishedAt).toISOString()}>
              {formatDay(post.publishedAt)}
            </time>{" "}
            · {audienceLabel(post.rules, post.plans)}
          </span>
          {isRead ? (
            <span className="inline-flex items-center gap-1 font-semibold text-leaf">
              <Check aria-hidden="true" className="size-4" />
              Lida
            </span>
          ) : null}
        </p>
        {isOpen ? null : (
          <p className="flex items-start gap-1.5 text-small font-medium">
            <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {lockText(post)}
          </p>
        )}
      </div>
      <Thumbnail post={post} />
    </li>
  );
}

/**
 * The first picture. A locked post shows its thumbnail; a sensitive one shows nothing until the
 * viewer asks.
 */
function Thumbnail({ post }: { post: CollectionEntry["post"] }) {
  const image = post.media.find(hasThumbnail);
  if (!image) return null;
  const isWhole = post.access.visible && !post.isSensitive;
  const variant = isWhole ? (image.kind === "image" ? "640" : "poster") : "face";
  return (
    <span className="size-18 shrink-0 overflow-hidden rounded-field bg-sand">
      <img
        src={mediaUrl(image.id, variant)}
        alt={isWhole ? image.alt : ""}
        loading="lazy"
        decoding="async"
        className={`size-full object-cover ${isWhole ? "" : "scale-110 blur-md"}`}
      />
    </span>
  );
}
