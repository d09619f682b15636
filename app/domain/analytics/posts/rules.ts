import { REACH_STEPS } from "#app/domain/analytics/views/schema.ts";
import type { StepPlays } from "./schema.ts";

/** A point of a retention curve: of all plays, those that played at least this percent of the file. */
export type RetentionPoint = { percent: number; plays: number; share: number };

/**
 * Builds the retention curve of a file, at each 5 % from the start to the end. Empty without plays
 * that said how much they played.
 */
export function retentionCurve(steps: readonly StepPlays[]): RetentionPoint[] {
  const total = steps.reduce((sum, { plays }) => sum + plays, 0);
  if (total === 0) return [];
  return Array.from({ length: REACH_STEPS + 1 }, (_, at) => {
    const plays = steps.reduce((sum, one) => (one.step >= at ? sum + one.plays : sum), 0);
    return { percent: (at * 100) / REACH_STEPS, plays, share: plays / total };
  });
}
