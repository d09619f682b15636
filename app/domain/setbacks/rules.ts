import { MINUTE_MS } from "#app/domain/time.ts";

/** How often something may fail before it waits: most failures are over by the next minute. */
const AT_ONCE = 2;
const LONGEST_MS = 30 * MINUTE_MS;

/** How long what failed `failures` times waits for its next turn: nothing at first, then 1, 2, 4 … up to 30 minutes. */
export function waitAfterMs(failures: number): number {
  return failures <= AT_ONCE ? 0 : Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.min(failures - AT_ONCE - 1, 10));
}
