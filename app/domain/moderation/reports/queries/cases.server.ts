import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { parseEvidence, toCase } from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import { isUrgentReason } from "#app/domain/moderation/reports/rules.ts";
import { reportReasons } from "#app/domain/moderation/reports/schema.ts";
import type { Evidence, ReportReason } from "#app/domain/moderation/reports/schema.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { moderationActions, reportCases, reports } from "#drizzle/schema/moderation.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const author = alias(profiles, "author");
const claimer = alias(profiles, "claimer");
const actor = alias(profiles, "actor");

export type CaseListItem = ReportCase & {
  authorName: string | null;
  authorUsername: string | null;
  claimedByName: string | null;
  reasons: ReportReason[];
  evidence: Evidence | null;
};

const reasonsOfCase = sql<
  ReportReason[]
>`(SELECT json_group_array(reason) FROM (SELECT DISTINCT r.reason FROM reports r WHERE r.case_id = report_cases.id LIMIT 9))`
  .mapWith((text: string): ReportReason[] => JSON.parse(text))
  .as("reasons");
const firstEvidence =
  sql<Evidence | null>`(SELECT r.evidence FROM reports r WHERE r.case_id = report_cases.id ORDER BY r.created_at, r.id LIMIT 1)`
    .mapWith((text: string | null): Evidence | null => (text === null ? null : parseEvidence(text)))
    .as("first_evidence");

/**
 * Lists open cases, urgent ones first, then the oldest; or decided ones, newest first. Without
 * those about the moderator.
 */
export async function reportCasesPage(
  ctx: Context,
  {
    moderatorId,
    state,
    cursor,
    limit,
  }: { moderatorId: string; state: "open" | "decided"; cursor: string | null; limit: number },
): Promise<Page<CaseListItem>> {
  const isOpen = state === "open";
  // The cursor of the open list carries the urgency in front of the time: urgent ones are negative.
  const rank = sql<number>`iif(${reportCases.isUrgent}, ${reportCases.openedAt} - 10000000000000, ${reportCases.openedAt})`;
  const after = decodeQueueCursor(cursor);
  const rows = await ctx.db
    .select({
      row: reportCases,
      rank: rank.as("queue_rank"),
      authorName: author.name,
      authorUsername: author.username,
      claimedByName: claimer.name,
      reasons: reasonsOfCase,
      evidence: firstEvidence,
    })
    .from(reportCases)
    .leftJoin(author, eq(author.personId, reportCases.authorId))
    .leftJoin(claimer, eq(claimer.personId, reportCases.claimedBy))
    .where(
      and(
        ne(reportCases.authorId, moderatorId),
        isOpen ? isNull(reportCases.decidedAt) : isNotNull(reportCases.decidedAt),
        after === null
          ? undefined
          : isOpen
            ? sql`(${rank}, ${reportCases.id}) > (${after.at}, ${after.id})`
            : sql`(${reportCases.decidedAt}, ${reportCases.id}) < (${after.at}, ${after.id})`,
      ),
    )
    .orderBy(
      ...(isOpen
        ? [desc(reportCases.isUrgent), reportCases.openedAt, reportCases.id]
        : [desc(reportCases.decidedAt), desc(reportCases.id)]),
    )
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ row, authorName, authorUsername, claimedByName, reasons, evidence }) => ({
      ...toCase(row),
      authorName,
      authorUsername,
      claimedByName,
      reasons,
      evidence,
    })),
    next:
      rows.length > limit && last
        ? `${isOpen ? last.rank : last.row.decidedAt}_${last.row.id}`
        : null,
  };
}

const QUEUE_CURSOR = /^(-?\d{1,16})_([0-9a-z-]{1,64})$/;

function decodeQueueCursor(text: string | null): { at: number; id: string } | null {
  const match = QUEUE_CURSOR.exec(text ?? "");
  return match ? { at: Number(match[1]), id: match[2] ?? "" } : null;
}

/** Builds the statement that counts open cases for a moderator's home, without those about them. */
export function openCasesCountStatement(ctx: Context, { moderatorId }: { moderatorId: string }) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("cases_count"),
      oldestAt: sql<Instant | null>`MIN(${reportCases.openedAt})`.as("cases_oldest_at"),
      urgentCount: sql<number>`COALESCE(SUM(${reportCases.isUrgent}), 0)`.as("urgent_count"),
    })
    .from(reportCases)
    .where(and(isNull(reportCases.decidedAt), ne(reportCases.authorId, moderatorId)));
}

const REPORTS_SHOWN = 50;
const LOG_SHOWN = 50;
const HISTORY_SHOWN = 20;

/**
 * Loads a case for a moderator: its first report, up to 50 of its reports with evidence, its log
 * and the decided cases of the same author. Urgent reports come first, then those with a copy of
 * their own, then the oldest. One round trip. Null where there is none, and for its author.
 */
export async function caseDetail(
  ctx: Context,
  { caseId, moderatorId }: { caseId: string; moderatorId: string },
) {
  const here = ctx.db
    .select({ authorId: reportCases.authorId })
    .from(reportCases)
    .where(eq(reportCases.id, caseId));
  const [[row], [first], reportRows, log, history] = await ctx.db.batch([
    ctx.db
      .select({
        row: reportCases,
        authorName: author.name,
        authorUsername: author.username,
        claimedByName: claimer.name,
      })
      .from(reportCases)
      .leftJoin(author, eq(author.personId, reportCases.authorId))
      .leftJoin(claimer, eq(claimer.personId, reportCases.claimedBy))
      .where(eq(reportCases.id, caseId))
      .limit(1),
    ctx.db
      .select({ id: reports.id, reason: reports.reason, evidence: reports.evidence })
      .from(reports)
      .where(eq(reports.caseId, caseId))
      .orderBy(reports.createdAt, reports.id)
      .limit(1),
    reportsStatement(ctx, caseId),
    logStatement(ctx, caseId),
    ctx.db
      .select()
      .from(reportCases)
      .where(
        and(
          inArray(reportCases.authorId, here),
          isNotNull(reportCases.decidedAt),
          sql`${reportCases.id} <> ${caseId}`,
        ),
      )
      .orderBy(desc(reportCases.openedAt))
      .limit(HISTORY_SHOWN),
  ]);
  if (!row || row.row.authorId === moderatorId) return null;
  return {
    ...toCase(row.row),
    authorName: row.authorName,
    authorUsername: row.authorUsername,
    claimedByName: row.claimedByName,
    first: first
      ? {
          id: first.id,
          reason: first.reason as ReportReason,
          evidence: parseEvidence(first.evidence),
        }
      : null,
    reports: reportRows.map((report) => ({
      ...report,
      reason: report.reason as ReportReason,
      evidence: parseEvidence(report.evidence),
    })),
    log,
    history: history.map(toCase),
  };
}

export type CaseDetail = NonNullable<Awaited<ReturnType<typeof caseDetail>>>;

function reportsStatement(ctx: Context, caseId: string) {
  return ctx.db
    .select({
      id: reports.id,
      reason: reports.reason,
      details: reports.details,
      evidence: reports.evidence,
      createdAt: reports.createdAt,
      reporterId: reports.reporterId,
      reporterName: profiles.name,
      reporterUsername: profiles.username,
    })
    .from(reports)
    .leftJoin(profiles, eq(profiles.personId, reports.reporterId))
    .where(eq(reports.caseId, caseId))
    .orderBy(
      desc(inArray(reports.reason, reportReasons.filter(isUrgentReason))),
      desc(ne(reports.evidence, "")),
      reports.createdAt,
      reports.id,
    )
    .limit(REPORTS_SHOWN);
}

function logStatement(ctx: Context, caseId: string) {
  return ctx.db
    .select({
      id: moderationActions.id,
      act: moderationActions.act,
      reason: moderationActions.reason,
      createdAt: moderationActions.createdAt,
      moderatorName: actor.name,
    })
    .from(moderationActions)
    .leftJoin(actor, eq(actor.personId, moderationActions.moderatorId))
    .where(eq(moderationActions.caseId, caseId))
    .orderBy(moderationActions.createdAt, moderationActions.id)
    .limit(LOG_SHOWN);
}
