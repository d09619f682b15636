import { inArray } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { rateLimitKey, rateLimitResetFrom } from "./rules.ts";
import type { RateLimitedAction } from "./schema.ts";

/** Returns when a person may repeat an action that one of `limits` refused. */
export async function rateLimitResetAt(ctx: Context, counted: RateLimitedAction): Promise<Instant> {
  const keys = counted.limits.map((limit) => rateLimitKey(counted, limit));
  const rows = await ctx.db.select().from(floodCounts).where(inArray(floodCounts.key, keys));
  const counts = counted.limits.flatMap((limit, index) =>
    rows.filter(({ key }) => key === keys[index]).map((row) => ({ ...row, ...limit })),
  );
  return rateLimitResetFrom(counts, ctx.now());
}
