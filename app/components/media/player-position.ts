const NAME = "coreto-position-";
/** So near to the beginning or the end, one begins again. */
const EDGE_SECONDS = 5;

/**
 * Where this browser stopped, in seconds, or null for the beginning. A browser that keeps nothing
 * begins anew.
 */
export function rememberedPosition(mediaId: string, durationSeconds: number): number | null {
  const seconds = Number(read(mediaId) ?? "");
  return isWorthKeeping(seconds, durationSeconds) ? seconds : null;
}

/** Keeps the place of `mediaId`, or forgets it at either end. */
export function rememberPosition(mediaId: string, seconds: number, durationSeconds: number): void {
  try {
    if (isWorthKeeping(seconds, durationSeconds))
      localStorage.setItem(NAME + mediaId, seconds.toFixed(1));
    else if (seconds > EDGE_SECONDS) localStorage.removeItem(NAME + mediaId);
  } catch {
    // Storage that is full or forbidden is no reason to stop playing.
  }
}

/** Pure, so that its edges are tested: some seconds in, and some before the end, of what has an end. */
export function isWorthKeeping(seconds: number, durationSeconds: number): boolean {
  return (
    Number.isFinite(seconds) &&
    seconds >= EDGE_SECONDS &&
    (!Number.isFinite(durationSeconds) || seconds <= durationSeconds - EDGE_SECONDS)
  );
}

function read(mediaId: string): string | null {
  try {
    return localStorage.getItem(NAME + mediaId);
  } catch {
    return null;
  }
}
