import { and, asc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Dispute } from "#app/domain/payments/queries.server.ts";
import type { Charge, PurchaseSnapshot } from "#app/domain/payments/purchase-handlers/schema.ts";
import { OPEN_TRANSFERS } from "#app/domain/payments/refund-transfers/rules.ts";
import { charges, disputes, refundTransfers } from "#drizzle/schema/payments.ts";
import {
  toChargeFunds,
  chargeFundsStatements,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { ChargeFunds } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";

/** A charge, one dispute of it if known, and what else decides that dispute. */
export type DisputeSnapshot = {
  charge: Charge;
  dispute: Dispute | null;
  /** Refund transfers of the charge, oldest first: open ones, and those that a dispute applied to. */
  transfers: RefundTransfer[];
  funds: ChargeFunds;
  /** Number of other open disputes over parts of the charge. */
  othersOpen: number;
  /** As in SettlementSnapshot. */
  purchase: PurchaseSnapshot | null;
};

const MOST_OF_A_CHARGE = 100;

/** SQL for the number of other open disputes of a charge. */
export const otherOpenDisputesSql = ({
  chargeId,
  providerDisputeId,
}: {
  chargeId: SQL;
  providerDisputeId: SQL;
}): SQL<number> =>
  sql<number>`(SELECT COUNT(*) FROM disputes other WHERE other.charge_id = ${chargeId} AND other.status = 'open' AND other.provider_dispute_id IS NOT ${providerDisputeId})`;

/** Statement of `transfers`. It can be built once. */
export const disputableTransfersStatement = (
  { db }: Pick<Context, "db">,
  { chargeId }: { chargeId: SQL<string> },
) =>
  db
    .select()
    .from(refundTransfers)
    .where(
      and(
        eq(refundTransfers.chargeId, chargeId),
        or(
          inArray(refundTransfers.status, [...OPEN_TRANSFERS]),
          isNotNull(refundTransfers.disputedBy),
        ),
      ),
    )
    .orderBy(asc(refundTransfers.createdAt))
    .limit(MOST_OF_A_CHARGE);

/** Loads the snapshot of a dispute in one round trip; null when no such charge exists. */
export async function disputeSnapshot(
  ctx: Context,
  { chargeId, providerDisputeId }: { chargeId: string; providerDisputeId: string },
): Promise<DisputeSnapshot | null> {
  const creatorId = sql<string>`(SELECT charge_row.creator_id FROM charges charge_row WHERE charge_row.id = ${chargeId})`;
  const [[found], transfers, ...money] = await ctx.db.batch([
    ctx.db
      .select({
        charge: charges,
        dispute: disputes,
        othersOpen: otherOpenDisputesSql({
          chargeId: sql`${chargeId}`,
          providerDisputeId: sql`${providerDisputeId}`,
        }).as("others_open"),
      })
      .from(charges)
      .leftJoin(
        disputes,
        and(
          eq(disputes.provider, charges.provider),
          eq(disputes.providerDisputeId, providerDisputeId),
        ),
      )
      .where(eq(charges.id, chargeId))
      .limit(1),
    disputableTransfersStatement(ctx, { chargeId: sql`${chargeId}` }),
    ...chargeFundsStatements(ctx, { chargeId: sql`${chargeId}`, creatorId }),
  ]);
  return found
    ? {
        charge: toChargeRow(found.charge),
        dispute: found.dispute,
        othersOpen: found.othersOpen,
        transfers,
        funds: toChargeFunds(money),
        purchase: null,
      }
    : null;
}
