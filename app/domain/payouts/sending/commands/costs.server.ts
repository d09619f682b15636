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
 * Books the provider's cost for sending a payout, once the provider reports it. It is the
 * platform's expense, never the creator's. Source: domain rules, "Fee".
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
