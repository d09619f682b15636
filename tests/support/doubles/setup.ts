import type { TestProject } from "vitest/node";
import { clockOffsetMs, shiftClock } from "#scripts/shifted-clock.ts";
import { startDoubles } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the doubles of Stripe and Asaas listen. */
    providerDoubles: string;
  }
}

let stop = async (): Promise<void> => {};

/**
 * The doubles of the real payment providers, over real HTTP: workerd reaches them as it would reach
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
