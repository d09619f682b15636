import { inject } from "vitest";
import { shiftClock } from "#scripts/shifted-clock.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How far the tests' clock is ahead of the machine's, in milliseconds. */
    clockOffsetMs: number;
  }
}

// The first setup file of units and workers: what is imported after it has the tests' clock.
shiftClock(inject("clockOffsetMs"));
