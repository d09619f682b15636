import { and, eq, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { providerCost } from "#app/domain/ledger/rules.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/**
 * The statements that book what the provider takes for sending a payout, once it says so: the
 * platform's expense, nothing of the creator's. Source: domain rules, "Fee".
 */
export function payoutCostStatements(
  ctx: Context,
  { id, provider, costCents: knownCents }: Payout,
  { costCents }: ProviderTransfer,
): BatchWrite[] {
  if (knownCents !== null || typeof costCents !== "number") return [];
  return [
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({ costCents })
        .where(and(eq(payouts.id, id), isNull(payouts.costCents))),
    ),
    ...postingStatements(
      ctx,
      providerCost({ object: "transfer", id, provider, payoutId: id, costCents }),
    ),
  ];
}
