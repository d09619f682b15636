import { lt, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Statement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { setbacks } from "#drizzle/schema/setbacks.ts";
import { LONGEST_MS, setbackKey, waitAfterMs } from "./rules.ts";
import type { SetbackKind } from "./rules.ts";

/**
 * Notes that the calendar tried `subjectId` (the id of any row) in vain, in a job of `kind`: that
 * waits longer each time, so that no page of what is due is full of what never moves. A day without
 * a failure forgets it. Source: docs/decisions/platform/back-off-failed-rows-in-one-table.md.
 */
export async function setBack(ctx: Context, setback: Setback): Promise<void> {
  await commit(ctx.db, [setBackStatement(ctx, setback)]);
}

type Setback = { subjectId: string; kind?: SetbackKind | undefined };

/** The statement of `setBack`. */
export function setBackStatement(ctx: Context, { subjectId, kind }: Setback): Statement {
  const now = ctx.now();
  const waits = sql.join(
    WAITS.map((waitMs, before) => sql`WHEN ${before} THEN CAST(${now + waitMs} AS INTEGER)`),
    sql` `,
  );
  return ctx.db
    .insert(setbacks)
    .values({
      subjectId: setbackKey(subjectId, kind),
      failures: 1,
      nextAttemptAt: now + waitAfterMs(1),
    })
    .onConflictDoUpdate({
      target: setbacks.subjectId,
      set: {
        failures: sql`${setbacks.failures} + 1`,
        nextAttemptAt: sql`CASE ${setbacks.failures} ${waits} ELSE CAST(${now + LONGEST_MS} AS INTEGER) END`,
      },
    });
}

/** How long what failed so often before waits, until it waits the longest. */
const WAITS = Array.from({ length: 12 }, (_, before) => waitAfterMs(before + 1));

/** Forgets what did not fail for a day. */
export async function forgetSetbacks(ctx: Context): Promise<void> {
  await ctx.db.delete(setbacks).where(lt(setbacks.nextAttemptAt, ctx.now() - DAY_MS));
}
