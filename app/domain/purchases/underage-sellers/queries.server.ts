import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { unpaidNetSql } from "#app/domain/ledger/platform-money/queries/unpaid-net.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { REFUNDABLE_STATUSES } from "#app/domain/payments/releases/queries.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges } from "#drizzle/schema/payments.ts";

/**
 * The refund of a charge whose seller told a false age: one for ever, whoever decides it and
 * however often.
 */
export const underageRefundId = (chargeId: string): string => `${chargeId}-back`;

const notPaidOut = unpaidNetSql(sql`charges.id`, sql`charges.creator_id`);

const isToGoBack = and(
  eq(documents.status, "rejected"),
  eq(documents.rejectionCode, "underage"),
  inArray(charges.status, REFUNDABLE_STATUSES),
  // What paid a debt was never a sale.
  sql`${charges.purchaseKind} <> 'debt'`,
  sql`${notPaidOut} > 0`,
  sql`NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = charges.id AND (r.status = 'requested' OR r.id = charges.id || '-back'))`,
  // What is on its way counts as paid out, and may yet come back: a charge is decided on once, so
  // not before.
  sql`NOT EXISTS (SELECT 1 FROM payouts p WHERE p.creator_id = charges.creator_id AND p.status IN ('claimed', 'sent'))`,
);

/**
 * Paid charges of who told a false age that brought something which was not paid out and does not
 * go back yet, oldest first. What the bank fights over waits for its decision.
 */
export async function underageSalesToRefund(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(documents)
    .innerJoin(charges, eq(charges.creatorId, documents.personId))
    .where(and(isToGoBack, isRetryDue(ctx, charges.id)))
    .orderBy(asc(charges.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** What one of them brought that was not paid out (net centavos); null when it does not go back. */
export async function underageSaleUnpaidNet(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<{ notPaidOutCents: Cents } | null> {
  const [row] = await ctx.db
    .select({ notPaidOutCents: notPaidOut.as("not_paid_out_cents") })
    .from(documents)
    .innerJoin(charges, eq(charges.creatorId, documents.personId))
    .where(and(eq(charges.id, chargeId), isToGoBack))
    .limit(1);
  return row ?? null;
}
