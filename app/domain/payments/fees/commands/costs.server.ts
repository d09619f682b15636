import { and, eq, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { providerCost } from "#app/domain/ledger/rules.ts";
import type { ProviderCostSubject } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { charges, disputes, refunds, refundTransfers } from "#drizzle/schema/payments.ts";

type ProviderCostReport = ProviderCostSubject & {
  /** The cost booked before; null when none was. */
  knownCents: Cents | null;
  /** The cost that the provider reports; null or absent until then. */
  reportedCents: Cents | null | undefined;
};

/**
 * Builds the statements that book a provider's cost of an existing row, once. None while the cost
 * is not reported, or when it is booked already. A concurrent booking makes the batch stale. A
 * later report is never booked again. Source: domain rules, "Fee";
 * docs/decisions/money/reconcile-every-night-through-the-payment-commands.md.
 */
export function providerCostStatements(
  ctx: Context,
  { knownCents, reportedCents, ...cost }: ProviderCostReport,
): BatchWrite[] {
  if (knownCents !== null || typeof reportedCents !== "number") return [];
  return [
    noted[cost.object](ctx, cost.id, reportedCents),
    ...postingStatements(ctx, providerCost({ ...cost, costCents: reportedCents })),
  ];
}

const noted: Record<
  ProviderCostSubject["object"],
  (ctx: Context, id: string, costCents: Cents) => BatchWrite
> = {
  charge: (ctx, id, costCents) =>
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({ costCents })
        .where(and(eq(charges.id, id), isNull(charges.costCents))),
    ),
  refund: (ctx, id, costCents) =>
    mustChangeOne(
      ctx.db
        .update(refunds)
        .set({ costCents })
        .where(and(eq(refunds.id, id), isNull(refunds.costCents))),
    ),
  dispute: (ctx, id, costCents) =>
    mustChangeOne(
      ctx.db
        .update(disputes)
        .set({ costCents })
        .where(and(eq(disputes.id, id), isNull(disputes.costCents))),
    ),
  transfer: (ctx, id, costCents) =>
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({ costCents })
        .where(and(eq(refundTransfers.id, id), isNull(refundTransfers.costCents))),
    ),
};
