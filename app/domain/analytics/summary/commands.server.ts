import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { moneyStatement } from "#app/domain/analytics/money/queries.server.ts";
import type { creatorMoney } from "#app/domain/analytics/money/queries.server.ts";
import { moneyWithin } from "#app/domain/analytics/money/rules.ts";
import { audienceOf, audienceStatements } from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { postNumbersStatement } from "#app/domain/analytics/posts/queries.server.ts";
import type { PostNumbers } from "#app/domain/analytics/posts/schema.ts";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { AnalyticsMessage, WeekSums } from "#app/domain/analytics/schema/outbox.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { dayNumberOf, HOUR_MS, isoOfDayNumber, startOfDay } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import { lastWeek, weekBefore } from "./rules.ts";

/** More than a run has room for. */
const CREATORS_A_RUN = 3_000;
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
 * Announces the summaries of some creators' last week, each once a week, in two calls to D1. A week
 * without anything, like the one before it, announces nothing. All or none: safe to repeat.
 */
export async function summarizeWeeks(
  ctx: Context,
  { creatorIds }: { creatorIds: readonly string[] },
): Promise<void> {
  const week = lastWeek(dayNumberOf(ctx.now()));
  const range = { name: "own" as const, ...week, before: weekBefore(week) };
  const [first, ...rest] = creatorIds.flatMap((creatorId) => [
    moneyStatement(ctx, { creatorId, range }),
    ...audienceStatements(ctx, { creatorId, range }),
    postNumbersStatement(ctx, { creatorId, range: week, limit: 1 }),
  ]);
  if (!first) return;
  const answers: unknown[] = await ctx.db.batch([first, ...rest]);
  await commit(
    ctx.db,
    creatorIds.flatMap((creatorId, index) => {
      const own = answers.slice(index * READS_A_CREATOR, (index + 1) * READS_A_CREATOR);
      return summaryWrites(ctx, weekMessage(creatorId, range, own as WeekRead));
    }),
  );
}

const READS_A_CREATOR = 4;
type WeekRead = [
  Awaited<ReturnType<typeof creatorMoney>>,
  ...Parameters<typeof audienceOf>,
  PostNumbers[],
];

function weekMessage(
  creatorId: string,
  range: DayRange & { before: DayRange },
  [sales, days, counts, [top]]: WeekRead,
): AnalyticsMessage {
  const people = audienceOf(days, counts);
  const sumsOf = (of: DayRange): WeekSums => {
    const { visitors, follows, starts, ends } = audienceWithin(people.days, of);
    return { netCents: moneyWithin(sales, of).netCents, visitors, follows, starts, ends };
  };
  return {
    type: "analytics.week",
    personId: creatorId,
    fromDay: isoOfDayNumber(range.from),
    untilDay: isoOfDayNumber(range.until),
    week: sumsOf(range),
    weekBefore: sumsOf(range.before),
    topPost: top && top.views > 0 ? { id: top.id, postTitle: top.title, views: top.views } : null,
  };
}

function summaryWrites(ctx: Context, message: AnalyticsMessage) {
  const { personId: creatorId, fromDay, week, weekBefore: earlier } = message;
  const computedAt = ctx.now();
  const hasAny = [week, earlier].some((sums) => Object.values(sums).some((sum) => sum !== 0));
  return [
    ...(hasAny
      ? [announce<AnalyticsMessage>(ctx, `analytics:${creatorId}:${fromDay}`, message)]
      : []),
    ctx.db
      .insert(analyticsSnapshots)
      .values({ creatorId, kind: KIND, value: "{}", computedAt })
      .onConflictDoUpdate({
        target: [analyticsSnapshots.creatorId, analyticsSnapshots.kind],
        set: { computedAt },
      }),
  ];
}
