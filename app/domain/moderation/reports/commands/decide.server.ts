import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  banStatement,
  continueBanStatement,
} from "#app/domain/identity/account-status/commands/bans.server.ts";
import { pageClosedStatement } from "#app/domain/events/attendees/commands.server.ts";
import { appealPath } from "#app/domain/moderation/appeals/queries.server.ts";
import { appealUntil } from "#app/domain/moderation/appeals/rules.ts";
import { AlreadyBanned, CannotBanStaff } from "#app/domain/moderation/errors.ts";
import { moderatorsAmong } from "#app/domain/moderation/queries.server.ts";
import {
  CaseChanged,
  CaseNotYours,
  DecisionImpossible,
  NothingToHide,
} from "#app/domain/moderation/reports/errors.ts";
import {
  caseRow,
  evidenceOfCase,
  hasSuspension,
} from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import {
  decideProblem,
  decisionEffectText,
  REPORT_REASONS,
} from "#app/domain/moderation/reports/rules.ts";
import {
  ownSubjectText,
  notifiedSubjectText,
  SUBJECTS,
} from "#app/domain/moderation/reports/rules/subjects.ts";
import type {
  CaseDecision,
  Evidence,
  ReportReason,
} from "#app/domain/moderation/reports/schema.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { announce, announceToEach } from "#app/domain/outbox.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { actionStatement, caseForModerator, guardedCase } from "./claims.server.ts";
import type { CaseAction } from "./claims.server.ts";
import { SUBJECT_HOLDS } from "./holds.server.ts";

export type NewDecision = CaseAction & {
  decision: CaseDecision;
  /** How many reports the moderator saw. A dismissal covers no others. */
  reportsSeen: number;
  /** The rule that was broken; ignored when dismissed. */
  rule?: ReportReason | undefined;
  /** Days of a suspension. */
  days?: number | undefined;
};

/**
 * Decides a claimed case: the act, the log, and the notifications of author and reporters are one
 * commit. A ban of a suspended person takes the suspension over. Refuses ModeratorRequired,
 * PartyToCase, CaseNotYours, CaseChanged (also if a report joined a case that is dismissed),
 * DecisionImpossible, NothingToHide, CannotBanStaff and AlreadyBanned.
 */
export async function decideCase(ctx: Context, asked: NewDecision): Promise<void> {
  const { caseId, moderatorId, decision, reason } = asked;
  const found = await caseForModerator(ctx, asked);
  const problem = decideProblem(found, moderatorId, ctx.now());
  if (problem !== null) throw new CaseNotYours(problem);
  if (!SUBJECTS[found.subjectKind].decisions.includes(decision)) throw new DecisionImpossible();
  const evidence = await evidenceOfCase(ctx, { caseId });
  const rule = decision === "dismiss" ? null : (asked.rule ?? "other");
  const suspendedUntil = decision === "suspend" ? ctx.now() + (asked.days ?? 1) * DAY_MS : null;
  const decided = {
    decision,
    rule,
    decisionReason: reason,
    decidedBy: moderatorId,
    decidedAt: ctx.now(),
    suspendedUntil,
  };
  const path = await appealPath(ctx, { caseId });
  const effects = await effectStatements(ctx, found, decision);
  try {
    await commit(ctx.db, [
      guardedCase(
        ctx,
        { ...asked, reportsCount: decision === "dismiss" ? asked.reportsSeen : undefined },
        decided,
      ),
      ...effects,
      actionStatement(ctx, found, { moderatorId, act: decision, reason }),
      ...(evidence
        ? [
            announceToEach<Extract<ModerationMessage, { type: "report.decided" }>>(
              ctx,
              reportersOfCase(caseId, "decided"),
              {
                type: "report.decided",
                subject: notifiedSubjectText(evidence),
                isUpheld: decision !== "dismiss",
              },
            ),
          ]
        : []),
      ...(decision !== "dismiss" && rule !== null && evidence
        ? [
            authorMessage(ctx, found, {
              path,
              decision,
              rule,
              reason,
              evidence,
              suspendedUntil,
            }),
          ]
        : []),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? await staleReason(ctx, asked) : error;
  }
  ctx.log("moderation.case_decided", { caseId, moderatorId, decision });
}

/** Selects the reporters of a case for `announceToEach`, under the keys of one event. */
export const reportersOfCase = (caseId: string, event: string): SQL =>
  sql`SELECT 'report:' || r.id || ':' || ${event} AS key, r.reporter_id AS person_id FROM reports r WHERE r.case_id = ${caseId} AND r.reporter_id IS NOT NULL`;

async function effectStatements(
  ctx: Context,
  { authorId, subjectKind, subjectId }: ReportCase,
  decision: CaseDecision,
): Promise<BatchWrite[]> {
  if (decision === "hide") {
    const holds = SUBJECT_HOLDS[subjectKind];
    if (!holds) throw new DecisionImpossible();
    return [holds.hold(ctx, subjectId)];
  }
  if (decision !== "suspend" && decision !== "ban") return [];
  const moderators = await moderatorsAmong(ctx, { personIds: [authorId] });
  if (moderators.has(authorId)) throw new CannotBanStaff();
  if (decision === "ban" && (await hasSuspension(ctx, { personId: authorId })))
    return [continueBanStatement(ctx, { personId: authorId })];
  return [
    banStatement(ctx, { personId: authorId }),
    pageClosedStatement(ctx, { creatorId: authorId, key: ctx.newId() }),
  ];
}

function authorMessage(
  ctx: Context,
  { id: caseId, authorId, subjectKind: kind }: ReportCase,
  {
    path,
    decision,
    rule,
    reason,
    evidence,
    suspendedUntil,
  }: {
    path: string;
    decision: Exclude<CaseDecision, "dismiss">;
    rule: ReportReason;
    reason: string;
    evidence: Evidence;
    suspendedUntil: Instant | null;
  },
) {
  return announce<ModerationMessage>(ctx, `case:${caseId}:decided`, {
    type: "content.moderated",
    personId: authorId,
    decision,
    effect: decisionEffectText(decision, {
      kind,
      subject: ownSubjectText(evidence),
      suspendedUntil,
    }),
    rule: REPORT_REASONS[rule].label,
    reason,
    appealPath: path,
    appealUrl: `${ctx.settings.appOrigin}${path}`,
    appealUntil: appealUntil(ctx.now()),
  });
}

/** Which part of a refused decision was stale: the case, or what it acts on. */
async function staleReason(
  ctx: Context,
  { caseId, version, decision, reportsSeen }: NewDecision,
): Promise<Error> {
  const now = await caseRow(ctx, { caseId });
  if (now?.version !== version || now.decidedAt !== null) return new CaseChanged();
  if (decision === "dismiss" && now.reportsCount !== reportsSeen) return new CaseChanged();
  return decision === "hide" ? new NothingToHide() : new AlreadyBanned();
}
