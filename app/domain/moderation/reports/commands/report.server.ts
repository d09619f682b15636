import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CannotReportOwn,
  SubjectNotFound,
  TooManyReports,
} from "#app/domain/moderation/reports/errors.ts";
import { openReportId } from "#app/domain/moderation/reports/queries.server.ts";
import { subjectForReporter } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import { isUrgentReason, REPORT_LIMITS } from "#app/domain/moderation/reports/rules.ts";
import type {
  Evidence,
  ReportReason,
  ReportSubject,
} from "#app/domain/moderation/reports/schema.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { reportCases, reportMedia, reports } from "#drizzle/schema/moderation.ts";

export type NewReport = {
  reporterId: string;
  subject: ReportSubject;
  reason: ReportReason;
  details: string;
};

/**
 * Reports a subject that the person can see, with a copy of it as it is now. All open reports of a
 * subject are one case; they hide nothing. A second report of the same person adds nothing while
 * the first is open. Returns the id of the report and whether it is new. Refuses SubjectNotFound,
 * CannotReportOwn and TooManyReports (30 a day).
 */
export async function reportSubject(
  ctx: Context,
  report: NewReport,
): Promise<{ reportId: string; isNew: boolean }> {
  const { reporterId, subject } = report;
  const now = await subjectForReporter(ctx, { subject, viewerId: reporterId });
  if (!now) throw new SubjectNotFound();
  if (now.authorId === reporterId) throw new CannotReportOwn();
  const earlier = await openReportId(ctx, { reporterId, subject });
  if (earlier !== null) return { reportId: earlier, isNew: false };
  const reportId = ctx.newId();
  const counted = { act: "report", personId: reporterId, limits: REPORT_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ...reportStatements(ctx, {
        ...report,
        reportId,
        authorId: now.authorId,
        evidence: now.evidence,
      }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TooManyReports(await rateLimitResetAt(ctx, counted));
    // The same person reported it in another request meanwhile.
    const other =
      error instanceof UniqueViolation ? await openReportId(ctx, { reporterId, subject }) : null;
    if (other === null) throw error;
    return { reportId: other, isNew: false };
  }
  ctx.log("moderation.reported", { reportId, kind: subject.kind, reason: report.reason });
  return { reportId, isNew: true };
}

/** Opens the case of the subject, or joins the open one, and inserts the report with its files. */
function reportStatements(
  ctx: Context,
  {
    reportId,
    reporterId,
    subject,
    reason,
    details,
    authorId,
    evidence,
  }: NewReport & { reportId: string; authorId: string; evidence: Evidence },
) {
  const now = ctx.now();
  const isUrgent = isUrgentReason(reason);
  const openCase = sql<string>`(SELECT open_case.id FROM report_cases open_case WHERE open_case.subject_kind = ${subject.kind} AND open_case.subject_id = ${subject.id} AND open_case.decided_at IS NULL)`;
  // A flood of reports stores one copy of unchanged content.
  const copy = JSON.stringify(evidence);
  const latestCopy = sql`(SELECT earlier.evidence FROM reports earlier WHERE earlier.case_id = ${openCase} AND earlier.evidence <> '' ORDER BY earlier.created_at DESC, earlier.id DESC LIMIT 1)`;
  const files = ("files" in evidence && evidence.files) || [];
  return [
    ctx.db
      .insert(reportCases)
      .values({
        id: ctx.newId(),
        subjectKind: subject.kind,
        subjectId: subject.id,
        authorId,
        reportsCount: 1,
        isUrgent,
        openedAt: now,
      })
      .onConflictDoUpdate({
        target: [reportCases.subjectKind, reportCases.subjectId],
        targetWhere: sql`decided_at IS NULL`,
        set: {
          reportsCount: sql`${reportCases.reportsCount} + 1`,
          // Refuses a decision by a moderator who has not seen that the case became urgent.
          ...(isUrgent
            ? {
                isUrgent: true,
                version: sql`iif(${reportCases.isUrgent}, ${reportCases.version}, ${reportCases.version} + 1)`,
              }
            : {}),
        },
      }),
    ctx.db.insert(reports).values({
      id: reportId,
      caseId: openCase,
      reporterId,
      reason,
      details,
      evidence: sql`iif(${copy} IS ${latestCopy}, '', ${copy})`,
      createdAt: now,
    }),
    ...files.map(({ id: mediaId }) =>
      ctx.db.insert(reportMedia).values({ caseId: openCase, mediaId }).onConflictDoNothing(),
    ),
  ];
}
