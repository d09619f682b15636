import { inject } from "vitest";
import { shiftClock } from "#scripts/shifted-clock.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Offset of the tests' clock from the machine's, in milliseconds. */
    clockOffsetMs: number;
  }
}

// The first setup file of units and workers. Modules imported after it see the tests' clock.
shiftClock(inject("clockOffsetMs"));
