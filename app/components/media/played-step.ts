const STEPS = 20;
/** A player's clock stops a moment before the end, and nobody waits for the last second of silence. */
const WHOLE = 0.98;

type Played = Pick<TimeRanges, "length" | "start" | "end">;

/**
 * Returns how much of a file was played, in twentieths from 0 to 20. A part that was skipped by a
 * seek does not count, and one that was played twice counts once: the browser joins the ranges.
 */
export function playedStep(played: Played, durationSeconds: number): number {
  if (!(durationSeconds > 0)) return 0;
  let seconds = 0;
  for (let at = 0; at < played.length; at += 1)
    seconds += Math.max(0, played.end(at) - played.start(at));
  const share = Math.min(1, seconds / durationSeconds);
  // Rounding keeps 0.15 × 20 from being 2.9999999999999996.
  return share >= WHOLE ? STEPS : Math.floor(Number((share * STEPS).toFixed(6)));
}
