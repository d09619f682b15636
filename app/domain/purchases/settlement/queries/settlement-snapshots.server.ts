import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { readsByName } from "#app/db/reads-by-name.ts";
import type { RowsByName } from "#app/db/reads-by-name.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { PurchaseSnapshot } from "#app/domain/payments/purchase-handlers/schema.ts";
import { purchaseRefOfEvent } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { EventChargeColumn } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import { disputableTransfersStatement } from "#app/domain/payments/disputes/queries.server.ts";
import {
  toChargeFunds,
  chargeFundsStatements,
  toChargeWithRefundTotals,
  chargeWithRefundTotalsStatement,
  toRefundWithCharge,
  refundWithChargeStatement,
  chargeColumnOfRefund,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type {
  ChargeFunds,
  RefundSnapshot,
  SettlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";
import {
  toEndSnapshot,
  endSnapshotStatements,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import {
  toChangeHistory,
  changeHistoryStatements,
} from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { purchaseSnapshotOf, purchaseStatements } from "./purchase-snapshot.server.ts";

/** What decides a refund, dispute or reversal of a charge: its funds, and what ends with it. */
export type Reversal = {
  transfers: RefundTransfer[];
  funds: ChargeFunds;
  purchase: PurchaseSnapshot;
};

/** Statements of a `Reversal`, by name; `reversalOf` reads their rows. */
export const reversalStatements = (
  chargeColumn: EventChargeColumn,
  { db, adultSpaces, now }: { db: Database; adultSpaces: boolean; now: SQL<Instant> },
) => ({
  transfers: [disputableTransfersStatement({ db }, { chargeId: chargeColumn(sql`charge_row.id`) })],
  ended: endSnapshotStatements(
    { db },
    {
      subscriptionId: chargeColumn(sql`charge_row.purchase_id`),
      chargeId: chargeColumn(sql`charge_row.id`),
      now,
    },
  ),
  back: changeHistoryStatements(
    { db },
    { planChangeId: chargeColumn(sql`charge_row.plan_change_id`) },
  ),
  money: chargeFundsStatements(
    { db },
    {
      chargeId: chargeColumn(sql`charge_row.id`),
      creatorId: chargeColumn(sql`charge_row.creator_id`),
    },
  ),
  purchase: purchaseStatements({ db, adultSpaces }, { ...purchaseRefOfEvent(chargeColumn), now }),
});

export function reversalOf(
  ctx: Context,
  rows: RowsByName<ReturnType<typeof reversalStatements>>,
): Reversal & { purchase: ReturnType<typeof purchaseSnapshotOf> } {
  const purchase = purchaseSnapshotOf(ctx, rows.purchase);
  const endSnapshot = toEndSnapshot(rows.ended);
  const changeHistory = toChangeHistory(rows.back);
  return {
    transfers: rows.transfers[0] ?? [],
    funds: toChargeFunds(rows.money),
    purchase: {
      ...purchase,
      subscription: { ...purchase.subscription, endSnapshot, changeHistory },
    },
  };
}

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;
const refundReads = readsByName(({ db, adultSpaces }) => {
  const refundId = value<string>("refundId");
  return {
    refund: [refundWithChargeStatement({ db }, { refundId })],
    ...reversalStatements(chargeColumnOfRefund({ refundId }), {
      db,
      adultSpaces,
      now: value<Instant>("now"),
    }),
  };
});

/** Loads the snapshots of refunds by id, in one round trip. Missing ones are left out. */
export async function refundSnapshots(
  ctx: Context,
  { refundIds }: { refundIds: readonly string[] },
): Promise<ReadonlyMap<string, RefundSnapshot>> {
  const rows = await refundReads.each(
    ctx,
    refundIds.map((refundId) => ({ refundId, now: ctx.now() })),
  );
  const entries = rows.flatMap((row) => {
    const refund = toRefundWithCharge(row.refund[0]);
    const { funds, purchase } = reversalOf(ctx, row);
    return refund ? [[refund.refund.id, { ...refund, funds, purchase }] as const] : [];
  });
  return new Map(entries);
}

const chargeReads = readsByName(({ db, adultSpaces }) => {
  const chargeId = value<string>("chargeId");
  const chargeColumn: EventChargeColumn = (column) =>
    sql<string>`(SELECT ${column} FROM charges charge_row WHERE charge_row.id = ${chargeId})`;
  return {
    charge: [chargeWithRefundTotalsStatement({ db }, { chargeId })],
    purchase: purchaseStatements(
      { db, adultSpaces },
      { ...purchaseRefOfEvent(chargeColumn), now: value<Instant>("now") },
    ),
  };
});

/** Loads the snapshots of charges by id, in one round trip. Missing ones are left out. */
export async function settlementSnapshots(
  ctx: Context,
  { chargeIds }: { chargeIds: readonly string[] },
): Promise<ReadonlyMap<string, SettlementSnapshot>> {
  const rows = await chargeReads.each(
    ctx,
    chargeIds.map((chargeId) => ({ chargeId, now: ctx.now() })),
  );
  const entries = rows.flatMap((row) => {
    const withTotals = toChargeWithRefundTotals(row.charge[0]);
    return withTotals
      ? [
          [
            withTotals.charge.id,
            { ...withTotals, funds: null, purchase: purchaseSnapshotOf(ctx, row.purchase) },
          ] as const,
        ]
      : [];
  });
  return new Map(entries);
}
