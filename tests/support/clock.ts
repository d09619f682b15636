import { clockOffsetMs, isClockShifted } from "#scripts/shifted-clock.ts";

const now = (): number => Date.now() + (isClockShifted() ? 0 : clockOffsetMs());

/**
 * The only clock of the tests. It starts at the instant set in `vitest.config.ts` or in `TEST_NOW`.
 * `start-clock.ts` also shifts the realm's `Date`, so that the product and the libraries have the
 * same time. Journeys do not shift it, because Playwright expires cookies by the machine's time.
 */
export const testClock = { now, date: (): Date => new Date(now()) };
