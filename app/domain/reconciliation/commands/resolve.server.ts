import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { DifferenceMoved, DifferenceNotFound, ProviderSilent } from "#app/domain/reconciliation/errors.ts";
import { differenceRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import { reconciliationDifferences, reconciliationNotes } from "#drizzle/schema/reconciliation.ts";
import { examine } from "./examine.server.ts";
import { record } from "./record.server.ts";

/** Looks into one difference now, as the night does. Gives whether it is still there. Refuses DifferenceNotFound and ProviderSilent. */
export async function askAgain(ctx: Context, { differenceId }: { differenceId: string }): Promise<{ isLeft: boolean }> {
  const row = await differenceRow(ctx, { differenceId });
  if (!row) throw new DifferenceNotFound();
  const { provider, object, objectId, ourId, reference } = row;
  try {
    const verdict = await examine(ctx, madeBy(ctx, row), { object, objectId, ourId, reference });
    await record(ctx, { provider, runId: null, verdict });
    const now = await differenceRow(ctx, { differenceId });
    // A refund may turn out to be a question about its charge: then the refund is none any more.
    if (now?.state === "open" && verdict.subject.object !== object) await record(ctx, { provider, runId: null, verdict: { ...verdict, subject: { object, objectId, ourId, reference }, before: NONE, after: NONE } });
  } catch (error) {
    if (error instanceof ProviderUnclear || error instanceof ProviderRefused) throw new ProviderSilent();
    throw error;
  }
  return { isLeft: (await differenceRow(ctx, { differenceId }))?.state === "open" };
}

const NONE = { difference: null, ours: null, theirs: null };

/**
 * Says, for good and with a name, why an open difference is none; while both sides stay as they are it is not brought up again. `lastSeenAt` is of what
 * its writer saw. Refuses DifferenceNotFound, and DifferenceMoved where it was seen otherwise or resolved since.
 */
export async function explain(ctx: Context, { differenceId, lastSeenAt, moderatorId, note }: { differenceId: string; lastSeenAt: number; moderatorId: string; note: string }): Promise<void> {
  const row = await differenceRow(ctx, { differenceId });
  if (!row) throw new DifferenceNotFound();
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(reconciliationDifferences)
          .set({ state: "explained", resolvedAt: now, resolvedBy: moderatorId })
          .where(and(eq(reconciliationDifferences.id, differenceId), eq(reconciliationDifferences.state, "open"), eq(reconciliationDifferences.lastSeenAt, lastSeenAt), sql`${reconciliationDifferences.ours} IS ${row.ours}`, sql`${reconciliationDifferences.theirs} IS ${row.theirs}`)),
      ),
      ctx.db.insert(reconciliationNotes).values({ id: ctx.newId(), differenceId, personId: moderatorId, note, ours: row.ours, theirs: row.theirs, createdAt: now }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new DifferenceMoved();
    throw error;
  }
  ctx.log("reconciliation.explained", { differenceId, moderatorId });
}
