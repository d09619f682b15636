import { and, eq, isNull, lte, not } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { endBanStatement } from "#app/domain/identity/account-status/commands/bans.server.ts";
import { AppealDecided, AppealNeedsAnother, AppealNotFound, CannotAppeal } from "./errors.ts";
import { appealOfCase, appealPage, appealPath, otherModeratorsCount } from "./queries.server.ts";
import { appealProblem, canDecideAppeal } from "./rules.ts";
import type { AppealOutcome } from "./schema.ts";
import {
  actionStatement,
  caseForModerator,
} from "#app/domain/moderation/reports/commands/claims.server.ts";
import { reportersOfCase } from "#app/domain/moderation/reports/commands/decide.server.ts";
import { SUBJECT_HOLDS } from "#app/domain/moderation/reports/commands/holds.server.ts";
import {
  evidenceOfCase,
  isBannedByOtherCase,
  isTakenOverByBan,
} from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import {
  ownSubjectText,
  notifiedSubjectText,
} from "#app/domain/moderation/reports/rules/subjects.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { announce, announceToEach } from "#app/domain/outbox.server.ts";
import { moderationAppeals, reportCases } from "#drizzle/schema/moderation.ts";

/**
 * Files the author's only appeal against a decision, under its signed address. Refuses
 * AppealNotFound and CannotAppeal (nothing decided, appealed already, or more than 20 days ago).
 */
export async function appealDecision(
  ctx: Context,
  { text, ...address }: { caseId: string; signature: string; text: string },
): Promise<void> {
  const page = await appealPage(ctx, address);
  if (!page) throw new AppealNotFound();
  const { found, appeal } = page;
  const problem = appealProblem({ ...found, hasAppeal: appeal !== null }, ctx.now());
  if (problem !== null) throw new CannotAppeal(problem);
  try {
    await commit(ctx.db, [
      ctx.db.insert(moderationAppeals).values({
        caseId: found.id,
        authorId: found.authorId,
        words: text,
        createdAt: ctx.now(),
      }),
    ]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new CannotAppeal("already_appealed") : error;
  }
  ctx.log("moderation.appealed", { caseId: found.id });
}

/**
 * Decides an appeal. A reversal shows the content again, or ends the suspension or ban. Author and
 * reporters are notified. Refuses ModeratorRequired, PartyToCase, AppealNotFound, AppealDecided,
 * and AppealNeedsAnother (the first decision was theirs, and somebody else could decide).
 */
export async function decideAppeal(
  ctx: Context,
  asked: { caseId: string; moderatorId: string; outcome: AppealOutcome; reason: string },
): Promise<void> {
  const { caseId, moderatorId, outcome, reason } = asked;
  const [found, appeal, othersCount, evidence, path] = await Promise.all([
    caseForModerator(ctx, asked),
    appealOfCase(ctx, { caseId }),
    otherModeratorsCount(ctx, { caseId, moderatorId }),
    evidenceOfCase(ctx, { caseId }),
    appealPath(ctx, { caseId }),
  ]);
  if (!appeal) throw new AppealNotFound();
  if (appeal.decidedAt !== null) throw new AppealDecided();
  if (!canDecideAppeal({ isFirstDecider: found.decidedBy === moderatorId, othersCount }))
    throw new AppealNeedsAnother();
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(moderationAppeals)
          .set({ outcome, outcomeReason: reason, decidedBy: moderatorId, decidedAt: ctx.now() })
          .where(and(eq(moderationAppeals.caseId, caseId), isNull(moderationAppeals.decidedAt))),
      ),
      ...(outcome === "reversed" ? reversalStatements(ctx, found) : []),
      actionStatement(ctx, found, {
        moderatorId,
        act: outcome === "reversed" ? "reverse" : "uphold",
        reason,
      }),
      announce<ModerationMessage>(ctx, `case:${caseId}:appealed`, {
        type: "appeal.decided",
        personId: found.authorId,
        outcome,
        subject: evidence ? ownSubjectText(evidence) : "o seu conteúdo",
        reason,
        path,
      }),
      announceToEach<Extract<ModerationMessage, { type: "report.appealed" }>>(
        ctx,
        reportersOfCase(caseId, "appealed"),
        {
          type: "report.appealed",
          subject: evidence ? notifiedSubjectText(evidence) : "um conteúdo",
          outcome,
        },
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new AppealDecided() : error;
  }
  ctx.log("moderation.appeal_decided", { caseId, moderatorId, outcome });
}

/**
 * Undoes what the decision did, if it still lasts. The person stays out while another decision bans
 * or suspends them. Suspensions whose days passed under a ban end with the ban.
 */
function reversalStatements(ctx: Context, found: ReportCase): BatchWrite[] {
  const { id, authorId, decision, subjectId, subjectKind, suspendedUntil, banLiftedAt } = found;
  const isBanned =
    (decision === "ban" && banLiftedAt === null) ||
    (decision === "suspend" && suspendedUntil !== null);
  const holds = decision === "hide" ? SUBJECT_HOLDS[subjectKind] : null;
  return [
    ctx.db
      .update(reportCases)
      .set({ reversedAt: ctx.now(), suspendedUntil: null })
      .where(eq(reportCases.id, id)),
    ctx.db
      .update(reportCases)
      .set({ suspendedUntil: null })
      .where(
        and(
          eq(reportCases.authorId, authorId),
          lte(reportCases.suspendedUntil, ctx.now()),
          not(isTakenOverByBan),
        ),
      ),
    ...(holds ? [holds.release(ctx, subjectId)] : []),
    ...(isBanned
      ? [
          endBanStatement(ctx, {
            personId: authorId,
            unless: isBannedByOtherCase(found, ctx.now()),
          }),
        ]
      : []),
  ];
}
