import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitResetAt } from "./queries.server.ts";
import { rateLimitKey } from "./rules.ts";
import type { RateLimitedAction } from "./schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";

/**
 * Counts one action of a person before it is done, where the action is more than one batch. Past a
 * limit it throws the error of `refusal`, which receives when the action is allowed again.
 */
export async function countAction(
  ctx: Context,
  counted: RateLimitedAction,
  refusal: (freeAt: Instant) => Error,
): Promise<void> {
  try {
    await commit(ctx.db, rateLimitStatements(ctx, counted));
  } catch (error) {
    throw error instanceof StaleWrite ? refusal(await rateLimitResetAt(ctx, counted)) : error;
  }
}

/**
 * Returns the statements that count one action of a person, for the batch of the action itself.
 *
 * Past a limit the batch is refused as `StaleWrite`, and nothing of it happens, however many arrive
 * at once. The windows are fixed: each starts with its first action.
 */
export function rateLimitStatements(ctx: Context, counted: RateLimitedAction): BatchWrite[] {
  const now = ctx.now();
  return counted.limits.map(({ windowMs, limit }) => {
    const began = now - windowMs;
    const isOver = sql`${floodCounts.windowStartedAt} <= ${began}`;
    return mustChangeOne(
      ctx.db
        .insert(floodCounts)
        .values({ key: rateLimitKey(counted, { windowMs, limit }), count: 1, windowStartedAt: now })
        .onConflictDoUpdate({
          target: floodCounts.key,
          set: {
            count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${floodCounts.count} + 1 END`,
            windowStartedAt: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${floodCounts.windowStartedAt} END`,
          },
          setWhere: or(isOver, lt(floodCounts.count, limit)),
        }),
    );
  });
}

/** Returns the statements that subtract one count, for an action that turned out to be none. */
export function uncountActionStatements(ctx: Context, counted: RateLimitedAction): BatchWrite[] {
  return counted.limits.map((limit) =>
    ctx.db
      .update(floodCounts)
      .set({ count: sql`${floodCounts.count} - 1` })
      .where(and(eq(floodCounts.key, rateLimitKey(counted, limit)), gt(floodCounts.count, 0))),
  );
}
