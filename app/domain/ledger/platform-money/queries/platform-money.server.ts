import { asc, desc, eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { PLATFORM_CASH_NAME } from "#app/domain/ledger/platform-money/rules/platform-money.ts";
import type { Cents } from "#app/domain/money.ts";
import { truncateList, decodeCursor, pageOf } from "#app/domain/page.ts";
import type { TruncatedList, Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { platformWithdrawals, providerMoves } from "#drizzle/schema/ledger.ts";

/**
 * SQL of the platform's own share of all that providers hold now (centavos). It is below zero where
 * the platform bears more than it has there. It reads the view of its migration, so it may join a
 * statement.
 */
export const platformOwnCentsSql = sql<Cents>`(SELECT own.cents FROM platform_own own)`;

export type PlatformWithdrawal = typeof platformWithdrawals.$inferSelect;

export async function platformWithdrawalRow(
  ctx: Context,
  { id }: { id: string },
): Promise<PlatformWithdrawal | null> {
  const [row] = await ctx.db
    .select()
    .from(platformWithdrawals)
    .where(eq(platformWithdrawals.id, id))
    .limit(1);
  return row ?? null;
}

/**
 * The parts of the platform's own money, each as it changes the sum (centavos): a part that lowers
 * it is below zero.
 */
export type PlatformMoneyParts = {
  feesCents: Cents;
  costsCents: Cents;
  writeOffsCents: Cents;
  cashCents: Cents;
  owedCents: Cents;
  refundsCents: Cents;
};

export type PlatformMoneyMove = {
  id: string;
  way: "in" | "out";
  provider: string;
  amountCents: Cents;
  movedOn: string | null;
  note: string;
  by: string | null;
  approvedBy: string | null;
  at: Instant;
};
export type RequestedWithdrawal = Pick<
  PlatformWithdrawal,
  "id" | "provider" | "amountCents" | "movedOn" | "note" | "askedBy" | "askedAt" | "state"
> & { by: string | null; decidedByName: string | null };

const SHOWN = 50;

/**
 * Loads the platform's own money with its parts, the pending and refused withdrawals, and the
 * deposits and withdrawals, newest first. One round trip.
 */
export async function platformMoneyOverview(ctx: Context): Promise<{
  ownCents: Cents;
  parts: PlatformMoneyParts;
  withdrawals: TruncatedList<RequestedWithdrawal>;
  moves: TruncatedList<PlatformMoneyMove>;
}> {
  const [[own], withdrawals, moves] = await ctx.db.batch([
    ownMoney(ctx),
    pendingWithdrawals(ctx),
    depositsAndWithdrawals(ctx),
  ]);
  const { ownCents = 0, ...parts } = own ?? {
    feesCents: 0,
    costsCents: 0,
    writeOffsCents: 0,
    cashCents: 0,
    owedCents: 0,
    refundsCents: 0,
  };
  return {
    ownCents,
    parts,
    withdrawals: truncateList(withdrawals, SHOWN),
    moves: truncateList<PlatformMoneyMove>(
      moves.map(({ from, to, ...move }) => ({
        ...move,
        way: from === PLATFORM_CASH_NAME ? "in" : "out",
        provider: from === PLATFORM_CASH_NAME ? to : from,
      })),
      SHOWN,
    ),
  };
}

/** SQL of the balance of a ledger account as it changes the sum (centavos). */
const account = (id: string) =>
  sql<Cents>`-COALESCE((SELECT a.balance_cents FROM ledger_accounts a WHERE a.id = ${id}), 0)`;

const nameOf = (id: SQL) =>
  sql<string | null>`(SELECT p.name FROM profiles p WHERE p.person_id = ${id})`;

const ownMoney = (ctx: Context) =>
  ctx.db
    .select({
      ownCents: sql<Cents>`o.cents`.as("own"),
      feesCents: account("platform_fees").as("fees"),
      costsCents: account("provider_costs").as("costs"),
      writeOffsCents: account("write_offs").as("offs"),
      cashCents: account(PLATFORM_CASH_NAME).as("cash"),
      owedCents:
        sql<Cents>`-COALESCE((SELECT SUM(a.balance_cents) FROM ledger_accounts a WHERE a.id >= 'creator_owed:' AND a.id < 'creator_owed;'), 0)`.as(
          "owed",
        ),
      refundsCents:
        sql<Cents>`-COALESCE((SELECT SUM(r.fee_share_cents) FROM refunds r WHERE r.status = 'requested'), 0)`.as(
          "refunds",
        ),
    })
    .from(sql`platform_own o`);

/** The requested and the refused withdrawals. */
const pendingWithdrawals = (ctx: Context) =>
  ctx.db
    .select({
      ...withdrawalShown,
      by: nameOf(sql`${platformWithdrawals.askedBy}`).as("by_name"),
      decidedByName: nameOf(sql`${platformWithdrawals.decidedBy}`).as("decided_by_name"),
    })
    .from(platformWithdrawals)
    .where(or(eq(platformWithdrawals.state, "asked"), eq(platformWithdrawals.state, "refused")))
    .orderBy(asc(platformWithdrawals.state), desc(platformWithdrawals.askedAt))
    .limit(SHOWN + 1);

const depositsAndWithdrawals = (ctx: Context) =>
  ctx.db
    .select({
      ...moveShown,
      by: nameOf(sql`${providerMoves.movedBy}`).as("by_name"),
      approvedBy: nameOf(
        sql`(SELECT w.decided_by FROM platform_withdrawals w WHERE w.id = ${providerMoves.id})`,
      ).as("approved_by_name"),
    })
    .from(providerMoves)
    .where(
      or(
        eq(providerMoves.fromProvider, PLATFORM_CASH_NAME),
        eq(providerMoves.toProvider, PLATFORM_CASH_NAME),
      ),
    )
    .orderBy(desc(providerMoves.createdAt))
    .limit(SHOWN + 1);

export type PendingFeeRefund = {
  id: string;
  chargeId: string;
  description: string;
  askedAt: Instant;
  cents: Cents;
};

/**
 * Lists the requested refunds whose fee share is refunded with them, newest first, with the sum of
 * those shares (centavos). One round trip.
 */
export async function pendingFeeRefunds(
  ctx: Context,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<PendingFeeRefund> & { sumCents: Cents }> {
  const after = decodeCursor(cursor);
  const those = sql`refunds.status = 'requested' AND refunds.fee_share_cents <> 0`;
  const [rows, [sum]] = await ctx.db.batch([
    ctx.db
      .select({
        id: refunds.id,
        chargeId: refunds.chargeId,
        description: charges.description,
        askedAt: refunds.createdAt,
        cents: refunds.feeShareCents,
      })
      .from(refunds)
      .innerJoin(charges, eq(charges.id, refunds.chargeId))
      .where(
        after
          ? sql`${those} AND (${refunds.createdAt}, ${refunds.id}) < (${after.at}, ${after.id})`
          : those,
      )
      .orderBy(desc(refunds.createdAt), desc(refunds.id))
      .limit(limit + 1),
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(${refunds.feeShareCents}), 0)`.as("all_cents") })
      .from(refunds)
      .where(those),
  ]);
  return {
    ...pageOf(rows, limit, ({ askedAt, id }) => ({ at: askedAt, id })),
    sumCents: sum?.cents ?? 0,
  };
}

const withdrawalShown = {
  id: platformWithdrawals.id,
  provider: platformWithdrawals.provider,
  amountCents: platformWithdrawals.amountCents,
  movedOn: platformWithdrawals.movedOn,
  note: platformWithdrawals.note,
  askedBy: platformWithdrawals.askedBy,
  askedAt: platformWithdrawals.askedAt,
  state: platformWithdrawals.state,
};

const moveShown = {
  id: providerMoves.id,
  from: providerMoves.fromProvider,
  to: providerMoves.toProvider,
  amountCents: providerMoves.amountCents,
  movedOn: providerMoves.movedOn,
  note: providerMoves.note,
  at: providerMoves.createdAt,
};
