/** A keyset page: rows after a cursor, and the cursor of the next page, null at the end. */
export type Page<Row> = { items: Row[]; next: string | null };

/** The position in a list ordered by (instant, id), newest first. */
export type Cursor = { at: number; id: string };

const CURSOR = /^(\d{1,16})_([0-9a-z-]{1,64})$/;

export function encodeCursor(cursor: Cursor): string {
  return `${cursor.at}_${cursor.id}`;
}

/**
 * Parses a cursor. Null for anything that `encodeCursor` did not write: a broken link shows the
 * first page.
 */
export function decodeCursor(text: string | null | undefined): Cursor | null {
  const match = CURSOR.exec(text ?? "");
  return match ? { at: Number(match[1]), id: match[2] ?? "" } : null;
}

/** Cuts a list fetched with `limit + 1` rows into a page. */
export function pageOf<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => Cursor): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null };
}

/** A list without further pages: what it shows, and whether it leaves something out. */
export type TruncatedList<Row> = { items: Row[]; isCut: boolean };

/** Cuts a list fetched with `limit + 1` rows to what is shown. */
export const truncateList = <Row>(rows: readonly Row[], limit: number): TruncatedList<Row> => ({
  items: rows.slice(0, limit),
  isCut: rows.length > limit,
});
