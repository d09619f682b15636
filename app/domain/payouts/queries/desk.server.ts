import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { payoutActs, payoutHolds, payouts } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { asPayout } from "#app/domain/payouts/queries.server.ts";
import type { DeskView } from "#app/domain/payouts/rules/desk.ts";
import { DESK_VIEWS } from "#app/domain/payouts/rules/desk.ts";
import type { Payout, PayoutStatus } from "#app/domain/payouts/schema.ts";

export type DeskRow = {
  payout: Payout;
  name: string | null;
  username: string | null;
  /** What would leave now; what left is the payout's own amount. */
  availableCents: Cents;
};

const AVAILABLE = sql<Cents>`COALESCE(-${ledgerAccounts.balanceCents}, 0)`;

/** The payouts of everybody in one view of the desk, newest first. */
export async function deskPayouts(ctx: Context, { view, cursor, limit }: { view: DeskView; cursor: string | null; limit: number }): Promise<Page<DeskRow>> {
  const after = decodeCursor(cursor);
  const { statuses, reason, waitsFor } = DESK_VIEWS[view];
  const rows = await ctx.db
    .select({ payout: payouts, name: profiles.name, username: profiles.username, availableCents: AVAILABLE })
    .from(payouts)
    .leftJoin(profiles, eq(profiles.personId, payouts.creatorId))
    .leftJoin(ledgerAccounts, eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`))
    .where(
      and(
        inArray(payouts.status, [...statuses]),
        reason === null ? undefined : eq(payouts.heldReason, reason),
        waitsFor === undefined ? undefined : inArray(payouts.waitsFor, [...waitsFor]),
        after ? sql`(${payouts.requestedAt}, ${payouts.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  return pageOf(
    rows.map((row) => ({ ...row, payout: asPayout(row.payout) })),
    limit,
    ({ payout }) => ({ at: payout.requestedAt, id: payout.id }),
  );
}

/** How many payouts wait for a moderator. */
export async function payoutsToApprove(ctx: Context): Promise<number> {
  return await ctx.db.$count(payouts, and(eq(payouts.status, "held" satisfies PayoutStatus), eq(payouts.heldReason, "approval"), isNull(payouts.approvedCents)));
}

/** For a batch: those of the team of whom a payout is of who see its money. */
function colleagues(ctx: Context, { payoutId }: { payoutId: string }) {
  return ctx.db
    .select({ personId: organizationMembers.personId })
    .from(payouts)
    .innerJoin(organizations, and(eq(organizations.ownerId, payouts.creatorId), isNull(organizations.deletedAt)))
    .innerJoin(organizationMembers, and(eq(organizationMembers.organizationId, organizations.id), eq(organizationMembers.mayManageBilling, true), isNull(organizationMembers.removedAt)))
    .where(eq(payouts.id, payoutId))
    .limit(MEMBERS_AT_MOST);
}

/** A team has fifty members and its owner. */
const MEMBERS_AT_MOST = 100;

/** Whether a moderator works in the team of whom a payout is of, and sees its money. */
export const isOfTheirTeam = async (ctx: Context, { payoutId, moderatorId }: { payoutId: string; moderatorId: string }): Promise<boolean> => (await colleagues(ctx, { payoutId })).some(({ personId }) => personId === moderatorId);

/** How many payouts wait for a moderator's consent, and how many for money or for our account at their provider. */
export async function deskCounts(ctx: Context): Promise<{ approval: number; short: number }> {
  const [row] = await ctx.db
    .select({
      approval: sql<number>`(SELECT COUNT(*) FROM ${payouts} WHERE status = 'held' AND held_reason = 'approval' AND approved_cents IS NULL)`,
      short: sql<number>`(SELECT COUNT(*) FROM ${payouts} WHERE waits_for IN ('balance', 'provider'))`,
    })
    .from(sql`(SELECT 1)`);
  return row ?? { approval: 0, short: 0 };
}

/** Whether a moderator asked for this payout, at the desk. */
export async function askedAgainBy(ctx: Context, { payoutId, moderatorId }: { payoutId: string; moderatorId: string }): Promise<boolean> {
  return (await ctx.db.$count(payoutActs, and(eq(payoutActs.payoutId, payoutId), eq(payoutActs.moderatorId, moderatorId), eq(payoutActs.act, "retry")))) > 0;
}

export type DeskAct = { act: (typeof payoutActs.$inferSelect)["act"]; note: string; createdAt: number; moderatorId: string; moderatorName: string | null };
export type DeskPayout = DeskRow & { hold: { reason: string; heldAt: number } | null; acts: DeskAct[]; /** Who of the team of whom it is sees its money. */ teamIds: string[] };

const ACTS_SHOWN = 50;

/** One payout with what moderators did to it, or null. */
export async function deskPayout(ctx: Context, { payoutId }: { payoutId: string }): Promise<DeskPayout | null> {
  const [[row], [hold], acts, team] = await ctx.db.batch([
    ctx.db
      .select({ payout: payouts, name: profiles.name, username: profiles.username, availableCents: AVAILABLE })
      .from(payouts)
      .leftJoin(profiles, eq(profiles.personId, payouts.creatorId))
      .leftJoin(ledgerAccounts, eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`))
      .where(eq(payouts.id, payoutId))
      .limit(1),
    ctx.db
      .select({ reason: payoutHolds.reason, heldAt: payoutHolds.heldAt })
      .from(payoutHolds)
      .innerJoin(payouts, eq(payouts.creatorId, payoutHolds.creatorId))
      .where(and(eq(payouts.id, payoutId), isNull(payoutHolds.endedAt)))
      .limit(1),
    ctx.db
      .select({ act: payoutActs.act, note: payoutActs.note, createdAt: payoutActs.createdAt, moderatorId: payoutActs.moderatorId, moderatorName: profiles.name })
      .from(payoutActs)
      .leftJoin(profiles, eq(profiles.personId, payoutActs.moderatorId))
      .where(eq(payoutActs.payoutId, payoutId))
      .orderBy(desc(payoutActs.createdAt), desc(payoutActs.id))
      .limit(ACTS_SHOWN),
    colleagues(ctx, { payoutId }),
  ]);
  return row ? { ...row, payout: asPayout(row.payout), hold: hold ?? null, acts, teamIds: team.map(({ personId }) => personId) } : null;
}
