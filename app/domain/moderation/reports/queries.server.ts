import { and, desc, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { CaseDecision, Evidence, ReportReason, ReportSubject, SubjectKind } from "./schema.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { reportCases, reports } from "#drizzle/schema/moderation.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const author = alias(profiles, "author");

export type ReportCase = Omit<
  typeof reportCases.$inferSelect,
  "subjectKind" | "rule" | "decision"
> & {
  subjectKind: SubjectKind;
  rule: ReportReason | null;
  decision: CaseDecision | null;
};

/** Maps a row. The columns hold only what the commands wrote. */
export const toCase = (row: typeof reportCases.$inferSelect): ReportCase => ({
  ...row,
  subjectKind: row.subjectKind as SubjectKind,
  rule: row.rule as ReportReason | null,
});

/** Parses a stored copy; null once it was erased. */
export const parseEvidence = (stored: string): Evidence | null =>
  stored === "" ? null : JSON.parse(stored);

/** Returns the person's report in the open case of a subject, or null. */
export async function openReportId(
  ctx: Context,
  { reporterId, subject }: { reporterId: string; subject: ReportSubject },
): Promise<string | null> {
  const [row] = await ctx.db
    .select({ id: reports.id })
    .from(reports)
    .innerJoin(reportCases, eq(reportCases.id, reports.caseId))
    .where(
      and(
        eq(reports.reporterId, reporterId),
        eq(reportCases.subjectKind, subject.kind),
        eq(reportCases.subjectId, subject.id),
        isNull(reportCases.decidedAt),
      ),
    )
    .limit(1);
  return row?.id ?? null;
}

export type OwnReport = {
  id: string;
  subjectKind: SubjectKind;
  reason: ReportReason;
  details: string;
  evidence: Evidence | null;
  createdAt: Instant;
  decision: CaseDecision | null;
  isReversed: boolean;
  author: { name: string; username: string } | null;
};

/** The copy of a report, or the last one before it: unchanged content is copied once. */
const evidenceOfReport =
  sql<string>`coalesce((SELECT copy.evidence FROM reports copy WHERE copy.case_id = reports.case_id AND copy.evidence <> '' AND (copy.created_at, copy.id) <= (reports.created_at, reports.id) ORDER BY copy.created_at DESC, copy.id DESC LIMIT 1), '')`.as(
    "evidence_of_report",
  );

function ownReports(ctx: Context) {
  return ctx.db
    .select({
      id: reports.id,
      reason: reports.reason,
      details: reports.details,
      evidence: evidenceOfReport,
      createdAt: reports.createdAt,
      subjectKind: reportCases.subjectKind,
      decision: reportCases.decision,
      reversedAt: reportCases.reversedAt,
      authorName: author.name,
      authorUsername: author.username,
    })
    .from(reports)
    .innerJoin(reportCases, eq(reportCases.id, reports.caseId))
    .leftJoin(author, eq(author.personId, reportCases.authorId));
}

function toOwnReport(row: Awaited<ReturnType<typeof ownReports>>[number]): OwnReport {
  const { authorName, authorUsername, reversedAt, ...report } = row;
  return {
    ...report,
    subjectKind: row.subjectKind as SubjectKind,
    reason: row.reason as ReportReason,
    evidence: parseEvidence(row.evidence),
    isReversed: reversedAt !== null,
    author:
      authorName === null || authorUsername === null
        ? null
        : { name: authorName, username: authorUsername },
  };
}

/** Reads the person's own reports, newest first. */
export async function reportsOfPerson(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<Page<OwnReport>> {
  const after = decodeCursor(cursor);
  const rows = await ownReports(ctx)
    .where(
      and(
        eq(reports.reporterId, personId),
        after ? sql`(${reports.createdAt}, ${reports.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit + 1);
  return pageOf(rows.map(toOwnReport), limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** Reads one report for its reporter, or null. */
export async function reportOfPerson(
  ctx: Context,
  { reportId, personId }: { reportId: string; personId: string },
): Promise<OwnReport | null> {
  const [row] = await ownReports(ctx)
    .where(and(eq(reports.id, reportId), eq(reports.reporterId, personId)))
    .limit(1);
  return row ? toOwnReport(row) : null;
}

/** Reads a case's row, or null. */
export async function caseRow(
  ctx: Context,
  { caseId }: { caseId: string },
): Promise<ReportCase | null> {
  const [row] = await ctx.db.select().from(reportCases).where(eq(reportCases.id, caseId)).limit(1);
  return row ? toCase(row) : null;
}

/** Reads a case's row for a moderator. Null for its author: they never learn who reported them. */
export async function caseRowForModerator(
  ctx: Context,
  { caseId, moderatorId }: { caseId: string; moderatorId: string },
): Promise<ReportCase | null> {
  const found = await caseRow(ctx, { caseId });
  return found?.authorId === moderatorId ? null : found;
}

/** Returns whether the person reported in this case. */
export async function isReporterOfCase(
  ctx: Context,
  { caseId, personId }: { caseId: string; personId: string },
): Promise<boolean> {
  return (
    (await ctx.db.$count(
      reports,
      and(eq(reports.caseId, caseId), eq(reports.reporterId, personId)),
    )) > 0
  );
}

/** Returns the first copy of the subject in a case; null once it was erased. */
export async function evidenceOfCase(
  ctx: Context,
  { caseId }: { caseId: string },
): Promise<Evidence | null> {
  const [row] = await ctx.db
    .select({ evidence: reports.evidence })
    .from(reports)
    .where(eq(reports.caseId, caseId))
    .orderBy(reports.createdAt, reports.id)
    .limit(1);
  return row ? parseEvidence(row.evidence) : null;
}

/**
 * Condition on a row of `report_cases`: a ban of the same person, decided after its suspension and
 * not reversed, took the suspension over. The suspension keeps its end meanwhile.
 */
export const isTakenOverByBan = sql`EXISTS (SELECT 1 FROM report_cases ban WHERE ban.author_id = report_cases.author_id AND ban.id <> report_cases.id AND ban.decision = 'ban' AND ban.reversed_at IS NULL AND ban.ban_lifted_at IS NULL AND ban.decided_at >= report_cases.decided_at)`;

/** Condition: another decision than `found`, which was or is being reversed, bans its author. */
export const isBannedByOtherCase = (found: ReportCase, now: Instant): SQL =>
  sql`EXISTS (SELECT 1 FROM report_cases other WHERE other.author_id = ${found.authorId} AND other.id <> ${found.id} AND other.reversed_at IS NULL AND (other.suspended_until > ${now} OR (other.decision = 'ban' AND other.ban_lifted_at IS NULL AND other.decided_at >= ${found.decidedAt})))`;

/** Whether a suspension keeps the person out, and no ban took it over. */
export async function hasSuspension(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  const suspended = and(
    eq(reportCases.authorId, personId),
    isNotNull(reportCases.suspendedUntil),
    not(isTakenOverByBan),
  );
  return (await ctx.db.$count(reportCases, suspended)) > 0;
}

export type SuspensionState = "running" | "ended" | "taken_over_by_ban";

/** Returns what became of the suspension that a case decided. */
export async function suspensionState(
  ctx: Context,
  { id, suspendedUntil }: Pick<ReportCase, "id" | "suspendedUntil">,
): Promise<SuspensionState> {
  if (suspendedUntil === null) return "ended";
  const takenOver = and(eq(reportCases.id, id), isTakenOverByBan);
  return (await ctx.db.$count(reportCases, takenOver)) > 0 ? "taken_over_by_ban" : "running";
}
