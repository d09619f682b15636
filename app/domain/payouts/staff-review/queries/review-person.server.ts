import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { documentsStatement } from "#app/domain/documents/queries.server.ts";
import { teamMembersWithMoneyAccess } from "#app/domain/identity/colleagues/queries.server.ts";
import { payoutBlockingChecksStatement } from "#app/domain/audit/queries/checks.server.ts";
import { payoutHolds, payouts } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const FAILURES_SHOWN = 5;
const HOLDS_SHOWN = 5;

const enders = alias(profiles, "enders");

/**
 * Loads what only staff see of why a person's money waits; null for nobody.
 *
 * It has the open and ended holds, the broken or unchecked invariants, the documents and the
 * provider's answers. It also has the failures of an open payout, and the team members who see the
 * person's money.
 */
export async function payeeReview(ctx: Context, { personId }: { personId: string }) {
  const [[profile], holds, broken, [documentRow], failed, [late], team] = await ctx.db.batch([
    ctx.db
      .select({ name: profiles.name, username: profiles.username })
      .from(profiles)
      .where(eq(profiles.personId, personId))
      .limit(1),
    ctx.db
      .select({
        heldAt: payoutHolds.heldAt,
        reason: payoutHolds.reason,
        moderatorName: profiles.name,
        endedAt: payoutHolds.endedAt,
        endedByName: enders.name,
      })
      .from(payoutHolds)
      .leftJoin(profiles, eq(profiles.personId, payoutHolds.heldBy))
      .leftJoin(enders, eq(enders.personId, payoutHolds.endedBy))
      .where(eq(payoutHolds.creatorId, personId))
      .orderBy(desc(payoutHolds.heldAt))
      .limit(HOLDS_SHOWN),
    payoutBlockingChecksStatement(ctx),
    documentsStatement(ctx, { personId }),
    ctx.db
      .select({
        id: payouts.id,
        failureCode: payouts.failureCode,
        requestedAt: payouts.requestedAt,
        provider: payouts.provider,
      })
      .from(payouts)
      .where(and(eq(payouts.creatorId, personId), isNotNull(payouts.failureCode)))
      .orderBy(desc(payouts.requestedAt), desc(payouts.id))
      .limit(FAILURES_SHOWN),
    ctx.db
      .select({
        failures: sql<number>`late.failures`,
        nextAttemptAt: sql<number>`late.next_attempt_at`,
      })
      .from(sql`setbacks late`)
      .where(
        sql`late.subject_id IN (SELECT p.id FROM payouts p WHERE p.creator_id = ${personId} AND p.status IN ('requested', 'held', 'claimed', 'sent'))`,
      )
      .limit(1),
    teamMembersWithMoneyAccess(ctx, { creatorId: personId }),
  ]);
  if (!profile) return null;
  const hold = holds.find(({ endedAt }) => endedAt === null) ?? null;
  return {
    ...profile,
    hold,
    endedHolds: holds.filter((one) => one !== hold),
    teamIds: team.map((one) => one.personId),
    brokenChecks: broken.map(({ name }) => name),
    documents: documentRow
      ? { status: documentRow.status, rejectionReason: documentRow.rejectionReason }
      : null,
    failed,
    retryBackoff: late ?? null,
  };
}
