import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { ReconciliationMessage } from "#app/domain/reconciliation/schema/outbox.ts";
import {
  AlreadyExplained,
  DifferenceChanged,
  DifferenceNotFound,
  DifferenceConflictOfInterest,
} from "#app/domain/reconciliation/errors.ts";
import { differenceSubjectStatement } from "#app/domain/reconciliation/queries/difference-subject.server.ts";
import { differenceRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { DifferenceRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import { needsSecondApproval } from "#app/domain/reconciliation/rules/explanations.ts";
import { reconciliationDifferences, reconciliationNotes } from "#drizzle/schema/reconciliation.ts";

/** `lastSeenAt`: the version of the difference that the writer saw. */
type ExplanationRequest = {
  differenceId: string;
  lastSeenAt: number;
  moderatorId: string;
  note: string;
};

/**
 * Explains, for good and by name, why an open difference is none. It stays explained while both
 * sides stay the same.
 *
 * Above the payout limit it only requests approval and notifies the others of `moderatorIds`. A
 * second moderator who explains it too approves it. Returns which of the two happened.
 *
 * Refuses DifferenceNotFound, DifferenceConflictOfInterest (their own payment or payout, or that of
 * a team where they work), AlreadyExplained by themselves, and DifferenceChanged where it changed
 * or was resolved since it was seen.
 *
 * INVARIANT: nobody explains their own money away, nor, above the limit, anybody's alone. The
 * database also refuses a second approval by the same person (`reconciliation_differences_update`).
 * Source: docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export async function explainDifference(
  ctx: Context,
  { moderatorIds, ...explaining }: ExplanationRequest & { moderatorIds: readonly string[] },
): Promise<"asked" | "explained"> {
  const { differenceId, moderatorId } = explaining;
  const row = await toExplain(ctx, explaining);
  const isForTwo = needsSecondApproval(row, ctx.settings.payoutApprovalCents);
  if (isForTwo && row.explainAskedBy === moderatorId) throw new AlreadyExplained();
  const now = ctx.now();
  if (isForTwo && row.explainAskedBy === null) {
    const key = `reconciliation:${differenceId}:asked:${now}`;
    const others = moderatorIds.filter((id) => id !== moderatorId);
    const announcements =
      others.length > 0
        ? [
            announce<ReconciliationMessage>(ctx, key, {
              type: "reconciliation.explanation_asked",
              differenceId,
              moderatorIds: others,
              gapCents: Math.abs(row.gapCents),
            }),
          ]
        : [];
    await write(ctx, row, explaining, {
      at: now,
      set: { explainAskedBy: moderatorId, explainAskedAt: now },
      where: isNull(reconciliationDifferences.explainAskedBy),
      extraWrites: announcements,
    });
    if (announcements.length > 0)
      await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
    ctx.log("reconciliation.explanation_asked", { differenceId, moderatorId });
    return "asked";
  }
  const explanation = isForTwo ? {} : { explainAskedBy: null, explainAskedAt: null };
  await write(ctx, row, explaining, {
    at: now,
    set: { state: "explained", resolvedAt: now, resolvedBy: moderatorId, ...explanation },
    where: sql`${reconciliationDifferences.explainAskedBy} IS ${row.explainAskedBy}`,
  });
  ctx.log("reconciliation.explained", { differenceId, moderatorId });
  return "explained";
}

/**
 * Withdraws or rejects, with a note, an explanation that waits for approval: its own writer or
 * another moderator. Refuses what `explainDifference` refuses, and DifferenceChanged where none
 * waits.
 */
export async function rejectExplanation(
  ctx: Context,
  explaining: ExplanationRequest,
): Promise<"dismissed"> {
  const row = await toExplain(ctx, explaining);
  await write(ctx, row, explaining, {
    at: ctx.now(),
    set: { explainAskedBy: null, explainAskedAt: null },
    where: isNotNull(reconciliationDifferences.explainAskedBy),
  });
  ctx.log("reconciliation.explanation_dismissed", {
    differenceId: row.id,
    moderatorId: explaining.moderatorId,
  });
  return "dismissed";
}

async function toExplain(
  ctx: Context,
  { differenceId, moderatorId }: ExplanationRequest,
): Promise<DifferenceRow> {
  const [row, concerned] = await Promise.all([
    differenceRow(ctx, { differenceId }),
    differenceSubjectStatement(ctx, { differenceId, moderatorId }),
  ]);
  if (!row) throw new DifferenceNotFound();
  if (concerned.some(({ isSide }) => isSide === 1)) throw new DifferenceConflictOfInterest();
  return row;
}

type ExplanationWrite = {
  at: number;
  set: Partial<typeof reconciliationDifferences.$inferInsert>;
  where: SQL;
  extraWrites?: BatchWrite[];
};

/**
 * Saves a decision on a difference with its note, while it is open and both sides are unchanged
 * since they were seen.
 */
async function write(
  ctx: Context,
  row: DifferenceRow,
  { lastSeenAt, moderatorId, note }: ExplanationRequest,
  { at, set, where, extraWrites = [] }: ExplanationWrite,
): Promise<void> {
  const { id, state, lastSeenAt: seenAt, ours, theirs } = reconciliationDifferences;
  const asSeen = and(
    eq(id, row.id),
    eq(state, "open"),
    eq(seenAt, lastSeenAt),
    sql`${ours} IS ${row.ours}`,
    sql`${theirs} IS ${row.theirs}`,
    where,
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(reconciliationDifferences).set(set).where(asSeen)),
      ctx.db.insert(reconciliationNotes).values({
        id: ctx.newId(),
        differenceId: row.id,
        personId: moderatorId,
        note,
        ours: row.ours,
        theirs: row.theirs,
        createdAt: at,
      }),
      ...extraWrites,
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new DifferenceChanged() : error;
  }
}
