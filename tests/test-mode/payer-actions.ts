import { TestRunner } from "vitest";

/**
 * What only the payer, a bank or the network can do and a provider's test mode has no call for.
 * Such a test says that it was not played there; the suite of `npm test` plays all of them against
 * the doubles.
 */
export const nobodyCanPlay = (act: string) => async (): Promise<never> => {
  TestRunner.getCurrentTest()?.context.skip(`nobody can play "${act}" in the provider's test mode`);
  throw new Error(act);
};
