import type { TestProject } from "vitest/node";
import { clockOffsetMs, shiftClock } from "#scripts/shifted-clock.ts";
import { startDoubles } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Origin of the doubles of Stripe and Asaas. */
    providerDoubles: string;
  }
}

let stop = async (): Promise<void> => {};

/**
 * Starts the doubles of the payment providers over real HTTP. workerd calls them as it would call
 * the providers.
 */
export async function setup(project: TestProject): Promise<void> {
  shiftClock(clockOffsetMs());
  const doubles = await startDoubles();
  stop = doubles.stop;
  project.provide("providerDoubles", doubles.origin);
}

export async function teardown(): Promise<void> {
  await stop();
}
