import { and, asc, eq, isNotNull, isNull, lte, not, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { endBanStatement } from "#app/domain/identity/account-status/commands/bans.server.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { isTakenOverByBan } from "#app/domain/moderation/reports/queries.server.ts";
import { retainedSince } from "#app/domain/moderation/reports/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import {
  moderationAppeals,
  reportCases,
  reportMedia,
  reports,
} from "#drizzle/schema/moderation.ts";
import { actionStatement } from "./claims.server.ts";

const CASES_AT_ONCE = 50;

/** Reads the cases whose suspension is over at `now`, and that no ban took over. */
export async function dueSuspensions(ctx: Context, now: number): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: reportCases.id })
    .from(reportCases)
    .where(
      and(
        isNotNull(reportCases.suspendedUntil),
        lte(reportCases.suspendedUntil, now),
        not(isTakenOverByBan),
      ),
    )
    .orderBy(asc(reportCases.suspendedUntil))
    .limit(CASES_AT_ONCE);
  return rows.map(({ id }) => id);
}

/** Ends the suspension of a case when its days are over, and notifies the person. Safe to repeat. */
export async function endSuspension(ctx: Context, { caseId }: { caseId: string }): Promise<void> {
  const [found] = await ctx.db.select().from(reportCases).where(eq(reportCases.id, caseId));
  if (!found) return;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(reportCases)
          .set({ suspendedUntil: null })
          .where(
            and(
              eq(reportCases.id, caseId),
              lte(reportCases.suspendedUntil, ctx.now()),
              not(isTakenOverByBan),
            ),
          ),
      ),
      endBanStatement(ctx, { personId: found.authorId }),
      actionStatement(ctx, found, { moderatorId: "", act: "unban", reason: "" }),
      announce<ModerationMessage>(ctx, `case:${caseId}:suspension-ended`, {
        type: "person.unbanned",
        personId: found.authorId,
      }),
    ]);
  } catch (error) {
    // Another run ended it, or an appeal or a ban did.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** Reads the cases decided six months ago or more, with their appeal, whose texts remain. */
export async function dueErasures(ctx: Context, now: number): Promise<string[]> {
  const before = retainedSince(now);
  const rows = await ctx.db
    .select({ id: reportCases.id })
    .from(reportCases)
    .leftJoin(moderationAppeals, eq(moderationAppeals.caseId, reportCases.id))
    .where(
      and(
        isNotNull(reportCases.decidedAt),
        isNull(reportCases.erasedAt),
        lte(reportCases.decidedAt, before),
        sql`(${moderationAppeals.caseId} IS NULL OR ${moderationAppeals.decidedAt} <= ${before})`,
      ),
    )
    .orderBy(asc(reportCases.decidedAt))
    .limit(CASES_AT_ONCE);
  return rows.map(({ id }) => id);
}

/**
 * Erases evidence, words and files of a case. The decision and the log of moderation stay. Files
 * that nothing else shows go with the sweeper. Safe to repeat.
 */
export async function eraseCase(ctx: Context, { caseId }: { caseId: string }): Promise<void> {
  await commit(ctx.db, [
    ctx.db.update(reports).set({ evidence: "", details: "" }).where(eq(reports.caseId, caseId)),
    ctx.db.delete(reportMedia).where(eq(reportMedia.caseId, caseId)),
    ctx.db.update(moderationAppeals).set({ words: "" }).where(eq(moderationAppeals.caseId, caseId)),
    ctx.db.update(reportCases).set({ erasedAt: ctx.now() }).where(eq(reportCases.id, caseId)),
  ]);
}

/**
 * Builds the statements of an account deletion: the person's reports lose their name and words, and
 * their appeals their words. Evidence stays for its six months, also of their own content.
 */
export function eraseReportsStatements(
  ctx: Context,
  { personId }: { personId: string },
): DbStatement[] {
  return [
    ctx.db
      .update(reports)
      .set({ reporterId: null, details: "" })
      .where(eq(reports.reporterId, personId)),
    ctx.db
      .delete(moderationAppeals)
      .where(and(eq(moderationAppeals.authorId, personId), isNull(moderationAppeals.decidedAt))),
    ctx.db
      .update(moderationAppeals)
      .set({ words: "" })
      .where(eq(moderationAppeals.authorId, personId)),
  ];
}
