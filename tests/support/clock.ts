import { clockOffsetMs, isClockShifted } from "#scripts/shifted-clock.ts";

const now = (): number => Date.now() + (isClockShifted() ? 0 : clockOffsetMs());

/**
 * The only clock that tests and their support read. It starts at the instant of `vitest.config.ts`
 * (`TEST_NOW` gives another) and goes on from there. `start-clock.ts` sets the realm's `Date` too,
 * so that the product's code and the libraries have the same time; where journeys run it does not:
 * the browser's driver keeps the browser's cookies by the machine's time.
 */
export const testClock = { now, date: (): Date => new Date(now()) };
