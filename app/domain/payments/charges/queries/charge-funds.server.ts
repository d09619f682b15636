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
 * Balances from which a refund or dispute of a charge is taken, or to which it returns (centavos).
 * Read at one moment.
 */
export type ChargeFunds = {
  parts: readonly ReleasePart[];
  availableCents: Cents;
  owedCents: Cents;
  /** Overpaid part of a debt payment. Meaningless for a sale. */
  restOfDebtCents: Cents;
};

/**
 * The statements of `loadChargeFunds`, for a batch; `toChargeFunds` reads their rows. They can be
 * built once.
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
 * Refunds of a charge that the provider need not confirm (centavos). `waitingCents` is decided and
 * unconfirmed; `sentCents` goes by refund transfers.
 */
export type RefundTotals = { waitingCents: Cents; sentCents: Cents };

/** SQL for the refunds of a charge that are decided and unconfirmed (centavos). */
export const unconfirmedRefundsSql = (chargeId: SQL) =>
  sql<Cents>`(SELECT COALESCE(SUM(back.amount_cents), 0) FROM refunds back WHERE back.charge_id = ${chargeId} AND back.status = 'requested')`;
/**
 * SQL for the refund transfers of a charge, sent or still to send (centavos). The provider does not
 * count them as refunds. Includes one that was first reported as failed and then paid.
 */
export const transferredRefundsSql = (chargeId: SQL) =>
  sql<Cents>`(SELECT COALESCE(SUM(sent.amount_cents), 0) FROM refund_transfers sent WHERE sent.charge_id = ${chargeId} AND (sent.status IN ('awaiting_key', 'ready', 'claimed', 'sent', 'paid') OR (sent.status = 'canceled' AND sent.failure_code = ${PAID_BY_EARLIER_TRY})))`;
const chargesId = sql.raw('"charges"."id"');

/** `RefundTotals` as columns to select with a charge. */
export const refundTotalsColumns = {
  waitingCents: unconfirmedRefundsSql(chargesId).as("waiting_cents"),
  sentCents: transferredRefundsSql(chargesId).as("sent_cents"),
};

/** SQL condition: the unconfirmed refunds of a charge are unchanged since they were read. */
export const unconfirmedRefundsUnchanged = ({
  chargeId,
  waitingCents,
}: {
  chargeId: string;
  waitingCents: Cents;
}): SQL => sql`${unconfirmedRefundsSql(sql`${chargeId}`)} = CAST(${waitingCents} AS INTEGER)`;

/**
 * A charge with all that decides what the provider's answer does to it. A null part was not read;
 * code that needs it reads it.
 */
export type SettlementSnapshot = {
  charge: Charge;
  refundTotals: RefundTotals | null;
  funds: ChargeFunds | null;
  purchase: PurchaseSnapshot | null;
};

/** A charge with its refund totals. */
export type ChargeWithRefunds = { charge: Charge; refundTotals: RefundTotals };

/** Builds the snapshot of a charge read alone. */
export const chargeAlone = (charge: Charge): SettlementSnapshot => ({
  charge,
  refundTotals: null,
  funds: null,
  purchase: null,
});

/**
 * SQL condition for a batch: the refund totals of a charge, and its refunded and disputed amounts,
 * are unchanged since they were read.
 */
export const refundTotalsUnchanged = ({
  charge: { id, status, refundedCents, disputedCents },
  refundTotals: { waitingCents, sentCents },
}: ChargeWithRefunds): SQL =>
  sql`(SELECT charge_row.status || charge_row.refunded_cents || '-' || charge_row.disputed_cents FROM charges charge_row WHERE charge_row.id = ${id}) IS ${`${status}${refundedCents}-${disputedCents}`} AND ${unconfirmedRefundsUnchanged({ chargeId: id, waitingCents })} AND ${transferredRefundsSql(sql`${id}`)} = CAST(${sentCents} AS INTEGER)`;

/**
 * Statement that reads a charge with its refund totals; `toChargeWithRefundTotals` reads its rows.
 * It can be built once.
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
>): ChargeWithRefunds | null =>
  row
    ? {
        charge: toChargeRow(row.charge),
        refundTotals: { waitingCents: row.waitingCents, sentCents: row.sentCents },
      }
    : null;

/** Loads the snapshot of a charge in one statement; null when no such charge exists. */
export async function settlementSnapshot(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<SettlementSnapshot | null> {
  const found = toChargeWithRefundTotals(
    await chargeWithRefundTotalsStatement(ctx, { chargeId: sql`${chargeId}` }),
  );
  return found && { ...found, funds: null, purchase: null };
}

/** Loads the funds of a charge in one round trip. */
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

/** SQL condition for a write: the balance of a creator's `account` is unchanged since it was read. */
export const accountBalanceUnchanged = (
  account: "creator_available" | "creator_owed",
  creatorId: string,
  cents: Cents,
): SQL =>
  sql`COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = ${`${account}:${creatorId}`}), 0) = CAST(${cents} AS INTEGER)`;

/** A refund with its charge and funds. `purchase` as in SettlementSnapshot. */
export type RefundSnapshot = {
  refund: Refund;
  charge: Charge;
  funds: ChargeFunds;
  purchase: PurchaseSnapshot | null;
};

/** SQL for a column of a refund's charge. */
export const chargeColumnOfRefund =
  ({ refundId }: { refundId: SQL<string> }) =>
  (column: SQL): SQL<string> =>
    sql<string>`(SELECT ${column} FROM refunds back JOIN charges charge_row ON charge_row.id = back.charge_id WHERE back.id = ${refundId})`;

/**
 * Statement that reads a refund with its charge; `toRefundWithCharge` reads its rows. It can be
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
>): Omit<RefundSnapshot, "funds" | "purchase"> | null =>
  found ? { refund: found.refund, charge: toChargeRow(found.charge) } : null;

/** Loads the snapshot of a refund in one round trip; null when no such refund exists. */
export async function refundSnapshot(
  ctx: Context,
  refund: { refundId: string },
): Promise<RefundSnapshot | null> {
  const refundId = sql<string>`${refund.refundId}`;
  const chargeColumn = chargeColumnOfRefund({ refundId });
  const [found, ...funds] = await ctx.db.batch([
    refundWithChargeStatement(ctx, { refundId }),
    ...chargeFundsStatements(ctx, {
      chargeId: chargeColumn(sql`charge_row.id`),
      creatorId: chargeColumn(sql`charge_row.creator_id`),
    }),
  ]);
  const refundWithCharge = toRefundWithCharge(found);
  return refundWithCharge && { ...refundWithCharge, funds: toChargeFunds(funds), purchase: null };
}
