import { runReconciliation } from "./run.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const reconciliationSteps = {
  // Compares what the providers did since the last run with our rows, a few pages at a time.
  compare: {
    name: "reconciliation.compare",
    event: "reconciliation.failed",
    run: runReconciliation,
  },
} satisfies Record<string, Step>;
