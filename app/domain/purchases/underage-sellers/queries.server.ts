import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { unpaidNetSql } from "#app/domain/ledger/platform-money/queries/unpaid-net.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { REFUNDABLE_STATUSES } from "#app/domain/payments/releases/queries.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges } from "#drizzle/schema/payments.ts";

/**
 * Returns the id of an underage refund of a charge. There is one for good, whoever decides it and
 * however often.
 */
export const underageRefundId = (chargeId: string): string => `${chargeId}-back`;

const notPaidOut = unpaidNetSql(sql`charges.id`, sql`charges.creator_id`);

const isToGoBack = and(
  eq(documents.status, "rejected"),
  eq(documents.rejectionCode, "underage"),
  inArray(charges.status, REFUNDABLE_STATUSES),
  // A debt payment is not a sale.
  sql`${charges.purchaseKind} <> 'debt'`,
  sql`${notPaidOut} > 0`,
  sql`NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = charges.id AND (r.status = 'requested' OR r.id = charges.id || '-back'))`,
  // Payouts under way count as paid out, and may still be returned. A charge is decided once, so it
  // waits for them.
  sql`NOT EXISTS (SELECT 1 FROM payouts p WHERE p.creator_id = charges.creator_id AND p.status IN ('claimed', 'sent'))`,
);

/**
 * Lists paid charges of underage sellers with an amount not paid out and no refund under way,
 * oldest first. Disputed charges wait for the decision.
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

/**
 * Loads the part of one such charge that was not paid out (net centavos); null if it is not to be
 * refunded.
 */
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
