/** Where a reader is on a chart: the bar in focus, and the other end of the bars that are chosen. */
export type Brush = {
  at: number;
  /** Null while nothing is chosen. */
  from: number | null;
};

/** Returns the bar under a point of a chart, from 0; the nearest one beside its edges. */
export const barAt = (x: number, width: number, count: number): number =>
  width > 0 ? Math.max(0, Math.min(count - 1, Math.floor((x / width) * count))) : 0;

/** Returns the first and the last chosen bar; null while nothing is chosen. */
export const chosenBars = ({ at, from }: Brush): { first: number; last: number } | null =>
  from === null ? null : { first: Math.min(at, from), last: Math.max(at, from) };

/** How far a key moves, among so many bars; null for a key that moves nothing. */
function targetOf(key: string, at: number, count: number): number | null {
  const page = Math.max(1, Math.round(count / 10));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at + 1;
    case "ArrowLeft":
    case "ArrowDown":
      return at - 1;
    case "PageUp":
      return at + page;
    case "PageDown":
      return at - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/**
 * Moves through a chart by keyboard. Arrows go a bar, page keys a tenth, Home and End to the edges;
 * with Shift they choose the bars between. Without Shift the choice goes. Null for any other key.
 */
export function movedByKey(
  { at, from }: Brush,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  { count, chooses }: { count: number; chooses: boolean },
): Brush | null {
  if (key === "Escape") return from === null ? null : { at, from: null };
  const target = targetOf(key, at, count);
  if (target === null) return null;
  const next = Math.max(0, Math.min(count - 1, target));
  return { at: next, from: shiftKey && chooses ? (from ?? at) : null };
}
