import { and, eq, ne } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { differencesOfObject } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { DifferenceRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { DifferenceSide } from "#app/domain/reconciliation/schema.ts";
import { reconciliationDifferences } from "#drizzle/schema/reconciliation.ts";
import type { ExaminationResult } from "./comparison.server.ts";

const json = (side: DifferenceSide | null): string | null => (side ? JSON.stringify(side) : null);

/**
 * Saves the result of examining one object.
 *
 * A remaining difference is open, once for its kind. One that is gone, or that the examination
 * repaired, is resolved. An explained one stays explained while both sides are unchanged. `runId`
 * is null where a person asked. Returns whether a difference was found and whether one is open.
 */
export async function recordExamination(
  ctx: Context,
  {
    provider,
    runId,
    verdict,
  }: { provider: string; runId: string | null; verdict: ExaminationResult },
): Promise<{ isFound: boolean; isOpen: boolean }> {
  const { subject, before, after } = verdict;
  const { object, objectId } = subject;
  const recorded = await differencesOfObject(ctx, { provider, object, objectId });
  const seen = after.difference
    ? { ...after, difference: after.difference }
    : before.difference
      ? { ...before, difference: before.difference }
      : null;
  const writes: BatchWrite[] = [];
  if (seen) {
    const same = recorded.find(({ kind }) => kind === seen.difference.kind);
    writes.push(
      seenStatement(ctx, {
        provider,
        runId,
        verdict,
        same: same ?? null,
        seen,
        isLeft: after.difference !== null,
      }),
    );
  }
  if (recorded.some(({ state, kind }) => state === "open" && kind !== seen?.difference.kind))
    writes.push(
      othersRepairedStatement(ctx, { provider, runId, subject, kind: seen?.difference.kind }),
    );
  await commit(ctx.db, writes);
  const isExplained = recorded.some(
    (row) => row.kind === after.difference?.kind && staysExplained(row, after),
  );
  if (seen && !isExplained)
    ctx.log("reconciliation.difference", {
      provider,
      object,
      objectId,
      kind: seen.difference.kind,
      isRepaired: after.difference === null,
    });
  return {
    isFound: seen !== null && !isExplained,
    isOpen: after.difference !== null && !isExplained,
  };
}

/** Resolves the open differences of the object of every other kind than the one that was seen. */
const othersRepairedStatement = (
  ctx: Context,
  {
    provider,
    runId,
    subject: { object, objectId },
    kind,
  }: {
    provider: string;
    runId: string | null;
    subject: ExaminationResult["subject"];
    kind: DifferenceRow["kind"] | undefined;
  },
): BatchWrite =>
  ctx.db
    .update(reconciliationDifferences)
    .set({
      state: "repaired",
      resolvedAt: ctx.now(),
      lastSeenAt: ctx.now(),
      explainAskedBy: null,
      explainAskedAt: null,
      ...(runId === null ? {} : { runId }),
    })
    .where(
      and(
        eq(reconciliationDifferences.provider, provider),
        eq(reconciliationDifferences.object, object),
        eq(reconciliationDifferences.objectId, objectId),
        eq(reconciliationDifferences.state, "open"),
        kind === undefined ? undefined : ne(reconciliationDifferences.kind, kind),
      ),
    );

type DifferenceSides = { ours: DifferenceSide | null; theirs: DifferenceSide | null };
const hasSides = (row: DifferenceRow, { ours, theirs }: DifferenceSides): boolean =>
  row.ours === json(ours) && row.theirs === json(theirs);
const staysExplained = (row: DifferenceRow, sides: DifferenceSides): boolean =>
  row.state === "explained" && hasSides(row, sides);

type RecordedExamination = {
  provider: string;
  runId: string | null;
  verdict: ExaminationResult;
  same: DifferenceRow | null;
  seen: {
    difference: NonNullable<ExaminationResult["after"]["difference"]>;
    ours: DifferenceSide | null;
    theirs: DifferenceSide | null;
  };
  isLeft: boolean;
};

function seenStatement(
  ctx: Context,
  { provider, runId, verdict: { subject }, same, seen, isLeft }: RecordedExamination,
): BatchWrite {
  const now = ctx.now();
  const { kind, isMoney, gapCents } = seen.difference;
  const isStillExplained = same !== null && isLeft && staysExplained(same, seen);
  const how = isStillExplained
    ? {}
    : isLeft
      ? { state: "open", resolvedAt: null, resolvedBy: null }
      : { state: "repaired", resolvedAt: now, resolvedBy: null };
  // A pending explanation is about exactly these two sides.
  const isAsked = same !== null && same.state === "open" && isLeft && hasSides(same, seen);
  const set = {
    ourId: subject.ourId,
    reference: subject.reference,
    ours: json(seen.ours),
    theirs: json(seen.theirs),
    isMoney,
    gapCents,
    lastSeenAt: now,
    // A resolved difference that occurs again counts as new.
    firstSeenAt: same && (same.state === "open" || isStillExplained) ? same.firstSeenAt : now,
    ...(runId === null ? {} : { runId }),
    ...how,
    ...(isStillExplained || isAsked ? {} : { explainAskedBy: null, explainAskedAt: null }),
  };
  return ctx.db
    .insert(reconciliationDifferences)
    .values({
      id: ctx.newId(),
      provider,
      object: subject.object,
      objectId: subject.objectId,
      kind,
      state: "open",
      ...set,
    })
    .onConflictDoUpdate({
      target: [
        reconciliationDifferences.provider,
        reconciliationDifferences.object,
        reconciliationDifferences.objectId,
        reconciliationDifferences.kind,
      ],
      set,
      // An explanation saved meanwhile is not overwritten.
      setWhere: eq(reconciliationDifferences.state, same?.state ?? "open"),
    });
}
