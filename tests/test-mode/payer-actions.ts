import { TestRunner } from "vitest";

/**
 * Skips a test that needs the payer, a bank or the network. The provider's test mode has no call
 * for such an act. `npm test` covers it against the doubles.
 */
export const nobodyCanPlay = (act: string) => async (): Promise<never> => {
  TestRunner.getCurrentTest()?.context.skip(`nobody can play "${act}" in the provider's test mode`);
  throw new Error(act);
};
