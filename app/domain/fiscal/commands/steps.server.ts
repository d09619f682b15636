import { eraseExpiredTakers, invoiceFees } from "#app/domain/fiscal/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const fiscalSteps = {
  forgetTakers: {
    name: "fiscal.forget_takers",
    event: "renewals.forgetting_failed",
    run: eraseExpiredTakers,
  },
  // Invoices the platform's own fee to each creator once its month is sealed, and submits a few
  // files at a time.
  invoice: { name: "fiscal.invoice", event: "fiscal.failed", run: invoiceFees },
} satisfies Record<string, Step>;
