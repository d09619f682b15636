import { inArray } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { floodCounts } from "#drizzle/schema/floods.ts";
import { countKey, freeAgainFrom } from "./rules.ts";
import type { FloodAct } from "./schema.ts";

/** When a person may do again what one of `limits` refused. */
export async function freeAgainAt(ctx: Context, counted: FloodAct): Promise<Instant> {
  const keys = counted.limits.map((limit) => countKey(counted, limit));
  const rows = await ctx.db.select().from(floodCounts).where(inArray(floodCounts.key, keys));
  const counts = counted.limits.flatMap((limit, index) =>
    rows.filter(({ key }) => key === keys[index]).map((row) => ({ ...row, ...limit })),
  );
  return freeAgainFrom(counts, ctx.now());
}
