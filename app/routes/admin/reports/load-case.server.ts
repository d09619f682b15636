import { ACT_LABELS, stateLabel } from "#app/components/reports/case-labels.ts";
import type { Context } from "#app/domain/context.ts";
import { appealOfCase } from "#app/domain/moderation/appeals/queries.server.ts";
import { isReporterOfCase } from "#app/domain/moderation/reports/queries.server.ts";
import { caseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import type { CaseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import { subjectNow } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import {
  DECISION_DONE,
  isClaimed,
  REPORT_REASONS,
  reportsText,
} from "#app/domain/moderation/reports/rules.ts";
import { evidenceTitle, SUBJECTS } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatAgo, formatDay, formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Loads a case as its page shows it to a moderator, and logs who opened it. Null without one, and
 * for its author.
 */
export async function loadCase(
  ctx: Context,
  { caseId, moderatorId }: { caseId: string; moderatorId: string },
) {
  const found = await caseDetail(ctx, { caseId, moderatorId });
  if (!found) return null;
  const [current, appeal, isParty] = await Promise.all([
    subjectNow(ctx, { kind: found.subjectKind, id: found.subjectId }),
    appealOfCase(ctx, { caseId }),
    isReporterOfCase(ctx, { caseId, personId: moderatorId }),
  ]);
  ctx.log("moderation.case_opened", { caseId, moderatorId });
  const { first } = found;
  const before = first?.evidence ?? null;
  return {
    id: found.id,
    version: found.version,
    kind: found.subjectKind,
    title: `${SUBJECTS[found.subjectKind].label}: ${evidenceTitle(before)}`,
    author: found.authorUsername && { name: found.authorName, username: found.authorUsername },
    summary: `${reportsText(found.reportsCount)} · aberto ${formatAgo(found.openedAt, ctx.now())}`,
    isUrgent: found.isUrgent,
    before,
    beforeWhen: formatMinute(found.openedAt),
    current: current?.evidence ?? null,
    currentState: current ? stateLabel(found.subjectKind, current.state) : "",
    reportsCount: found.reportsCount,
    ...linesOf(found),
    decisions: SUBJECTS[found.subjectKind].decisions,
    suggestedRule: first?.reason ?? ("other" as const),
    isParty,
    claim: claimOf(found, moderatorId, ctx.now()),
    claimedByName: found.claimedByName,
    decided: found.decision && {
      done: DECISION_DONE[found.decision],
      rule: found.rule && REPORT_REASONS[found.rule].label,
      reason: found.decisionReason,
      suspendedUntil: found.suspendedUntil === null ? null : formatDay(found.suspendedUntil),
      isReversed: found.reversedAt !== null,
    },
    appeal: appeal && {
      words: appeal.words,
      when: formatMinute(appeal.createdAt),
      outcome: appeal.outcome,
    },
  };
}

export type LoadedCase = NonNullable<Awaited<ReturnType<typeof loadCase>>>;

function linesOf(found: CaseDetail) {
  return {
    reports: found.reports.map((report) => ({
      id: report.id,
      reason: REPORT_REASONS[report.reason].label,
      details: report.details,
      reporter: report.reporterName ?? "Conta excluída",
      when: formatMinute(report.createdAt),
      // The page shows the copy of the first report on its own.
      copy: report.id === found.first?.id ? null : report.evidence,
    })),
    log: found.log.map((line) => ({
      id: line.id,
      act: ACT_LABELS[line.act],
      by: line.moderatorName ?? "Automático",
      reason: line.reason,
      when: formatMinute(line.createdAt),
    })),
    history: found.history.map((past) => ({
      id: past.id,
      title: `${past.decision ? DECISION_DONE[past.decision] : ""} (${SUBJECTS[past.subjectKind].label})`,
      when: past.decidedAt === null ? "" : formatDay(past.decidedAt),
      isReversed: past.reversedAt !== null,
    })),
  };
}

function claimOf(
  found: CaseDetail,
  moderatorId: string,
  now: Instant,
): "decided" | "free" | "own" | "other" {
  if (found.decidedAt !== null) return "decided";
  if (!isClaimed(found, now)) return "free";
  return found.claimedBy === moderatorId ? "own" : "other";
}
