import { and, count, eq, isNull, ne, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { caseRow, evidenceOfCase } from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import type { Evidence } from "#app/domain/moderation/reports/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { moderationAppeals, reportCases } from "#drizzle/schema/moderation.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const PURPOSE = "moderation appeal";

/** Builds the path where the author appeals. Only they get it; a banned person too, by e-mail. */
export async function appealPath(ctx: Context, { caseId }: { caseId: string }): Promise<string> {
  return `/appeal/${caseId}/${await ctx.signer.sign(PURPOSE, caseId)}`;
}

export type Appeal = typeof moderationAppeals.$inferSelect;

/** Reads the appeal of a case, or null. */
export async function appealOfCase(
  ctx: Context,
  { caseId }: { caseId: string },
): Promise<Appeal | null> {
  const [row] = await ctx.db
    .select()
    .from(moderationAppeals)
    .where(eq(moderationAppeals.caseId, caseId))
    .limit(1);
  return row ?? null;
}

export type AppealPage = { found: ReportCase; evidence: Evidence | null; appeal: Appeal | null };

/** Loads what the author sees at a signed address; null for a signature that is not ours. */
export async function appealPage(
  ctx: Context,
  { caseId, signature }: { caseId: string; signature: string },
): Promise<AppealPage | null> {
  if (!(await ctx.signer.isGenuine(PURPOSE, caseId, signature))) return null;
  const [found, evidence, appeal] = await Promise.all([
    caseRow(ctx, { caseId }),
    evidenceOfCase(ctx, { caseId }),
    appealOfCase(ctx, { caseId }),
  ]);
  return found && { found, evidence, appeal };
}

/**
 * Counts the moderators besides `moderatorId` who neither reported in the case nor wrote its
 * subject.
 */
export async function otherModeratorsCount(
  ctx: Context,
  { caseId, moderatorId }: { caseId: string; moderatorId: string },
): Promise<number> {
  const [row] = await ctx.db
    .select({ others: count() })
    .from(people)
    .where(
      and(
        eq(people.isModerator, true),
        isNull(people.deletedAt),
        isNull(people.bannedAt),
        sql`${people.id} <> ${moderatorId}`,
        sql`NOT EXISTS (SELECT 1 FROM reports r WHERE r.case_id = ${caseId} AND r.reporter_id = ${people.id})`,
        sql`${people.id} <> (SELECT c.author_id FROM report_cases c WHERE c.id = ${caseId})`,
      ),
    );
  return row?.others ?? 0;
}

/** Builds the statement that counts waiting appeals for a moderator's home, without their own. */
export function waitingAppealsCountStatement(
  ctx: Context,
  { moderatorId }: { moderatorId: string },
) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("appeals_count"),
      oldestAt: sql<Instant | null>`MIN(${moderationAppeals.createdAt})`.as("appeals_oldest_at"),
    })
    .from(moderationAppeals)
    .where(and(isNull(moderationAppeals.decidedAt), ne(moderationAppeals.authorId, moderatorId)));
}

export type WaitingAppeal = {
  caseId: string;
  createdAt: Instant;
  decision: ReportCase["decision"];
  authorName: string | null;
};

/** Lists appeals that wait, oldest first, without those of the moderator. */
export async function waitingAppeals(
  ctx: Context,
  { moderatorId, limit }: { moderatorId: string; limit: number },
): Promise<WaitingAppeal[]> {
  return await ctx.db
    .select({
      caseId: moderationAppeals.caseId,
      createdAt: moderationAppeals.createdAt,
      decision: reportCases.decision,
      authorName: profiles.name,
    })
    .from(moderationAppeals)
    .innerJoin(reportCases, eq(reportCases.id, moderationAppeals.caseId))
    .leftJoin(profiles, eq(profiles.personId, moderationAppeals.authorId))
    .where(and(isNull(moderationAppeals.decidedAt), ne(moderationAppeals.authorId, moderatorId)))
    .orderBy(moderationAppeals.createdAt, moderationAppeals.caseId)
    .limit(limit);
}
