import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { readsByName } from "#app/db/reads-by-name.ts";
import type { RowsByName } from "#app/db/reads-by-name.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { PurchaseSnapshot } from "#app/domain/payments/schema/purchase-handlers.ts";
import { purchaseOf } from "#app/domain/payments/queries/deliveries.server.ts";
import type { ChargeTold } from "#app/domain/payments/queries/deliveries.server.ts";
import { fightableTransfersStatement } from "#app/domain/payments/queries/dispute-standing.server.ts";
import {
  chargeMoneyOf,
  chargeMoneyStatements,
  chargeStandingOf,
  chargeStandingStatement,
  refundOf,
  refundStatement,
  toldByRefund,
} from "#app/domain/payments/queries/money.server.ts";
import type {
  ChargeMoney,
  RefundSnapshot,
  SettlementSnapshot,
} from "#app/domain/payments/queries/money.server.ts";
import type { RefundTransfer } from "#app/domain/payments/queries/refund-transfers.server.ts";
import {
  endedFactsOf,
  endedFactsStatements,
} from "#app/domain/subscriptions/queries/ending/ended-facts.server.ts";
import {
  backFactsOf,
  backFactsStatements,
} from "#app/domain/subscriptions/queries/plan-change/back.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { purchaseSnapshotOf, purchaseStatements } from "./purchase-snapshot.server.ts";

/**
 * What decides where the money of a charge comes from that is refunded, disputed or reversed, and
 * what ends with it.
 */
export type Reversal = {
  transfers: RefundTransfer[];
  money: ChargeMoney;
  purchase: PurchaseSnapshot;
};

/** The statements of a `Reversal`, by name; `reversalOf` reads what they give. */
export const reversalStatements = (
  told: ChargeTold,
  { db, adultSpaces, now }: { db: Database; adultSpaces: boolean; now: SQL<Instant> },
) => ({
  transfers: [fightableTransfersStatement({ db }, { chargeId: told(sql`told.id`) })],
  ended: endedFactsStatements(
    { db },
    { subscriptionId: told(sql`told.purchase_id`), chargeId: told(sql`told.id`), now },
  ),
  back: backFactsStatements({ db }, { planChangeId: told(sql`told.plan_change_id`) }),
  money: chargeMoneyStatements(
    { db },
    { chargeId: told(sql`told.id`), creatorId: told(sql`told.creator_id`) },
  ),
  purchase: purchaseStatements({ db, adultSpaces }, { ...purchaseOf(told), now }),
});

export function reversalOf(
  ctx: Context,
  rows: RowsByName<ReturnType<typeof reversalStatements>>,
): Reversal & { purchase: ReturnType<typeof purchaseSnapshotOf> } {
  const purchase = purchaseSnapshotOf(ctx, rows.purchase);
  const ended = endedFactsOf(rows.ended);
  const back = backFactsOf(rows.back);
  return {
    transfers: rows.transfers[0] ?? [],
    money: chargeMoneyOf(rows.money),
    purchase: { ...purchase, subscription: { ...purchase.subscription, ended, back } },
  };
}

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;
const refundReads = readsByName(({ db, adultSpaces }) => {
  const refundId = value<string>("refundId");
  return {
    refund: [refundStatement({ db }, { refundId })],
    ...reversalStatements(toldByRefund({ refundId }), {
      db,
      adultSpaces,
      now: value<Instant>("now"),
    }),
  };
});

/** Snapshots of refunds by their ids, in one round trip; those that do not exist are left out. */
export async function refundSnapshots(
  ctx: Context,
  { refundIds }: { refundIds: readonly string[] },
): Promise<ReadonlyMap<string, RefundSnapshot>> {
  const rows = await refundReads.each(
    ctx,
    refundIds.map((refundId) => ({ refundId, now: ctx.now() })),
  );
  const found = rows.flatMap((row) => {
    const refund = refundOf(row.refund[0]);
    const { money, purchase } = reversalOf(ctx, row);
    return refund ? [[refund.refund.id, { ...refund, money, purchase }] as const] : [];
  });
  return new Map(found);
}

const chargeReads = readsByName(({ db, adultSpaces }) => {
  const chargeId = value<string>("chargeId");
  const told: ChargeTold = (column) =>
    sql<string>`(SELECT ${column} FROM charges told WHERE told.id = ${chargeId})`;
  return {
    charge: [chargeStandingStatement({ db }, { chargeId })],
    purchase: purchaseStatements(
      { db, adultSpaces },
      { ...purchaseOf(told), now: value<Instant>("now") },
    ),
  };
});

/** Snapshots of charges by their ids, in one round trip; those that do not exist are left out. */
export async function settlementSnapshots(
  ctx: Context,
  { chargeIds }: { chargeIds: readonly string[] },
): Promise<ReadonlyMap<string, SettlementSnapshot>> {
  const rows = await chargeReads.each(
    ctx,
    chargeIds.map((chargeId) => ({ chargeId, now: ctx.now() })),
  );
  const found = rows.flatMap((row) => {
    const known = chargeStandingOf(row.charge[0]);
    return known
      ? [
          [
            known.charge.id,
            { ...known, money: null, purchase: purchaseSnapshotOf(ctx, row.purchase) },
          ] as const,
        ]
      : [];
  });
  return new Map(found);
}
