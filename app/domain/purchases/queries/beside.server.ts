import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { builtOnce, inOneTrip } from "#app/db/built-once.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
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
  KnownBack,
  RefundStanding,
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
import { paidForOf, paidForStatements } from "./paid-for.server.ts";
import type { PaidFor } from "./paid-for.server.ts";

/**
 * All that decides, beside a charge, what its money does that goes back, is fought over or comes
 * back.
 */
export type Beside = { transfers: RefundTransfer[]; money: ChargeMoney; paidFor: PaidFor };

/** The statements of `Beside`; `besideOf` reads what they give. They may be built once. */
export const besideStatements = (
  told: ChargeTold,
  { db, adultSpaces, now }: { db: Database; adultSpaces: boolean; now: SQL<Instant> },
) =>
  [
    fightableTransfersStatement({ db }, { chargeId: told(sql`told.id`) }),
    ...endedFactsStatements(
      { db },
      { subscriptionId: told(sql`told.purchase_id`), chargeId: told(sql`told.id`), now },
    ),
    ...backFactsStatements({ db }, { planChangeId: told(sql`told.plan_change_id`) }),
    ...chargeMoneyStatements(
      { db },
      { chargeId: told(sql`told.id`), creatorId: told(sql`told.creator_id`) },
    ),
    ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(told), now }),
  ] as const;

type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

export function besideOf(
  ctx: Context,
  [
    transfers,
    stretches,
    covers,
    disputes,
    covering,
    consents,
    afterEnd,
    asRead,
    changes,
    paid,
    shifts,
    renewals,
    covered,
    backAsRead,
    parts,
    balances,
    paidDebt,
    ...rest
  ]: Rows<ReturnType<typeof besideStatements>>,
): Beside {
  const paidFor = paidForOf(ctx, rest);
  const ended = endedFactsOf([stretches, covers, disputes, covering, consents, afterEnd, asRead]);
  const back = backFactsOf([changes, paid, shifts, renewals, covered, backAsRead]);
  return {
    transfers,
    money: chargeMoneyOf([parts, balances, paidDebt]),
    paidFor: { ...paidFor, subscription: { ...paidFor.subscription, ended, back } },
  };
}

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;
const ofRefund = (adultSpaces: boolean) =>
  builtOnce((db) => {
    const refundId = value<string>("refundId");
    return [
      refundStatement({ db }, { refundId }),
      ...besideStatements(toldByRefund({ refundId }), {
        db,
        adultSpaces,
        now: value<Instant>("now"),
      }),
    ] as const;
  });
const OF_REFUND = { true: ofRefund(true), false: ofRefund(false) };

/**
 * Refunds with their charges and all that decides what they do, by their ids, in one round trip;
 * those that are not there are left out.
 */
export async function refundsBeside(
  ctx: Context,
  { refundIds }: { refundIds: readonly string[] },
): Promise<ReadonlyMap<string, { read: RefundStanding; paidFor: PaidFor }>> {
  const rows = await inOneTrip(
    ctx.db,
    refundIds.map((refundId) =>
      OF_REFUND[`${ctx.settings.adultSpaces}`](ctx.db, { refundId, now: ctx.now() }),
    ),
  );
  const found = rows.flatMap(([refund, ...beside]) => {
    const standing = refundOf(refund);
    const { money, paidFor } = besideOf(ctx, beside);
    return standing
      ? [[standing.refund.id, { read: { ...standing, money }, paidFor }] as const]
      : [];
  });
  return new Map(found);
}

const ofCharge = (adultSpaces: boolean) =>
  builtOnce((db) => {
    const chargeId = value<string>("chargeId");
    const told: ChargeTold = (column) =>
      sql<string>`(SELECT ${column} FROM charges told WHERE told.id = ${chargeId})`;
    return [
      chargeStandingStatement({ db }, { chargeId }),
      ...paidForStatements(
        { db, adultSpaces },
        { ...purchaseOf(told), now: value<Instant>("now") },
      ),
    ] as const;
  });
const OF_CHARGE = { true: ofCharge(true), false: ofCharge(false) };

/**
 * Charges with what is known to go back of them and what they pay for, by their ids, in one round
 * trip; those that are not there are left out.
 */
export async function chargesBeside(
  ctx: Context,
  { chargeIds }: { chargeIds: readonly string[] },
): Promise<ReadonlyMap<string, { read: Charge; back: KnownBack; paidFor: PaidFor }>> {
  const rows = await inOneTrip(
    ctx.db,
    chargeIds.map((chargeId) =>
      OF_CHARGE[`${ctx.settings.adultSpaces}`](ctx.db, { chargeId, now: ctx.now() }),
    ),
  );
  const found = rows.flatMap(([charge, ...paidFor]) => {
    const standing = chargeStandingOf(charge);
    return standing
      ? [
          [
            standing.charge.id,
            { read: standing.charge, back: standing.back, paidFor: paidForOf(ctx, paidFor) },
          ] as const,
        ]
      : [];
  });
  return new Map(found);
}
