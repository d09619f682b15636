import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ModeratorRequired } from "#app/domain/moderation/errors.ts";
import {
  CaseChanged,
  CaseNotFound,
  CaseNotYours,
  PartyToCase,
} from "#app/domain/moderation/reports/errors.ts";
import { moderatorsAmong } from "#app/domain/moderation/queries.server.ts";
import {
  caseRowForModerator,
  isReporterOfCase,
} from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import { claimProblem, decideProblem } from "#app/domain/moderation/reports/rules.ts";
import { moderationActions, reportCases } from "#drizzle/schema/moderation.ts";

export type CaseAction = {
  caseId: string;
  moderatorId: string;
  /** The version that the moderator saw. */
  version: number;
  reason: string;
};

/**
 * Claims a case for a day: nobody else decides it meanwhile. Refuses ModeratorRequired,
 * PartyToCase, CaseNotYours (decided, or claimed by another) and CaseChanged.
 */
export async function claimCase(ctx: Context, action: CaseAction): Promise<void> {
  const found = await caseForModerator(ctx, action);
  const problem = claimProblem(found, action.moderatorId, ctx.now());
  if (problem !== null) throw new CaseNotYours(problem);
  await commitAction(ctx, [
    guardedCase(ctx, action, { claimedBy: action.moderatorId, claimedAt: ctx.now() }),
    actionStatement(ctx, found, { ...action, act: "claim" }),
  ]);
}

/** Gives a claimed case back to the queue. Refuses what `claimCase` does, and a case of another. */
export async function releaseCase(ctx: Context, action: CaseAction): Promise<void> {
  const found = await caseForModerator(ctx, action);
  const problem = decideProblem(found, action.moderatorId, ctx.now());
  if (problem !== null) throw new CaseNotYours(problem);
  await commitAction(ctx, [
    guardedCase(ctx, action, { claimedBy: null, claimedAt: null }),
    actionStatement(ctx, found, { ...action, act: "release" }),
  ]);
}

/**
 * Loads a case for an act of a moderator. Refuses who does not moderate, its author, who does not
 * find it, and its reporters.
 */
export async function caseForModerator(
  ctx: Context,
  { caseId, moderatorId }: Pick<CaseAction, "caseId" | "moderatorId">,
): Promise<ReportCase> {
  const [moderators, found, isReporter] = await Promise.all([
    moderatorsAmong(ctx, { personIds: [moderatorId] }),
    caseRowForModerator(ctx, { caseId, moderatorId }),
    isReporterOfCase(ctx, { caseId, personId: moderatorId }),
  ]);
  if (!moderators.has(moderatorId)) throw new ModeratorRequired();
  if (!found) throw new CaseNotFound();
  if (isReporter) throw new PartyToCase();
  return found;
}

/**
 * Builds the statement that changes an undecided case, if its version, and the number of reports
 * where one is given, are those seen.
 */
export function guardedCase(
  ctx: Context,
  {
    caseId,
    version,
    reportsCount,
  }: Pick<CaseAction, "caseId" | "version"> & { reportsCount?: number | undefined },
  change: Partial<typeof reportCases.$inferInsert>,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(reportCases)
      .set({ ...change, version: sql`${reportCases.version} + 1` })
      .where(
        and(
          eq(reportCases.id, caseId),
          eq(reportCases.version, version),
          isNull(reportCases.decidedAt),
          reportsCount === undefined ? undefined : eq(reportCases.reportsCount, reportsCount),
        ),
      ),
  );
}

/** Builds the row of an act in the log of moderation. An empty moderator is the product itself. */
export function actionStatement(
  ctx: Context,
  { id: caseId, authorId: personId }: Pick<ReportCase, "id" | "authorId">,
  {
    moderatorId,
    act,
    reason,
  }: Pick<typeof moderationActions.$inferInsert, "moderatorId" | "act"> & { reason: string },
) {
  return ctx.db.insert(moderationActions).values({
    id: ctx.newId(),
    caseId,
    personId,
    moderatorId,
    act,
    reason,
    createdAt: ctx.now(),
  });
}

async function commitAction(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof StaleWrite ? new CaseChanged() : error;
  }
}
