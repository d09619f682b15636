import type { Context } from "#app/domain/context.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import type { HasBudget, Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { sha256Hex } from "#app/lib/digest.ts";

export const sealSteps = {
  sealMonths: { name: "ledger.seal_months", event: "ledger.seal_failed", run: sealMonths },
} satisfies Record<string, Step>;

/** Seals each finished month, one after the other. */
async function sealMonths(ctx: Context, hasRoom: HasBudget): Promise<void> {
  while ((await sealNextMonth(ctx, { digest: sha256Hex, hasRoom })) !== null);
}
