import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import type { Charge, PurchaseSnapshot } from "#app/domain/payments/purchase-handlers/schema.ts";
import { PAID_BY_EARLIER_TRY } from "#app/domain/payments/refund-transfers/rules.ts";
import type { ReleasePart } from "#app/domain/payments/releases/rules/releases.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import {
  debtOverpaymentStatement,
  debtOverpaymentCents,
} from "#app/domain/payments/debts/queries/debts.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";

/**
 * What decides from where the money of a charge that goes back, is fought over or comes back is
 * taken (centavos): as it was at one moment.
 */
export type ChargeFunds = {
  parts: readonly ReleasePart[];
  availableCents: Cents;
  owedCents: Cents;
  /** Of what paid a debt, what was not owed any more; means nothing for what sold something. */
  restOfDebtCents: Cents;
};

/**
 * The statements of `loadChargeFunds`, for a batch; `toChargeFunds` reads what they give. They may
 * be built once.
 */
export const chargeFundsStatements = (
  { db }: Pick<Context, "db">,
  { chargeId, creatorId }: { chargeId: SQL<string>; creatorId: SQL<string> },
) =>
  [
    chargeReleaseParts({ db }, { chargeId }),
    creatorBalanceRows({ db }, { creatorId }),
    debtOverpaymentStatement({ db }, { chargeId, creatorId }),
  ] as const;

type ChargeFundsRows<Statements> = {
  readonly [Index in keyof Statements]: Awaited<Statements[Index]>;
};

export const toChargeFunds = ([parts, balances, paid]: ChargeFundsRows<
  ReturnType<typeof chargeFundsStatements>
>): ChargeFunds => ({
  parts,
  availableCents: balanceOfKind(balances, "creator_available"),
  owedCents: balanceOfKind(balances, "creator_owed"),
  restOfDebtCents: debtOverpaymentCents(paid),
});

/**
 * What of a charge went back, or is to go, so far as its provider need not say so (centavos):
 * `waitingCents` is decided and not confirmed, `sentCents` goes by a Pix of ours.
 */
export type RefundTotals = { waitingCents: Cents; sentCents: Cents };

/** What was decided to go back of a charge and is not confirmed yet (centavos), in SQL. */
export const unconfirmedRefundsSql = (chargeId: SQL) =>
  sql<Cents>`(SELECT COALESCE(SUM(back.amount_cents), 0) FROM refunds back WHERE back.charge_id = ${chargeId} AND back.status = 'requested')`;
/**
 * What went back of a charge by a Pix of ours, or is to (centavos), of which its provider knows
 * nothing, in SQL: also by one that was told as failed before.
 */
export const transferredRefundsSql = (chargeId: SQL) =>
  sql<Cents>`(SELECT COALESCE(SUM(sent.amount_cents), 0) FROM refund_transfers sent WHERE sent.charge_id = ${chargeId} AND (sent.status IN ('awaiting_key', 'ready', 'claimed', 'sent', 'paid') OR (sent.status = 'canceled' AND sent.failure_code = ${PAID_BY_EARLIER_TRY})))`;
const chargesId = sql.raw('"charges"."id"');

/** `RefundTotals` as columns beside a charge. */
export const refundTotalsColumns = {
  waitingCents: unconfirmedRefundsSql(chargesId).as("waiting_cents"),
  sentCents: transferredRefundsSql(chargesId).as("sent_cents"),
};

/** That so much of a charge waits to be confirmed as gone back as when it was read, in SQL. */
export const unconfirmedRefundsUnchanged = ({
  chargeId,
  waitingCents,
}: {
  chargeId: string;
  waitingCents: Cents;
}): SQL => sql`${unconfirmedRefundsSql(sql`${chargeId}`)} = CAST(${waitingCents} AS INTEGER)`;

/**
 * A charge with all that decides what the provider's answer does to it. What is null was not read:
 * whoever needs it reads it.
 */
export type SettlementSnapshot = {
  charge: Charge;
  back: RefundTotals | null;
  money: ChargeFunds | null;
  purchase: PurchaseSnapshot | null;
};

/** A charge, and what is known to go back of it. */
export type ChargeAndBack = { charge: Charge; back: RefundTotals };

/** Of a charge beside which nothing was read. */
export const chargeAlone = (charge: Charge): SettlementSnapshot => ({
  charge,
  back: null,
  money: null,
  purchase: null,
});

/**
 * That how much went back of a charge, and is to go, is as it was read, in SQL, for a batch that
 * decides by it.
 */
export const refundTotalsUnchanged = ({
  charge: { id, status, refundedCents, disputedCents },
  back: { waitingCents, sentCents },
}: ChargeAndBack): SQL =>
  sql`(SELECT told.status || told.refunded_cents || '-' || told.disputed_cents FROM charges told WHERE told.id = ${id}) IS ${`${status}${refundedCents}-${disputedCents}`} AND ${unconfirmedRefundsUnchanged({ chargeId: id, waitingCents })} AND ${transferredRefundsSql(sql`${id}`)} = CAST(${sentCents} AS INTEGER)`;

/**
 * The statement of a charge with what is known to go back of it; `toChargeWithRefundTotals` reads
 * what it gives. It may be built once.
 */
export const chargeWithRefundTotalsStatement = (
  { db }: Pick<Context, "db">,
  { chargeId }: { chargeId: SQL<string> },
) =>
  db
    .select({ charge: charges, ...refundTotalsColumns })
    .from(charges)
    .where(eq(charges.id, chargeId))
    .limit(1);

export const toChargeWithRefundTotals = ([row]: Awaited<
  ReturnType<typeof chargeWithRefundTotalsStatement>
>): ChargeAndBack | null =>
  row
    ? {
        charge: toChargeRow(row.charge),
        back: { waitingCents: row.waitingCents, sentCents: row.sentCents },
      }
    : null;

/** In one statement; null when there is no such charge. */
export async function settlementSnapshot(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<SettlementSnapshot | null> {
  const found = toChargeWithRefundTotals(
    await chargeWithRefundTotalsStatement(ctx, { chargeId: sql`${chargeId}` }),
  );
  return found && { ...found, money: null, purchase: null };
}

/** In one round trip. */
export async function loadChargeFunds(
  ctx: Context,
  { id, creatorId }: Pick<Charge, "id" | "creatorId">,
): Promise<ChargeFunds> {
  return toChargeFunds(
    await ctx.db.batch(
      chargeFundsStatements(ctx, { chargeId: sql`${id}`, creatorId: sql`${creatorId}` }),
    ),
  );
}

/**
 * That so much of `account` of a creator is as it was read, in SQL, for the condition of a write
 * that decides by it.
 */
export const accountBalanceUnchanged = (
  account: "creator_available" | "creator_owed",
  creatorId: string,
  cents: Cents,
): SQL =>
  sql`COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = ${`${account}:${creatorId}`}), 0) = CAST(${cents} AS INTEGER)`;

/** A refund with its charge, and from where it is taken. `purchase` as in SettlementSnapshot. */
export type RefundSnapshot = {
  refund: Refund;
  charge: Charge;
  money: ChargeFunds;
  purchase: PurchaseSnapshot | null;
};

/** The charge of a refund. */
export const chargeColumnOfRefund =
  ({ refundId }: { refundId: SQL<string> }) =>
  (column: SQL): SQL<string> =>
    sql<string>`(SELECT ${column} FROM refunds back JOIN charges told ON told.id = back.charge_id WHERE back.id = ${refundId})`;

/**
 * The statement of a refund with its charge; `toRefundWithCharge` reads what it gives. It may be
 * built once.
 */
export const refundWithChargeStatement = (
  { db }: Pick<Context, "db">,
  { refundId }: { refundId: SQL<string> },
) =>
  db
    .select({ refund: refunds, charge: charges })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(eq(refunds.id, refundId))
    .limit(1);

export const toRefundWithCharge = ([found]: Awaited<
  ReturnType<typeof refundWithChargeStatement>
>): Omit<RefundSnapshot, "money" | "purchase"> | null =>
  found ? { refund: found.refund, charge: toChargeRow(found.charge) } : null;

/** In one round trip; null when there is no such refund. */
export async function refundSnapshot(
  ctx: Context,
  refund: { refundId: string },
): Promise<RefundSnapshot | null> {
  const refundId = sql<string>`${refund.refundId}`;
  const told = chargeColumnOfRefund({ refundId });
  const [found, ...money] = await ctx.db.batch([
    refundWithChargeStatement(ctx, { refundId }),
    ...chargeFundsStatements(ctx, {
      chargeId: told(sql`told.id`),
      creatorId: told(sql`told.creator_id`),
    }),
  ]);
  const standing = toRefundWithCharge(found);
  return standing && { ...standing, money: toChargeFunds(money), purchase: null };
}
