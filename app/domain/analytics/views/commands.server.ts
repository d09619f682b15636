import { and, eq, lt } from "drizzle-orm";
import { zonedDay } from "#app/domain/analytics/days/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { randomToken } from "#app/lib/secrets.ts";
import { viewSalts } from "#drizzle/schema/analytics.ts";
import { isLinkActive } from "#app/domain/analytics/links/queries.server.ts";
import { creatorZone } from "./queries.server.ts";
import { campaignOf, countryOf, deviceClass, isCountable, linkOf, referrerHost } from "./rules.ts";
import type { VisitRequest } from "./rules.ts";
import { PAGE_SUBJECT } from "./schema.ts";
import type { ViewKind, ZonedDay } from "./schema.ts";

export type Visit = VisitRequest & {
  creatorId: string;
  /** Null for the creator's own page. */
  postId: string | null;
  kind: ViewKind;
  /** Seconds of a read, the steps of a reach; 1 where left out. */
  value?: number;
  /** The address of the visitor's connection. It is digested at once and stored nowhere. */
  ip: string;
  country: string;
};

/**
 * Records one view or play, unless it may not be counted. The visitor's address and browser become
 * a digest under a secret of this creator's day, which is deleted when the day ended.
 */
export async function recordVisit(ctx: Context, visit: Visit): Promise<void> {
  if (!isCountable(visit)) return;
  const at = ctx.now();
  const timeZone = await zoneOf(ctx, visit.creatorId, at);
  const salt = await saltOf(ctx, { timeZone, day: zonedDay(timeZone, at) });
  const { creatorId, ip, userAgent } = visit;
  // By the connection alone, because a script can name another browser each time.
  const connection = await sha256Hex([salt, creatorId, ip].join("\n"));
  if (visit.kind !== "view" && !isBelowBeaconLimit(connection, at)) return;
  const digest = await sha256Hex([salt, creatorId, ip, userAgent].join("\n"));
  const slug = linkOf(visit.url);
  await ctx.views.record(
    {
      creatorId: visit.creatorId,
      timeZone,
      subject: visit.postId ?? PAGE_SUBJECT,
      kind: visit.kind,
      visitor: digest.slice(0, DIGEST_DIGITS),
      referrer: referrerHost(visit.referrer, visit.url),
      campaign: campaignOf(visit.url),
      // Anybody can write a mark into an address: only a link that the creator made counts.
      link: slug && (await isLinkActive(ctx, { creatorId, slug })) ? slug : "",
      device: deviceClass(visit.userAgent),
      country: countryOf(visit.country),
      value: visit.value ?? 1,
    },
    at,
  );
}

/** 64 bits: two visitors of a day share one about once in a hundred million days. */
const DIGEST_DIGITS = 16;
const ZONE_MS = 10 * 60_000;
const MOST_REMEMBERED = 1_000;

/** What the pages of one connection say of plays and reading counts so often in a minute. */
const BEACONS_A_MINUTE = 30;
const isBelowBeaconLimit = createLimiter(BEACONS_A_MINUTE);

/**
 * Allows so many acts of a key a minute, in this isolate. Its memory is bounded: with too many keys
 * in one minute it begins anew.
 */
export function createLimiter(most: number): (key: string, at: Instant) => boolean {
  const counts = new Map<string, number>();
  let minute = 0;
  return (key, at) => {
    const now = Math.floor(at / MINUTE_MS);
    if (now !== minute || counts.size >= MOST_REMEMBERED) counts.clear();
    minute = now;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
}

// Of one isolate. A new zone counts after ten minutes; a salt is forgotten with its day.
const zones = new Map<string, { timeZone: string; until: Instant }>();
const salts = new Map<string, { day: number; salt: string }>();

async function zoneOf(ctx: Context, creatorId: string, at: Instant): Promise<string> {
  const cached = zones.get(creatorId);
  if (cached && cached.until > at && cached.until <= at + ZONE_MS) return cached.timeZone;
  const timeZone = await creatorZone(ctx, { creatorId });
  if (zones.size >= MOST_REMEMBERED) zones.clear();
  zones.set(creatorId, { timeZone, until: at + ZONE_MS });
  return timeZone;
}

/** Every isolate uses the salt that the first one stored. */
async function saltOf(ctx: Context, { timeZone, day }: ZonedDay): Promise<string> {
  const cached = salts.get(timeZone);
  if (cached?.day === day) return cached.salt;
  const minted = randomToken();
  const isOfDay = and(eq(viewSalts.timeZone, timeZone), eq(viewSalts.day, day));
  const [, rows] = await ctx.db.batch([
    ctx.db.insert(viewSalts).values({ timeZone, day, salt: minted }).onConflictDoNothing(),
    ctx.db.select({ salt: viewSalts.salt }).from(viewSalts).where(isOfDay),
  ]);
  const salt = rows[0]?.salt ?? minted;
  salts.set(timeZone, { day, salt });
  return salt;
}

/** Deletes the salts of the days that ended in their zone. */
export async function forgetSalts(ctx: Pick<Context, "db" | "now">): Promise<void> {
  const rows = await ctx.db
    .select({ timeZone: viewSalts.timeZone, day: viewSalts.day })
    .from(viewSalts);
  const today = new Map(rows.map(({ timeZone }) => [timeZone, zonedDay(timeZone, ctx.now())]));
  for (const [timeZone, day] of today) {
    if (salts.get(timeZone)?.day !== day) salts.delete(timeZone);
    await ctx.db
      .delete(viewSalts)
      .where(and(eq(viewSalts.timeZone, timeZone), lt(viewSalts.day, day)));
  }
}
