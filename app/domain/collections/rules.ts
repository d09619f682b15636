import type {
  ImportKind,
  ImportState,
  PostMove,
  OutlineEntry,
  CollectionProgress,
} from "#app/domain/collections/schema.ts";
import { importKinds, importStates } from "#app/domain/collections/schema.ts";
import { addDays, instantOfIsoDay, isoOfDayNumber, parseDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Where everyone sees a collection: the address that is shared and that search engines keep. */
export function publicCollectionPath(username: string, collectionId: string): string {
  return `/space/${username}/public/collections/${collectionId}`;
}

/** Where a post is read inside a collection: `postPath` is its own address. */
export function pathInCollection(postPath: string, collectionId: string): string {
  return `${postPath}?collection=${collectionId}`;
}

/** "1 publicação", "12 publicações". */
export function postsCountLabel(postsCount: number): string {
  return postsCount === 1 ? "1 publicação" : `${postsCount} publicações`;
}

/**
 * How far a reader is, and the post to go on with: the first unread one after the last that they
 * read, and past the end the first that they left out. The percentage is rounded down, so that 100
 * is the whole.
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
    hasBegun: read > 0,
    continueId: next?.postId ?? null,
  };
}

/**
 * `ids` after a move; the same when either post is not among them. What `movePost` writes is held
 * to this by a test.
 */
export function moveInOrder(
  ids: readonly string[],
  { postId, side, anchorId }: PostMove,
): string[] {
  if (postId === anchorId || !ids.includes(postId) || !ids.includes(anchorId)) return [...ids];
  const rest = ids.filter((id) => id !== postId);
  return rest.toSpliced(rest.indexOf(anchorId) + (side === "after" ? 1 : 0), 0, postId);
}

/** Letters as one searches them: "musica" finds "Música". */
function foldText(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** True when every word of `search` is in `text`, in any order. */
export function matchesSearch(text: string, search: string): boolean {
  const where = foldText(text);
  return foldText(search)
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** What posts are looked for; what cannot be read asks for nothing. */
export type ImportFilter = {
  search: string;
  kind: ImportKind | null;
  state: ImportState;
  from: Instant | null;
  until: Instant | null;
};

const SEARCH_MAX = 100;

/** The filter that an address asks for. `to` is a day that still counts. */
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

/** The beginning of a day in São Paulo. */
function dayOf(text: string | null): Instant | null {
  const day = parseDay(text ?? "");
  return day === null ? null : instantOfIsoDay(isoOfDayNumber(day));
}
