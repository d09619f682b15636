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

/** `lastSeenAt` is of what its writer saw. */
type ExplanationRequest = {
  differenceId: string;
  lastSeenAt: number;
  moderatorId: string;
  note: string;
};

/**
 * Says, for good and with a name, why an open difference is none; while both sides stay as they are
 * it is not brought up again. Above the limit of payouts it is only asked for, and the others of
 * `moderatorIds` are told; somebody else who explains it too agrees, and then it is. Gives which of
 * the two it was. Refuses DifferenceNotFound, OwnDifference (a payment or a payout of theirs, or of
 * whose team they work in), AlreadyExplained by themselves, and DifferenceMoved where it was seen
 * otherwise or resolved since.
 *
 * INVARIANT: nobody explains away their own money, nor, above the limit, anybody's alone. The
 * database refuses by itself whoever agrees with themselves (`reconciliation_differences_update`).
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
    const tells =
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
      alongside: tells,
    });
    if (tells.length > 0)
      await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
    ctx.log("reconciliation.explanation_asked", { differenceId, moderatorId });
    return "asked";
  }
  const kept = isForTwo ? {} : { explainAskedBy: null, explainAskedAt: null };
  await write(ctx, row, explaining, {
    at: now,
    set: { state: "explained", resolvedAt: now, resolvedBy: moderatorId, ...kept },
    where: sql`${reconciliationDifferences.explainAskedBy} IS ${row.explainAskedBy}`,
  });
  ctx.log("reconciliation.explained", { differenceId, moderatorId });
  return "explained";
}

/**
 * Takes back an explanation that waits for somebody else: its own writer, or whoever does not
 * agree, with words. Refuses as `explainDifference`, and DifferenceMoved where none waits.
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
  alongside?: BatchWrite[];
};

/**
 * What is decided of a difference, with its words, while it is open and both sides are what was
 * seen.
 */
async function write(
  ctx: Context,
  row: DifferenceRow,
  { lastSeenAt, moderatorId, note }: ExplanationRequest,
  { at, set, where, alongside = [] }: ExplanationWrite,
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
      ...alongside,
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new DifferenceChanged() : error;
  }
}
