import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { documentsStatement } from "#app/domain/documents/queries.server.ts";
import { holdingChecksStatement } from "#app/domain/ledger/queries/checks.server.ts";
import { balanceOf, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isHeldPart, RELEASABLE } from "#app/domain/payments/queries/releases.server.ts";
import { payerBy } from "#app/domain/payments/rules/providers.ts";
import { HELD_BACK } from "#app/domain/payments/rules/hold-back.ts";
import type { TaxId } from "#app/domain/identity/rules/tax-ids.ts";
import { hasTurn } from "#app/domain/setbacks/queries.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { payoutHolds, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { availableSinceStatement, isWorthPaying } from "./queries/available.server.ts";
import { payoutLabel } from "./rules.ts";
import { arrivesAt, destinationWords, wayTo } from "./rules/destinations.ts";
import { PAPERS_AWAITED_MS } from "./rules/holds.ts";
import type { DestinationKind, HeldReason, Payout, PayoutSchedule, PayoutStatus, WaitsFor, WithdrawalMethod } from "./schema.ts";

const RELEASES_SHOWN = 20;

export type Balances = {
  availableCents: Cents;
  pendingCents: Cents;
  reservedCents: Cents;
  inTransitCents: Cents;
  owedCents: Cents;
  /** The parts of what is pending that are free soonest. */
  releases: { releaseAt: Instant; netCents: Cents }[];
  /** When the last of what is pending is free; null where `releases` are not all of it: there are more parts, or some without a day. */
  lastReleaseAt: Instant | null;
};

/** The statements behind `balancesOf`, for a page that reads more in the same round trip; `asBalances` reads what they give. */
export function balancesStatements(ctx: Context, { creatorId }: { creatorId: string }) {
  return [
    creatorBalanceRows(ctx, { creatorId }),
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(${payouts.amountCents}), 0)` })
      .from(payouts)
      .where(and(eq(payouts.creatorId, creatorId), inArray(payouts.status, ["claimed", "sent"]))),
    ctx.db
      .select({
        releaseAt: chargeReleases.releaseAt,
        netCents: sql<Cents>`${chargeReleases.netCents} - ${chargeReleases.takenCents}`,
      })
      .from(chargeReleases)
      .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
      .where(and(isHeldPart, eq(chargeReleases.creatorId, creatorId), lt(chargeReleases.releaseAt, HELD_BACK), inArray(charges.status, RELEASABLE)))
      .orderBy(asc(chargeReleases.releaseAt))
      .limit(RELEASES_SHOWN),
  ] as const;
}

type RowsOf<Statements extends readonly unknown[]> = { [Index in keyof Statements]: Awaited<Statements[Index]> };
type BalancesRows = RowsOf<ReturnType<typeof balancesStatements>>;

export function asBalances([rows, transit, releases]: BalancesRows): Balances {
  return {
    availableCents: balanceOf(rows, "creator_available"),
    pendingCents: balanceOf(rows, "creator_pending"),
    reservedCents: balanceOf(rows, "creator_reserved"),
    owedCents: balanceOf(rows, "creator_owed"),
    inTransitCents: transit[0]?.cents ?? 0,
    releases,
    lastReleaseAt: releases.reduce((sum, { netCents }) => sum + netCents, 0) === balanceOf(rows, "creator_pending") ? (releases.at(-1)?.releaseAt ?? null) : null,
  };
}

/** The money of one creator (centavos), in one round trip. */
export async function balancesOf(ctx: Context, { creatorId }: { creatorId: string }): Promise<Balances> {
  return asBalances(await ctx.db.batch(balancesStatements(ctx, { creatorId })));
}

export type PayoutView = {
  id: string;
  status: PayoutStatus;
  label: string;
  amountCents: Cents;
  /** Where it goes, in words and masked. */
  to: string;
  isToAccount: boolean;
  requestedAt: Instant;
  /** The day on which it reaches a bank account; null of a Pix key, and once that day is over. */
  arrivesAt: Instant | null;
  settledAt: Instant | null;
  failureCode: string | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  waitsFor: WaitsFor | null;
  waitsUntil: Instant | null;
  /** Who of the creator's team asked for it; null when the creator or the schedule did. */
  requestedByName: string | null;
};

/** The payouts of one creator, newest first. An amount of zero is not fixed yet: it will be all that is available. */
export async function payoutHistory(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<Page<PayoutView>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({ payout: payouts, requestedByName: profiles.name })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.personId, payouts.actedBy))
    .where(and(eq(payouts.creatorId, creatorId), after ? sql`(${payouts.requestedAt}, ${payouts.id}) < (${after.at}, ${after.id})` : undefined))
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  const views = rows.map(({ payout, requestedByName }) => ({ ...asPayout(payout), requestedByName })).map((row) => ({
    id: row.id,
    status: row.status,
    label: payoutLabel(row.status),
    amountCents: row.amountCents,
    to: destinationWords(row.pixKeyKind, row.pixKey),
    isToAccount: row.pixKeyKind === "bank_account",
    requestedAt: row.requestedAt,
    arrivesAt: arrivesAt(row, ctx.now()),
    settledAt: row.settledAt,
    failureCode: row.failureCode,
    heldReason: row.heldReason,
    heldUntil: row.heldUntil,
    waitsFor: row.waitsFor,
    waitsUntil: row.waitsUntil,
    requestedByName: row.requestedByName,
  }));
  return pageOf(views, limit, (row) => ({ at: row.requestedAt, id: row.id }));
}

/** Written only through `sellerDetailsSchema` and the trigger `payouts_update`, which know no other words. */
export const asPayout = (row: typeof payouts.$inferSelect): Payout => ({
  ...row,
  status: row.status as PayoutStatus,
  pixKeyKind: row.pixKeyKind as DestinationKind,
});

/** The whole row, for commands. */
export async function payoutRow(ctx: Context, { payoutId }: { payoutId: string }): Promise<Payout | null> {
  const [row] = await ctx.db.select().from(payouts).where(eq(payouts.id, payoutId)).limit(1);
  return row ? asPayout(row) : null;
}

/** Where a creator's money goes, or null before it was said. */
export async function withdrawalMethodOf(ctx: Context, { creatorId }: { creatorId: string }): Promise<WithdrawalMethod | null> {
  const [row] = await withdrawalMethodStatement(ctx, { creatorId });
  return row ?? null;
}

function withdrawalMethodStatement(ctx: Context, { creatorId }: { creatorId: string }) {
  return ctx.db
    .select({
      pixKeyKind: withdrawalMethods.pixKeyKind,
      pixKey: withdrawalMethods.pixKey,
      schedule: withdrawalMethods.schedule,
      holdUntil: withdrawalMethods.holdUntil,
      updatedAt: withdrawalMethods.updatedAt,
    })
    .from(withdrawalMethods)
    .where(eq(withdrawalMethods.creatorId, creatorId))
    .limit(1);
}

export type PayoutStanding = {
  method: WithdrawalMethod | null;
  documentsApproved: boolean;
  /** They showed less than 18 years: what was not paid out goes back to who paid. */
  isUnderage: boolean;
  /** When their papers were rejected; null where they are not. */
  papersRejectedAt: Instant | null;
  /** Whose the money is, by the documents that were sent last. */
  owner: TaxId | null;
  ownerName: string | null;
  hasOpenPayout: boolean;
  availableCents: Cents;
  /** When the oldest part of it arrived. */
  availableSince: Instant | null;
  isBanned: boolean;
  isLeaving: boolean;
  /** An invariant of money that is broken, or that nobody could look at for hours, holds every payout back. */
  isHeldByBooks: boolean;
  /** A moderator holds theirs, and says why in `heldWords`. */
  isHeldByStaff: boolean;
  heldWords: string | null;
  /** Whether a provider can send it there. */
  canPayOut: boolean;
};

/** Everything that decides whether a creator may be paid out now, in one round trip. */
export async function payoutStanding(ctx: Context, { creatorId }: { creatorId: string }): Promise<PayoutStanding> {
  const [methods, papers, open, balances, [person], broken, [hold], [since]] = await ctx.db.batch([
    withdrawalMethodStatement(ctx, { creatorId }),
    documentsStatement(ctx, { personId: creatorId }),
    ctx.db
      .select({ id: payouts.id })
      .from(payouts)
      .where(and(eq(payouts.creatorId, creatorId), inArray(payouts.status, ["requested", "held", "claimed", "sent"])))
      .limit(1),
    creatorBalanceRows(ctx, { creatorId }),
    ctx.db.select({ bannedAt: people.bannedAt, leavingAt: people.leavingAt }).from(people).where(eq(people.id, creatorId)).limit(1),
    holdingChecksStatement(ctx),
    ctx.db.select({ reason: payoutHolds.reason }).from(payoutHolds).where(and(eq(payoutHolds.creatorId, creatorId), isNull(payoutHolds.endedAt))).limit(1),
    availableSinceStatement(ctx, { creatorId }),
  ]);
  return {
    method: methods[0] ?? null,
    documentsApproved: papers[0]?.status === "approved",
    isUnderage: papers[0]?.rejectionCode === "underage",
    papersRejectedAt: papers[0]?.status === "rejected" ? papers[0].decidedAt : null,
    owner: papers[0] ? { taxKind: papers[0].taxKind, taxId: papers[0].taxId } : null,
    ownerName: papers[0]?.sellerName ?? null,
    hasOpenPayout: open.length > 0,
    availableCents: balanceOf(balances, "creator_available"),
    availableSince: since?.at ?? null,
    isBanned: person !== undefined && person.bannedAt !== null,
    isLeaving: person !== undefined && person.leavingAt !== null,
    isHeldByBooks: broken.length > 0,
    isHeldByStaff: hold !== undefined,
    heldWords: hold?.reason ?? null,
    canPayOut: payerBy(ctx.payments, wayTo(methods[0]?.pixKeyKind ?? "evp")) !== null,
  };
}

type ToPayOut = { afterCreatorId: string; schedules: PayoutSchedule[]; now: Instant; since: Instant; limit: number };

/** A creator whose payout a schedule asks for, and where their money goes. */
export type ToOpen = Pick<Payout, "creatorId" | "pixKeyKind" | "pixKey">;

/**
 * Creators on one of `schedules` who were not banned, are not held and are not leaving, with enough available, an approved identity, a key that is not on hold and no payout since `since`; paged by id.
 * Those on the schedule are gone through in their order until the page is full: the `+` keeps SQLite from beginning with everybody whose papers are approved, at each page.
 */
export async function creatorsToPayOut(ctx: Context, { afterCreatorId, schedules, now, since, limit }: ToPayOut): Promise<ToOpen[]> {
  return await ctx.db
    .select({ creatorId: withdrawalMethods.creatorId, pixKeyKind: withdrawalMethods.pixKeyKind, pixKey: withdrawalMethods.pixKey })
    .from(withdrawalMethods)
    .innerJoin(ledgerAccounts, and(eq(ledgerAccounts.id, sql`'creator_available:' || ${withdrawalMethods.creatorId}`), isWorthPaying(withdrawalMethods.creatorId, now)))
    .innerJoin(documents, and(eq(documents.personId, withdrawalMethods.creatorId), sql`+${documents.status} = 'approved'`))
    .innerJoin(people, and(eq(people.id, withdrawalMethods.creatorId), isNull(people.bannedAt), isNull(people.leavingAt)))
    .where(
      and(
        gt(withdrawalMethods.creatorId, afterCreatorId),
        inArray(withdrawalMethods.schedule, schedules),
        sql`(${withdrawalMethods.holdUntil} IS NULL OR ${withdrawalMethods.holdUntil} <= ${now})`,
        sql`NOT EXISTS (SELECT 1 FROM ${payouts} WHERE ${payouts.creatorId} = ${withdrawalMethods.creatorId}
          AND (${payouts.requestedAt} >= ${since} OR ${payouts.status} IN ('requested', 'held', 'claimed', 'sent')))`,
        sql`NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${withdrawalMethods.creatorId} AND ${payoutHolds.endedAt} IS NULL)`,
      ),
    )
    .orderBy(asc(withdrawalMethods.creatorId))
    .limit(limit);
}

/** Held payouts whose reason is over, oldest first: the wait ended, papers were approved, a moderator let go or consented, the amount is within the limit again, or goes to another place than who consents sees; and those that end (`endOf`). */
export async function heldToGoOn(ctx: Context, { now, limit }: { now: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        eq(payouts.status, "held"),
        sql`(CASE ${payouts.heldReason}
          WHEN 'changed_method' THEN ${payouts.heldUntil} <= ${now}
          WHEN 'documents' THEN EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${payouts.creatorId} AND (${documents.status} = 'approved' OR (${documents.status} = 'rejected' AND ${documents.decidedAt} <= ${now - PAPERS_AWAITED_MS})))
          WHEN 'moderation' THEN NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${payouts.creatorId} AND ${payoutHolds.endedAt} IS NULL)
          WHEN 'approval' THEN ${payouts.approvedCents} IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM ${withdrawalMethods} WHERE ${withdrawalMethods.creatorId} = ${payouts.creatorId} AND ${withdrawalMethods.pixKeyKind} = ${payouts.pixKeyKind} AND ${withdrawalMethods.pixKey} = ${payouts.pixKey})
            OR EXISTS (SELECT 1 FROM ${ledgerAccounts} WHERE ${ledgerAccounts.id} = 'creator_available:' || ${payouts.creatorId} AND -${ledgerAccounts.balanceCents} <= ${ctx.settings.payoutApprovalCents})
        END OR EXISTS (SELECT 1 FROM ${people} WHERE ${people.id} = ${payouts.creatorId} AND ${people.bannedAt} IS NOT NULL)
          OR EXISTS (SELECT 1 FROM ${documents} WHERE ${documents.personId} = ${payouts.creatorId} AND ${documents.status} = 'rejected' AND ${documents.rejectionCode} = 'underage'))`,
        hasTurn(ctx, payouts.id),
      ),
    )
    .orderBy(payouts.requestedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** A claimed payout that waits for the banks may have left before they closed, with an answer that was lost: it is asked about by the hour. */
const mayBeThere = (ctx: Context) => sql`(${payouts.status} = 'claimed' AND ${payouts.waitsFor} = 'business_day' AND ${payouts.askedAt} <= ${ctx.now() - HOUR_MS})`;

/** Payouts in `status` that nobody touched since `before` and that wait for nothing more, oldest first; those that wait for balance have their own turns (`turnsForBalance`). */
export async function payoutsIn(
  ctx: Context,
  { statuses, before, limit }: { statuses: PayoutStatus[]; before: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.status, statuses), lt(sql`COALESCE(${payouts.askedAt}, ${payouts.requestedAt})`, before), sql`(${payouts.waitsUntil} IS NULL OR (${payouts.waitsFor} <> 'balance' AND ${payouts.waitsUntil} <= ${ctx.now()}) OR ${mayBeThere(ctx)})`, hasTurn(ctx, payouts.id)))
    .orderBy(payouts.requestedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Payouts paid since `since`, which the bank may still send back. */
export async function payoutsPaidSince(ctx: Context, { since, limit }: { since: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.status, "paid"), gte(payouts.settledAt, since)))
    .orderBy(desc(payouts.settledAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
