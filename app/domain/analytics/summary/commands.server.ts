import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { creatorMoney } from "#app/domain/analytics/money/queries.server.ts";
import { moneyWithin } from "#app/domain/analytics/money/rules.ts";
import { audience } from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import type { AnalyticsMessage, WeekSums } from "#app/domain/analytics/schema/outbox.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { dayNumberOf, HOUR_MS, isoOfDayNumber, startOfDay } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import { lastWeek, weekBefore } from "./rules.ts";

/** More than a run has room for. */
const CREATORS_A_RUN = 1_000;
const KIND = "week";
/** The last hour of Sunday is summed by then, in every zone of the product but the Azores'. */
const FROM_HOUR = 9;

/**
 * The creators whose week is over and was not summed up yet. From nine on Monday in São Paulo on;
 * who joined since has none.
 */
export async function dueSummaries(ctx: Context): Promise<string[]> {
  const now = ctx.now();
  const monday = lastWeek(dayNumberOf(now)).until + 1;
  const since = startOfDay(monday) + FROM_HOUR * HOUR_MS;
  if (now < since) return [];
  const rows = await ctx.db.all<{ creatorId: string }>(sql`
    SELECT c.person_id AS creatorId FROM profiles c
    LEFT JOIN analytics_snapshots s ON s.creator_id = c.person_id AND s.kind = ${KIND}
    WHERE c.is_creator = 1 AND c.created_at < ${startOfDay(monday)} AND COALESCE(s.computed_at, 0) < ${since}
    ORDER BY COALESCE(s.computed_at, 0), c.person_id LIMIT ${CREATORS_A_RUN}`);
  return rows.map(({ creatorId }) => creatorId);
}

/**
 * Announces the summary of a creator's last week, once a week. A week without anything, like the
 * one before it, announces nothing.
 */
export async function summarizeWeek(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<void> {
  const week = lastWeek(dayNumberOf(ctx.now()));
  const range = { name: "own" as const, ...week, before: weekBefore(week) };
  const [sales, { days }, [top]] = await Promise.all([
    creatorMoney(ctx, { creatorId, range }),
    audience(ctx, { creatorId, range }),
    postNumbers(ctx, { creatorId, range: week, limit: 1 }),
  ]);
  const sumsOf = (of: typeof week): WeekSums => {
    const { visitors, follows, starts, ends } = audienceWithin(days, of);
    return { netCents: moneyWithin(sales, of).netCents, visitors, follows, starts, ends };
  };
  const message: AnalyticsMessage = {
    type: "analytics.week",
    personId: creatorId,
    fromDay: isoOfDayNumber(week.from),
    untilDay: isoOfDayNumber(week.until),
    week: sumsOf(week),
    weekBefore: sumsOf(range.before),
    topPost: top && top.views > 0 ? { id: top.id, postTitle: top.title, views: top.views } : null,
  };
  const hasAny = [message.week, message.weekBefore].some((sums) =>
    Object.values(sums).some((sum) => sum !== 0),
  );
  const at = ctx.now();
  await commit(ctx.db, [
    ...(hasAny
      ? [announce<AnalyticsMessage>(ctx, `analytics:${creatorId}:${message.fromDay}`, message)]
      : []),
    ctx.db
      .insert(analyticsSnapshots)
      .values({ creatorId, kind: KIND, value: "{}", computedAt: at })
      .onConflictDoUpdate({
        target: [analyticsSnapshots.creatorId, analyticsSnapshots.kind],
        set: { computedAt: at },
      }),
  ]);
}
