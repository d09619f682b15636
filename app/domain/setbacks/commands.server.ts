import { eq, lt } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { setbacks } from "#drizzle/schema/setbacks.ts";
import { setbackKey, waitAfterMs } from "./rules.ts";
import type { SetbackKind } from "./rules.ts";

/**
 * Notes that the calendar tried `subjectId` (the id of any row) in vain, in a job of `kind`: that waits longer each time, so that no page of what is due is full of what
 * never moves. A day without a failure forgets it. Source: decision 0168.
 */
export async function setBack(ctx: Context, { subjectId: id, kind }: { subjectId: string; kind?: SetbackKind | undefined }): Promise<void> {
  const subjectId = setbackKey(id, kind);
  const [known] = await ctx.db.select({ failures: setbacks.failures }).from(setbacks).where(eq(setbacks.subjectId, subjectId)).limit(1);
  const failures = (known?.failures ?? 0) + 1;
  const noted = { failures, nextAttemptAt: ctx.now() + waitAfterMs(failures) };
  await ctx.db.insert(setbacks).values({ subjectId, ...noted }).onConflictDoUpdate({ target: setbacks.subjectId, set: noted });
}

/** Forgets what did not fail for a day. */
export async function forgetSetbacks(ctx: Context): Promise<void> {
  await ctx.db.delete(setbacks).where(lt(setbacks.nextAttemptAt, ctx.now() - DAY_MS));
}
