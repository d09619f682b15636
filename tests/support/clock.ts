/**
 * The only clock that tests and their support read. It starts at the instant of `vitest.config.ts`
 * (`TEST_NOW` gives another) and goes on from there: `start-clock.ts` sets the realm's `Date`, so
 * that the product's code and the libraries have the same time.
 */
export const testClock = {
  now: (): number => Date.now(),
  date: (): Date => new Date(),
};
