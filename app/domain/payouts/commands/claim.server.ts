import { and, eq, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutClaimed } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { payoutHolds, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { payoutRow, payoutStanding } from "#app/domain/payouts/queries.server.ts";
import type { PayoutStanding } from "#app/domain/payouts/queries.server.ts";
import { claimedCents, holdOf } from "#app/domain/payouts/rules/holds.ts";
import type { HeldReason, Payout } from "#app/domain/payouts/schema.ts";

/** `staffIds`: who is told of one that waits for a moderator's consent, asked for only then. */
type Claim = { payoutId: string; staffIds?: () => Promise<string[]> };

/**
 * Takes what is available out of the creator's balance and into transit, before any provider hears of it, for the key that is theirs now. Does nothing to
 * a payout that is neither requested nor held, nor while the books are broken. What may not leave is held with its reason, told once, and looked at again
 * by the cron; a payout that has nothing left to pay, or whose creator was banned meanwhile, is canceled.
 *
 * Invariant: a payout is claimed only while its creator's documents are approved, no moderator holds their payouts, no change of key waits, and its
 * amount is within the limit or was approved by somebody who neither gets nor asked for it. Source: domain rules, "Payouts"; decision 0204.
 */
export async function claimPayout(ctx: Context, { payoutId, staffIds = async () => [] }: Claim): Promise<void> {
  let told: string[] = [];
  await rereading(async () => {
    told = [];
    const payout = await payoutRow(ctx, { payoutId });
    if (!payout || (payout.status !== "requested" && payout.status !== "held")) return;
    const standing = await payoutStanding(ctx, { creatorId: payout.creatorId });
    if (standing.isHeldByBooks) {
      ctx.log("payouts.held_by_books", { payoutId });
      return;
    }
    const now = ctx.now();
    const { availableCents, isBanned, method } = standing;
    if (isBanned || availableCents <= 0 || !method) {
      const failureCode = isBanned ? "account_suspended" : "nothing_available";
      await commit(ctx.db, [exactlyOne(ctx.db.update(payouts).set({ status: "canceled", failureCode, settledAt: now }).where(asRead(payout)))]);
      return;
    }
    const hold = holdOf({ ...standing, methodHoldUntil: method.holdUntil, approvedCents: payout.approvedCents, approvalLimitCents: ctx.settings.payoutApprovalCents, now });
    if (hold) {
      if (payout.status === "held" && payout.heldReason === hold.reason && payout.heldUntil === hold.until) return;
      const news = await heldNews(ctx, { payout, hold, standing, staffIds });
      await commit(ctx.db, [exactlyOne(ctx.db.update(payouts).set({ status: "held", heldReason: hold.reason, heldUntil: hold.until }).where(asRead(payout))), ...news.map(({ write }) => write)]);
      told = news.map(({ id }) => id);
      return;
    }
    const amountCents = claimedCents({ availableCents, approvedCents: payout.approvedCents });
    const { pixKeyKind, pixKey } = method;
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(payouts)
          .set({ status: "claimed", heldReason: null, heldUntil: null, amountCents, pixKeyKind, pixKey, claimedAt: now, askedAt: now })
          .where(and(asRead(payout), mayLeave(payout, method.updatedAt))),
      ),
      ...postingStatements(ctx, payoutClaimed({ ...payout, payoutId, amountCents })),
    ]);
  });
  for (const id of told) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id });
}

/** The row as it was decided on: whoever moved it meanwhile makes the decision be taken again. */
const asRead = (payout: Payout) => and(eq(payouts.id, payout.id), eq(payouts.status, payout.status), sql`${payouts.heldReason} IS ${payout.heldReason}`, sql`${payouts.approvedCents} IS ${payout.approvedCents}`);

/** What could change between the reading and the commit, looked at in the commit. */
const mayLeave = ({ creatorId }: Payout, methodAt: number) => sql`EXISTS (SELECT 1 FROM ${withdrawalMethods} WHERE ${withdrawalMethods.creatorId} = ${creatorId} AND ${withdrawalMethods.updatedAt} = ${methodAt})
  AND NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${creatorId} AND ${payoutHolds.endedAt} IS NULL)`;

type Held = Required<Pick<Claim, "staffIds">> & { payout: Payout; hold: { reason: HeldReason; until: Instant | null }; standing: PayoutStanding };

async function heldNews(ctx: Context, { payout: { id: payoutId, creatorId }, hold: { reason, until }, standing, staffIds }: Held): Promise<{ id: string; write: Write }[]> {
  const key = `payout:${payoutId}:held:${ctx.newId()}`;
  const toCreator = { id: key, write: announce(ctx, key, { type: "payout.held", payoutId, creatorId, reason, until, words: reason === "moderation" ? standing.heldWords : null }) };
  if (reason !== "approval") return [toCreator];
  const moderatorIds = (await staffIds()).filter((id) => id !== creatorId);
  if (moderatorIds.length === 0) return [toCreator];
  return [toCreator, { id: `${key}:staff`, write: announce(ctx, `${key}:staff`, { type: "payout.approval_asked", payoutId, moderatorIds, amountCents: standing.availableCents }) }];
}
