import { counted } from "#app/domain/text.ts";
import type {
  ImportKind,
  ImportState,
  PostMove,
  OutlineEntry,
  CollectionProgress,
} from "./schema.ts";
import { importKinds, importStates } from "#app/domain/collections/rules/limits.ts";
import { addDays, instantOfIsoDay, isoOfDayNumber, parseDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Returns the public path of a collection: it is shared, and search engines index it. */
export function publicCollectionPath(username: string, collectionId: string): string {
  return `/space/${username}/public/collections/${collectionId}`;
}

/** Returns the path of a post inside a collection. `postPath` is its own path. */
export function pathInCollection(postPath: string, collectionId: string): string {
  return `${postPath}?collection=${collectionId}`;
}

/** Formats a number of posts: "1 publicação", "12 publicações". */
export function postsCountLabel(postsCount: number): string {
  return counted(postsCount, "publicação", "publicações");
}

/**
 * Returns a reader's progress and the post to continue with. That is the first unread one after the
 * last that they read. At the end it is the first that they skipped. The percentage is rounded
 * down, so that 100 is the whole.
 */
export function readingProgress(outline: readonly OutlineEntry[]): CollectionProgress {
  const total = outline.length;
  const read = outline.filter(({ readAt }) => readAt !== null).length;
  const last = outline.reduce(
    (latest, { readAt }, index) =>
      readAt !== null && readAt >= (outline[latest]?.readAt ?? Number.NEGATIVE_INFINITY)
        ? index
        : latest,
    -1,
  );
  const unread = ({ readAt }: OutlineEntry) => readAt === null;
  const next = outline.slice(last + 1).find(unread) ?? outline.find(unread);
  return {
    total,
    read,
    percent: total === 0 ? 0 : Math.floor((read * 100) / total),
    isStarted: read > 0,
    continueId: next?.postId ?? null,
  };
}

/**
 * Returns `ids` after a move; unchanged when either post is not among them. A test holds the SQL of
 * `movePost` to it.
 */
export function moveInOrder(
  ids: readonly string[],
  { postId, side, anchorId }: PostMove,
): string[] {
  if (postId === anchorId || !ids.includes(postId) || !ids.includes(anchorId)) return [...ids];
  const rest = ids.filter((id) => id !== postId);
  return rest.toSpliced(rest.indexOf(anchorId) + (side === "after" ? 1 : 0), 0, postId);
}

/** Folds letters for a search: "musica" finds "Música". */
function foldText(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Returns whether every word of `search` is in `text`, in any order. */
export function matchesSearch(text: string, search: string): boolean {
  const where = foldText(text);
  return foldText(search)
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** The filter of posts to add. Invalid values filter nothing. */
export type ImportFilter = {
  search: string;
  kind: ImportKind | null;
  state: ImportState;
  from: Instant | null;
  until: Instant | null;
};

const SEARCH_MAX = 100;

/** Parses the filter of a URL. The day `to` is included. */
export function parseImportFilter(search: URLSearchParams): ImportFilter {
  const to = dayOf(search.get("to"));
  return {
    search: (search.get("q") ?? "").trim().slice(0, SEARCH_MAX),
    kind: importKinds.find((kind) => kind === search.get("kind")) ?? null,
    state: importStates.find((state) => state === search.get("state")) ?? "published",
    from: dayOf(search.get("from")),
    until: to === null ? null : addDays(to, 1),
  };
}

/** Returns the start of a day in São Paulo. */
function dayOf(text: string | null): Instant | null {
  const day = parseDay(text ?? "");
  return day === null ? null : instantOfIsoDay(isoOfDayNumber(day));
}
