import { sql } from "drizzle-orm";
import {
  countBroadcast,
  dueBroadcastCounts,
} from "#app/domain/analytics/broadcasts/commands.server.ts";
import { zonedDay } from "#app/domain/analytics/days/rules.ts";
import { refreshSnapshot } from "#app/domain/analytics/people/commands.server.ts";
import { sumPlatformDay } from "#app/domain/analytics/platform/commands.server.ts";
import { rollUpDay } from "#app/domain/analytics/rollups/commands.server.ts";
import { creatorLinks } from "#drizzle/schema/analytics.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { Random } from "#drizzle/seed/random.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import type { Rehearsal } from "#drizzle/seed/rehearsal/rehearsal.ts";

/** Weeks with views before the town's present. */
const WEEKS = 8;
/** On a day at most so many points of one creator: the seed stays quick. */
const MOST_A_DAY = 14;
const REFERRERS = ["instagram.com", "instagram.com", "google.com", "wa.me", "t.co", "youtube.com"];
const CAMPAIGNS = ["", "", "", "bio", "feira-de-novembro"];
const DEVICES = ["phone", "phone", "phone", "desktop", "tablet"];
const COUNTRIES = ["BR", "BR", "BR", "BR", "BR", "PT", "US", "AR"];

type SeenCreator = { id: string; followersCount: number; posts: { id: string; at: number }[] };

/**
 * Counts some weeks of visits for each creator, as the product counts them, and sums their days.
 * Who has more followers is seen more, a new post is seen most, and weekends are quieter.
 */
export async function seedVisits(
  { ctx, travelTo }: Rehearsal,
  { endAt, days }: { endAt: number; days: number },
): Promise<void> {
  travelTo(endAt);
  const creators = await seenCreators(ctx);
  const random = randomFrom("coreto visits");
  const first = endAt - Math.min(days, WEEKS * 7) * DAY_MS;
  const points: unknown[][] = [];
  for (const creator of creators) {
    await makeLinks(ctx, creator.id, first);
    for (let at = first; at < endAt; at += DAY_MS)
      points.push(...pointsOfDay(creator, at, endAt, random));
  }
  for (let at = 0; at < points.length; at += POINTS_AT_ONCE)
    await recordPoints(ctx, points.slice(at, at + POINTS_AT_ONCE));
  const today = zonedDay(TIME_ZONE, endAt);
  for (let day = zonedDay(TIME_ZONE, first); day <= today; day += 1) await sumDay(ctx, day);
  for (const { id: creatorId } of creators) await refreshSnapshot(ctx, { creatorId });
  for (const broadcastId of await dueBroadcastCounts(ctx))
    await countBroadcast(ctx, { broadcastId });
  // Nobody gets a summary of a week that was over before the town's present.
  await ctx.db.run(sql`
    INSERT INTO analytics_snapshots (creator_id, kind, value, computed_at)
    SELECT person_id, 'week', '{}', CAST(${endAt} AS INTEGER) FROM profiles WHERE is_creator = 1`);
}

/** The links that a creator made, with the share of visits and of earlier follows by each. */
const LINKS = [
  { slug: "bio-instagram", name: "Bio do Instagram" },
  { slug: "youtube", name: "Descrição dos vídeos" },
  { slug: "cartaz", name: "Cartaz da feira" },
];
/** The empty ones are visits by no link. */
const MARKS = ["", "", "", "", "bio-instagram", "bio-instagram", "youtube", "convite"];

/** Makes a creator's links, the last of which is archived, and gives them some of the follows. */
async function makeLinks(
  ctx: Rehearsal["ctx"],
  creatorId: string,
  createdAt: number,
): Promise<void> {
  for (const [at, link] of LINKS.entries())
    await ctx.db.insert(creatorLinks).values({
      ...link,
      creatorId,
      createdAt: createdAt + at * HOUR_MS,
      archivedAt: at === LINKS.length - 1 ? createdAt + DAY_MS : null,
    });
  await ctx.db.run(sql`
    INSERT INTO analytics_links (creator_id, day, slug, follows, starts)
    SELECT creator_id, day, ${LINKS[0]?.slug}, (follows + 1) / 2, 0 FROM analytics_people WHERE creator_id = ${creatorId} AND follows > 0`);
}

async function sumDay(ctx: Rehearsal["ctx"], day: number): Promise<void> {
  await rollUpDay(ctx, { timeZone: TIME_ZONE, day });
  await sumPlatformDay(ctx, { day });
}

/** D1 refuses a statement of more than 100 KB. */
const POINTS_AT_ONCE = 400;

async function recordPoints(ctx: Rehearsal["ctx"], points: unknown[][]): Promise<void> {
  await ctx.db.run(sql`
    INSERT INTO coreto_views (timestamp, index1, blob1, blob2, blob3, blob4, blob5, blob6, blob7, blob8, blob9, double1, _sample_interval)
    SELECT ${column(0)}, ${column(1)}, ${TIME_ZONE}, ${column(2)}, ${column(3)}, ${column(4)}, ${column(5)}, ${column(6)}, ${column(7)}, ${column(8)}, ${column(9)}, ${column(10)}, 1
    FROM json_each(${JSON.stringify(points)}) row`);
}

/** Where a point has its kind and its number. */
const [KIND, VALUE] = [3, 10];

const column = (at: number) => sql.raw(`json_extract(row.value, '$[${at}]')`);

async function seenCreators(ctx: Rehearsal["ctx"]): Promise<SeenCreator[]> {
  const rows = await ctx.db.all<{ id: string; followersCount: number; posts: string }>(sql`
    SELECT c.person_id AS id, c.followers_count AS followersCount,
      (SELECT json_group_array(json_object('id', p.id, 'at', p.published_at)) FROM posts p
        WHERE p.author_id = c.person_id AND p.state = 'published' AND p.deleted_at IS NULL) AS posts
    FROM profiles c WHERE c.is_creator = 1 ORDER BY c.person_id`);
  return rows.map((row) => ({ ...row, posts: JSON.parse(row.posts) as SeenCreator["posts"] }));
}

function pointsOfDay(
  { id, followersCount, posts }: SeenCreator,
  dayAt: number,
  endAt: number,
  random: Random,
): unknown[][] {
  const isWeekend = [0, 6].includes(new Date(dayAt).getUTCDay());
  const most = Math.min(MOST_A_DAY, 4 + Math.round(followersCount / 4));
  const count = random.int(1, isWeekend ? Math.ceil(most / 2) : most);
  const published = posts.filter(({ at }) => at < dayAt).toSorted((a, b) => b.at - a.at);
  const visitors = Array.from({ length: Math.ceil(count * 0.8) }, () =>
    random.int(0, 0xffffffff).toString(16).padStart(16, "0"),
  );
  return Array.from({ length: count }, () => {
    const at = Math.min(dayAt + random.int(0, 23) * HOUR_MS + random.int(0, 59) * MINUTE_MS, endAt);
    const post = random.chance(0.35)
      ? undefined
      : published[Math.floor(random.next() ** 3 * published.length)];
    const isPlay = post !== undefined && random.chance(0.06);
    const point = [
      Math.floor(at / SECOND_MS),
      id,
      post?.id ?? "page",
      isPlay ? "play" : "view",
      random.pick(visitors),
      random.chance(0.45) ? "" : random.pick(REFERRERS),
      random.pick(CAMPAIGNS),
      random.pick(DEVICES),
      random.pick(COUNTRIES),
      post ? "" : random.pick(MARKS),
      1,
    ];
    // A page says as it is left for how long it was read, and how far its file was played.
    const withValue = (kind: string, value: number) => point.with(KIND, kind).with(VALUE, value);
    if (isPlay) return [point, withValue("reach", Math.min(20, random.int(1, 26)))];
    return post && random.chance(0.7) ? [point, withValue("read", random.int(12, 240))] : [point];
  }).flat();
}
