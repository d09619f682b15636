const NAME = "coreto-position-";
/** This close to the start or the end, playback restarts from the start. */
const EDGE_SECONDS = 5;

/** Saved position in seconds, or null for the start. Null also in a browser without storage. */
export function rememberedPosition(mediaId: string, durationSeconds: number): number | null {
  const seconds = Number(read(mediaId) ?? "");
  return isWorthKeeping(seconds, durationSeconds) ? seconds : null;
}

/** Saves the position of `mediaId`, or deletes it near the end. */
export function rememberPosition(mediaId: string, seconds: number, durationSeconds: number): void {
  try {
    if (isWorthKeeping(seconds, durationSeconds))
      localStorage.setItem(NAME + mediaId, seconds.toFixed(1));
    else if (seconds > EDGE_SECONDS) localStorage.removeItem(NAME + mediaId);
  } catch {
    // Full or forbidden storage must not stop playback.
  }
}

/** True if a position is far enough from both ends. Pure, so that tests cover its edges. */
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
