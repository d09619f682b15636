import { and, between, eq } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import type { CreatorFunnel, PlatformDay } from "./schema.ts";

/** Stands in place of a creator for what is summed of the whole platform. */
export const PLATFORM = "platform";
export const FUNNEL_KIND = "creators";

/** The kind of a day's row; kinds sort by day. */
export const platformDayKind = (day: DayNumber): string => `day:${String(day).padStart(6, "0")}`;

/** Reads the summed days of a range, a row a day; days without a row are left out. */
export async function platformDays(
  ctx: Context,
  { from, until }: DayRange,
): Promise<({ day: DayNumber } & PlatformDay)[]> {
  const rows = await ctx.db
    .select({ kind: analyticsSnapshots.kind, value: analyticsSnapshots.value })
    .from(analyticsSnapshots)
    .where(
      and(
        eq(analyticsSnapshots.creatorId, PLATFORM),
        between(analyticsSnapshots.kind, platformDayKind(from), platformDayKind(until)),
      ),
    );
  return rows.map(({ kind, value }) => ({
    day: Number(kind.slice("day:".length)),
    ...(JSON.parse(value) as PlatformDay),
  }));
}

/** Reads how far new creators came; null before it was first calculated. */
export async function creatorFunnel(ctx: Context): Promise<CreatorFunnel | null> {
  const [row] = await ctx.db
    .select({ value: analyticsSnapshots.value })
    .from(analyticsSnapshots)
    .where(
      and(eq(analyticsSnapshots.creatorId, PLATFORM), eq(analyticsSnapshots.kind, FUNNEL_KIND)),
    );
  return row ? (JSON.parse(row.value) as CreatorFunnel) : null;
}
