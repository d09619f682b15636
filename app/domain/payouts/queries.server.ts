import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import {
  pendingPartCents,
  isPendingPart,
  RELEASABLE_STATUSES,
} from "#app/domain/payments/releases/queries.server.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { payoutLabel } from "./rules.ts";
import {
  arrivesAt,
  destinationLabel,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import type { HeldReason, Payout, PayoutStatus, PayoutWaitReason } from "./schema.ts";
import type { DestinationKind } from "./schema/destinations.ts";

const RELEASES_SHOWN = 20;

export type CreatorBalances = {
  availableCents: Cents;
  pendingCents: Cents;
  reservedCents: Cents;
  inTransitCents: Cents;
  owedCents: Cents;
  /** The pending parts that become available soonest. */
  releases: { releaseAt: Instant; netCents: Cents }[];
  /**
   * When the last pending part becomes available. Null where `releases` is not complete: there are
   * more parts, or some without a date.
   */
  lastReleaseAt: Instant | null;
};

/**
 * Statements of `creatorBalances`, for a page that reads more in the same round trip. `toBalances`
 * builds its result.
 */
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
        netCents: sql<Cents>`${pendingPartCents}`,
      })
      .from(chargeReleases)
      .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
      .where(
        and(
          isPendingPart,
          eq(chargeReleases.creatorId, creatorId),
          lt(chargeReleases.releaseAt, UNSCHEDULED_RELEASE_AT),
          inArray(charges.status, RELEASABLE_STATUSES),
        ),
      )
      .orderBy(asc(chargeReleases.releaseAt))
      .limit(RELEASES_SHOWN),
  ] as const;
}

type StatementRows<Statements extends readonly unknown[]> = {
  [Index in keyof Statements]: Awaited<Statements[Index]>;
};
type BalancesRows = StatementRows<ReturnType<typeof balancesStatements>>;

export function toBalances([rows, transit, releases]: BalancesRows): CreatorBalances {
  return {
    availableCents: balanceOfKind(rows, "creator_available"),
    pendingCents: balanceOfKind(rows, "creator_pending"),
    reservedCents: balanceOfKind(rows, "creator_reserved"),
    owedCents: balanceOfKind(rows, "creator_owed"),
    inTransitCents: transit[0]?.cents ?? 0,
    releases,
    lastReleaseAt:
      releases.reduce((sum, { netCents }) => sum + netCents, 0) ===
      balanceOfKind(rows, "creator_pending")
        ? (releases.at(-1)?.releaseAt ?? null)
        : null,
  };
}

/** Loads the balances of one creator (centavos), in one round trip. */
export async function creatorBalances(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<CreatorBalances> {
  return toBalances(await ctx.db.batch(balancesStatements(ctx, { creatorId })));
}

export type PayoutView = {
  id: string;
  status: PayoutStatus;
  label: string;
  amountCents: Cents;
  /** The destination as shown, masked. */
  to: string;
  isToAccount: boolean;
  requestedAt: Instant;
  /** The day on which it reaches a bank account; null for a Pix key, and once that day is over. */
  arrivesAt: Instant | null;
  settledAt: Instant | null;
  failureCode: string | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  waitsFor: PayoutWaitReason | null;
  waitsUntil: Instant | null;
  /** The team member who requested it; null when the creator or the schedule did. */
  requestedByName: string | null;
};

/**
 * Lists the payouts of one creator, newest first. An amount of zero is not fixed yet: it will be
 * everything available.
 */
export async function payoutHistory(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<Page<PayoutView>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({ payout: payouts, requestedByName: profiles.name })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.personId, payouts.actedBy))
    .where(
      and(
        eq(payouts.creatorId, creatorId),
        after
          ? sql`(${payouts.requestedAt}, ${payouts.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  const views = rows
    .map(({ payout, requestedByName }) => ({ ...toPayout(payout), requestedByName }))
    .map((row) => ({
      id: row.id,
      status: row.status,
      label: payoutLabel(row.status),
      amountCents: row.amountCents,
      to: destinationLabel(row.pixKeyKind, row.pixKey),
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

/**
 * Types a row of `payouts`. The casts are safe: only `sellerDetailsSchema` and the trigger
 * `payouts_update` decide what is stored.
 */
export const toPayout = (row: typeof payouts.$inferSelect): Payout => ({
  ...row,
  status: row.status as PayoutStatus,
  pixKeyKind: row.pixKeyKind as DestinationKind,
});

/** Loads the whole row of a payout, for commands. */
export async function payoutRow(
  ctx: Context,
  { payoutId }: { payoutId: string },
): Promise<Payout | null> {
  const [row] = await ctx.db.select().from(payouts).where(eq(payouts.id, payoutId)).limit(1);
  return row ? toPayout(row) : null;
}

/** Loads the whole rows of several payouts, by their ids. */
export async function payoutRows(
  ctx: Context,
  { payoutIds }: { payoutIds: readonly string[] },
): Promise<ReadonlyMap<string, Payout>> {
  const rows = await ctx.db
    .select()
    .from(payouts)
    .where(inArray(payouts.id, [...payoutIds]));
  return new Map(rows.map((row) => [row.id, toPayout(row)]));
}
