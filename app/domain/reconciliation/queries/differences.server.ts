import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { ComparedObject, DifferenceKind, DifferenceState, Side } from "#app/domain/reconciliation/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { reconciliationDifferences, reconciliationNotes, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import type { DifferenceRow, Run } from "./runs.server.ts";

export type DifferenceView = {
  id: string;
  provider: string;
  object: ComparedObject;
  objectId: string;
  kind: DifferenceKind;
  state: DifferenceState;
  ourId: string | null;
  reference: string | null;
  ours: Side | null;
  theirs: Side | null;
  isMoney: boolean;
  gapCents: Cents;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  resolvedAt: Instant | null;
};

export type RunView = Pick<Run, "id" | "provider" | "night" | "startedAt" | "finishedAt" | "listedCount" | "foundCount" | "repairedCount" | "unclearCount">;

/** Written only through `record`. */
const sideOf = (text: string | null): Side | null => (text === null ? null : (JSON.parse(text) as Side));

/** The database knows no other words in `state` (trigger `reconciliation_differences_update`). */
function asView(row: DifferenceRow): DifferenceView {
  const { id, provider, object, objectId, kind, ourId, reference, isMoney, gapCents, firstSeenAt, lastSeenAt, resolvedAt } = row;
  return { id, provider, object, objectId, kind, state: row.state as DifferenceState, ourId, reference, ours: sideOf(row.ours), theirs: sideOf(row.theirs), isMoney, gapCents, firstSeenAt, lastSeenAt, resolvedAt };
}

const RUNS_SHOWN = 6;

type Asked = { state: DifferenceState | null; kind: DifferenceKind | null; cursor: string | null; limit: number };

/** What the staff sees of reconciliation: the last runs, how many differences are open, and one page of them, newest first. One round trip. */
export async function reconciliationOverview(ctx: Context, { state, kind, cursor, limit }: Asked): Promise<{ runs: RunView[]; openCount: number; page: Page<DifferenceView> }> {
  const after = decodeCursor(cursor);
  const { id, firstSeenAt } = reconciliationDifferences;
  const [runs, open, rows] = await ctx.db.batch([
    ctx.db
      .select({ id: reconciliationRuns.id, provider: reconciliationRuns.provider, night: reconciliationRuns.night, startedAt: reconciliationRuns.startedAt, finishedAt: reconciliationRuns.finishedAt, listedCount: reconciliationRuns.listedCount, foundCount: reconciliationRuns.foundCount, repairedCount: reconciliationRuns.repairedCount, unclearCount: reconciliationRuns.unclearCount })
      .from(reconciliationRuns)
      .orderBy(desc(reconciliationRuns.startedAt), desc(reconciliationRuns.id))
      .limit(RUNS_SHOWN),
    ctx.db.select({ count: sql<number>`COUNT(*)` }).from(reconciliationDifferences).where(eq(reconciliationDifferences.state, "open")),
    ctx.db
      .select()
      .from(reconciliationDifferences)
      .where(and(state === null ? undefined : eq(reconciliationDifferences.state, state), kind === null ? undefined : eq(reconciliationDifferences.kind, kind), after ? sql`(${firstSeenAt}, ${id}) < (${after.at}, ${after.id})` : undefined))
      .orderBy(desc(firstSeenAt), desc(id))
      .limit(limit + 1),
  ]);
  const page = pageOf(rows, limit, (row) => ({ at: row.firstSeenAt, id: row.id }));
  return { runs, openCount: open[0]?.count ?? 0, page: { items: page.items.map(asView), next: page.next } };
}

export type NoteView = { id: string; note: string; writtenBy: string | null; createdAt: Instant };
const NOTES_SHOWN = 20;

/** One difference with what was written about it, oldest first; null where there is none. One round trip. */
export async function differenceDetail(ctx: Context, { differenceId }: { differenceId: string }): Promise<{ difference: DifferenceView; notes: NoteView[] } | null> {
  const [rows, notes] = await ctx.db.batch([
    ctx.db.select().from(reconciliationDifferences).where(eq(reconciliationDifferences.id, differenceId)).limit(1),
    ctx.db
      .select({ id: reconciliationNotes.id, note: reconciliationNotes.note, writtenBy: profiles.name, createdAt: reconciliationNotes.createdAt })
      .from(reconciliationNotes)
      .leftJoin(profiles, eq(profiles.personId, reconciliationNotes.personId))
      .where(eq(reconciliationNotes.differenceId, differenceId))
      .orderBy(asc(reconciliationNotes.createdAt), asc(reconciliationNotes.id))
      .limit(NOTES_SHOWN),
  ]);
  return rows[0] ? { difference: asView(rows[0]), notes } : null;
}
