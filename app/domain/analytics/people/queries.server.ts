import { sql } from "drizzle-orm";
import type { AnalyticsRange, DayRange } from "#app/domain/analytics/ranges/rules.ts";
import { ALL_SUBJECT, OTHER_VALUE } from "#app/domain/analytics/rollups/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import type { Instant } from "#app/domain/time.ts";
import type { AudienceDay } from "./rules.ts";
import { EMPTY_SNAPSHOT } from "./schema.ts";
import type { PeopleSnapshot, SourceSum, Supporter } from "./schema.ts";

export type Audience = {
  followersCount: number;
  subscribersCount: number;
  /** Every day with anything, of the range and the period before it. */
  days: AudienceDay[];
};

type Asked = { creatorId: string; range: AnalyticsRange };

const wholeOf = ({ range }: Asked): DayRange => ({
  from: range.before?.from ?? range.from,
  until: range.until,
});

/** Reads how a creator's audience moved: at most a row a day of each of three summed tables. */
export async function audience(ctx: Context, asked: Asked): Promise<Audience> {
  return audienceOf(...(await Promise.all(audienceStatements(ctx, asked))));
}

type AudienceCounts = { followersCount: number; subscribersCount: number };

/** Puts the answers of `audienceStatements` together. */
export const audienceOf = (days: AudienceDay[], [counts]: readonly AudienceCounts[]): Audience => ({
  followersCount: 0,
  subscribersCount: 0,
  ...counts,
  days,
});

/** Builds the statements of `audience`, for a batch of several creators. */
export function audienceStatements(ctx: Context, asked: Asked) {
  const { creatorId } = asked;
  const { from, until } = wholeOf(asked);
  return [
    ctx.db.all<AudienceDay>(sql`
      SELECT day, SUM(views) AS views, SUM(visitors) AS visitors, SUM(plays) AS plays, SUM(follows) AS follows,
        SUM(trials) AS trials, SUM(starts) AS starts, SUM(ends) AS ends FROM (
        SELECT day, views, visitors, plays, 0 AS follows, 0 AS trials, 0 AS starts, 0 AS ends FROM analytics_days
        WHERE creator_id = ${creatorId} AND day BETWEEN ${from} AND ${until} AND subject = ${ALL_SUBJECT}
        UNION ALL
        SELECT day, 0, 0, 0, follows, trials, 0, 0 FROM analytics_people
        WHERE creator_id = ${creatorId} AND day BETWEEN ${from} AND ${until}
        UNION ALL
        SELECT day, 0, 0, 0, 0, 0, CASE WHEN kind IN ('new', 'reactivation') THEN count ELSE 0 END, CASE WHEN kind = 'churn' THEN count ELSE 0 END
        FROM recurring_days WHERE creator_id = ${creatorId} AND day BETWEEN ${from} AND ${until}
      ) moved GROUP BY day ORDER BY day`),
    ctx.db.all<AudienceCounts>(sql`
      SELECT p.followers_count AS followersCount, COALESCE((SELECT SUM(count) FROM recurring_totals t WHERE t.creator_id = p.person_id), 0) AS subscribersCount
      FROM profiles p WHERE p.person_id = ${creatorId}`),
  ] as const;
}

const SOURCES_SHOWN = 10;

/**
 * Reads where the visits of a range came from, the most frequent of each dimension. A link is given
 * by its name; a mark that is no link of the creator is left out.
 */
export async function visitSources(
  ctx: Context,
  { creatorId, range }: Asked,
): Promise<SourceSum[]> {
  return await ctx.db.all<SourceSum>(sql`
    SELECT ranked.dimension, COALESCE(l.name, ranked.value) AS value, ranked.views, ranked.visitors FROM (
      SELECT dimension, value, SUM(views) AS views, SUM(visitors) AS visitors,
        ROW_NUMBER() OVER (PARTITION BY dimension ORDER BY SUM(visitors) DESC, value) AS place
      FROM analytics_sources WHERE creator_id = ${creatorId} AND day BETWEEN ${range.from} AND ${range.until}
      GROUP BY dimension, value
    ) ranked LEFT JOIN creator_links l ON ranked.dimension = 'link' AND l.creator_id = ${creatorId} AND l.slug = ranked.value
    WHERE place <= ${SOURCES_SHOWN} AND (ranked.dimension <> 'link' OR l.slug IS NOT NULL OR ranked.value IN (${INVITATION_SLUG}, ${OTHER_VALUE}))
    ORDER BY ranked.dimension, place`);
}

export type PeopleOverall = Omit<PeopleSnapshot, "supporters"> & {
  supporters: Supporter[];
  /** When it was calculated; null before the first time. */
  computedAt: Instant | null;
};

/** Reads the stored cohorts, supporters and reasons. A person who left the product is not shown. */
export async function peopleOverall(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<PeopleOverall> {
  const [rows, supporters] = await Promise.all([
    ctx.db.all<{ value: string; computedAt: Instant }>(sql`
      SELECT value, computed_at AS computedAt FROM analytics_snapshots WHERE creator_id = ${creatorId} AND kind = 'people'`),
    ctx.db.all<Supporter>(sql`
      SELECT p.name, p.username, json_extract(s.value, '$.paidCents') AS paidCents, json_extract(s.value, '$.chargesCount') AS chargesCount
      FROM analytics_snapshots a, json_each(a.value, '$.supporters') s JOIN profiles p ON p.person_id = json_extract(s.value, '$.personId')
      WHERE a.creator_id = ${creatorId} AND a.kind = 'people' ORDER BY s.key`),
  ]);
  const stored = rows[0] ? (JSON.parse(rows[0].value) as PeopleSnapshot) : EMPTY_SNAPSHOT;
  return { ...stored, supporters, computedAt: rows[0]?.computedAt ?? null };
}
