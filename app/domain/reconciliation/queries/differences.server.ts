import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { quarantinedCountStatement } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import { RUNS_RETAINED } from "#app/domain/reconciliation/rules/runs.ts";
import type {
  ComparedObject,
  DifferenceKind,
  DifferenceState,
  DifferenceSide,
} from "#app/domain/reconciliation/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  reconciliationDifferences,
  reconciliationNotes,
  reconciliationRuns,
} from "#drizzle/schema/reconciliation.ts";
import { differenceSubjectStatement } from "./difference-subject.server.ts";
import type { DifferenceSubject } from "./difference-subject.server.ts";
import type { DifferenceRow, ReconciliationRun } from "./runs.server.ts";

export type DifferenceView = {
  id: string;
  provider: string;
  object: ComparedObject;
  objectId: string;
  kind: DifferenceKind;
  state: DifferenceState;
  /** Its explanation waits for another moderator's approval. */
  isAsked: boolean;
  ourId: string | null;
  reference: string | null;
  ours: DifferenceSide | null;
  theirs: DifferenceSide | null;
  isMoney: boolean;
  gapCents: Cents;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  resolvedAt: Instant | null;
};

export type ReconciliationRunView = Pick<
  ReconciliationRun,
  | "id"
  | "provider"
  | "night"
  | "startedAt"
  | "finishedAt"
  | "listedCount"
  | "foundCount"
  | "repairedCount"
  | "unclearCount"
>;

/** Parses a stored side. Only `recordExamination` writes it. */
const sideOf = (text: string | null): DifferenceSide | null =>
  text === null ? null : (JSON.parse(text) as DifferenceSide);

/** Types a row. The trigger `reconciliation_differences_update` limits the values of `state`. */
function asView(row: DifferenceRow): DifferenceView {
  const {
    id,
    provider,
    object,
    objectId,
    kind,
    ourId,
    reference,
    isMoney,
    gapCents,
    firstSeenAt,
    lastSeenAt,
    resolvedAt,
    explainAskedBy,
  } = row;
  return {
    id,
    provider,
    object,
    objectId,
    kind,
    state: row.state as DifferenceState,
    isAsked: row.state === "open" && explainAskedBy !== null,
    ourId,
    reference,
    ours: sideOf(row.ours),
    theirs: sideOf(row.theirs),
    isMoney,
    gapCents,
    firstSeenAt,
    lastSeenAt,
    resolvedAt,
  };
}

/** Builds the statement that counts open differences, for the staff's home. */
export function openDifferencesCountStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("differences_count"),
      oldestAt: sql<Instant | null>`MIN(${reconciliationDifferences.firstSeenAt})`.as(
        "differences_oldest_at",
      ),
    })
    .from(reconciliationDifferences)
    .where(eq(reconciliationDifferences.state, "open"));
}

type DifferenceListRequest = {
  state: DifferenceState | null;
  kind: DifferenceKind | null;
  /** Only differences that this run examined last. */ runId?: string | null;
  cursor: string | null;
  limit: number;
};

/**
 * Loads the staff page of reconciliation: the last runs, the numbers of open differences and of
 * quarantined events, and one page of differences, newest first. One round trip.
 */
export async function reconciliationOverview(
  ctx: Context,
  { state, kind, runId = null, cursor, limit }: DifferenceListRequest,
): Promise<{
  runs: ReconciliationRunView[];
  openCount: number;
  quarantinedCount: number;
  page: Page<DifferenceView>;
}> {
  const after = decodeCursor(cursor);
  const { id, firstSeenAt } = reconciliationDifferences;
  const [runs, open, quarantined, rows] = await ctx.db.batch([
    ctx.db
      .select({
        id: reconciliationRuns.id,
        provider: reconciliationRuns.provider,
        night: reconciliationRuns.night,
        startedAt: reconciliationRuns.startedAt,
        finishedAt: reconciliationRuns.finishedAt,
        listedCount: reconciliationRuns.listedCount,
        foundCount: reconciliationRuns.foundCount,
        repairedCount: reconciliationRuns.repairedCount,
        unclearCount: reconciliationRuns.unclearCount,
      })
      .from(reconciliationRuns)
      .orderBy(desc(reconciliationRuns.startedAt), desc(reconciliationRuns.id))
      .limit(RUNS_RETAINED),
    ctx.db
      .select({ count: sql<number>`COUNT(*)` })
      .from(reconciliationDifferences)
      .where(eq(reconciliationDifferences.state, "open")),
    quarantinedCountStatement(ctx),
    ctx.db
      .select()
      .from(reconciliationDifferences)
      .where(
        and(
          state === null ? undefined : eq(reconciliationDifferences.state, state),
          kind === null ? undefined : eq(reconciliationDifferences.kind, kind),
          runId === null ? undefined : eq(reconciliationDifferences.runId, runId),
          after ? sql`(${firstSeenAt}, ${id}) < (${after.at}, ${after.id})` : undefined,
        ),
      )
      .orderBy(desc(firstSeenAt), desc(id))
      .limit(limit + 1),
  ]);
  const page = pageOf(rows, limit, (row) => ({ at: row.firstSeenAt, id: row.id }));
  return {
    runs,
    openCount: open[0]?.count ?? 0,
    quarantinedCount: quarantined[0]?.count ?? 0,
    page: { items: page.items.map(asView), next: page.next },
  };
}

type DifferenceNoteView = {
  id: string;
  note: string;
  writtenBy: string | null;
  createdAt: Instant;
};
const NOTES_SHOWN = 20;

type DifferenceDetail = {
  difference: DifferenceView;
  notes: DifferenceNoteView[];
  /** Our object behind it, and whether the viewer is a party to it. */
  concerned: Pick<DifferenceSubject, "chargeId" | "payoutId"> | null;
  isSide: boolean;
  /** An explanation that waits for approval. */
  asked: { byName: string | null; at: Instant; isOwn: boolean } | null;
  /** Who explained it, and who approved that where two were needed. */
  explainedBy: (string | null)[];
};

/**
 * Loads one difference as the moderator `viewerId` sees it, with its notes, oldest first; null
 * where there is none. One round trip.
 */
export async function differenceDetail(
  ctx: Context,
  { differenceId, viewerId }: { differenceId: string; viewerId: string },
): Promise<DifferenceDetail | null> {
  const nameOf = (column: SQL) =>
    sql<string | null>`(SELECT p.name FROM profiles p WHERE p.person_id = ${column})`;
  const [[found], notes, [concerned]] = await ctx.db.batch([
    ctx.db
      .select({
        row: reconciliationDifferences,
        askedByName: nameOf(sql`reconciliation_differences.explain_asked_by`).as("asked_by_name"),
        resolvedByName: nameOf(sql`reconciliation_differences.resolved_by`).as("resolved_by_name"),
      })
      .from(reconciliationDifferences)
      .where(eq(reconciliationDifferences.id, differenceId))
      .limit(1),
    ctx.db
      .select({
        id: reconciliationNotes.id,
        note: reconciliationNotes.note,
        writtenBy: profiles.name,
        createdAt: reconciliationNotes.createdAt,
      })
      .from(reconciliationNotes)
      .leftJoin(profiles, eq(profiles.personId, reconciliationNotes.personId))
      .where(eq(reconciliationNotes.differenceId, differenceId))
      .orderBy(asc(reconciliationNotes.createdAt), asc(reconciliationNotes.id))
      .limit(NOTES_SHOWN),
    differenceSubjectStatement(ctx, { differenceId, moderatorId: viewerId }),
  ]);
  if (!found) return null;
  const { row, askedByName, resolvedByName } = found;
  const difference = asView(row);
  return {
    difference,
    notes,
    concerned: concerned ? { chargeId: concerned.chargeId, payoutId: concerned.payoutId } : null,
    isSide: concerned?.isSide === 1,
    asked: difference.isAsked
      ? {
          byName: askedByName,
          at: row.explainAskedAt ?? row.lastSeenAt,
          isOwn: row.explainAskedBy === viewerId,
        }
      : null,
    explainedBy:
      row.state === "explained"
        ? [...(row.explainAskedBy === null ? [] : [askedByName]), resolvedByName]
        : [],
  };
}
