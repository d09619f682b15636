import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { CLOSED_SUBSCRIPTION_STATES } from "#app/domain/access/rules.ts";
import type { Instant } from "#app/domain/time.ts";

const CLOSED = sql.raw(CLOSED_SUBSCRIPTION_STATES.map((state) => `'${state}'`).join(", "));

/**
 * `decideAccess` as a condition on `posts`, for a query whose FROM holds that table under its own name: true for the posts
 * that `viewerId` (null for a visitor) may see at `now`. A property test holds the two equal.
 */
export function visibleTo(viewerId: string | null, now: Instant): SQL {
  return sql`("posts"."deleted_at" IS NULL AND (${isOwnOrModerator(viewerId)} OR (${isListed(viewerId, now)} AND (${isBought(viewerId)} OR ${hasOpenRule(viewerId, now)}))))`;
}

/** `mayList` as a condition on `posts`: true when the viewer may see the card, open or locked. */
export function listableTo(viewerId: string | null, now: Instant): SQL {
  return sql`("posts"."deleted_at" IS NULL AND (${isOwnOrModerator(viewerId)} OR ${isListed(viewerId, now)}))`;
}

/** `listableTo` for lists: published only, so that nobody's drafts appear in their own feed. */
export function publishedFor(viewerId: string | null, now: Instant): SQL {
  return sql`("posts"."state" = 'published' AND "posts"."published_at" <= ${now} AND ${listableTo(viewerId, now)})`;
}

/** True when `fanId` has a subscription to `creatorId` (an SQL expression) that gives access at `now`. */
export function subscribesTo(fanId: string | null, creatorId: SQL, now: Instant): SQL {
  return sql`EXISTS (SELECT 1 FROM subscriptions s WHERE s.fan_id = ${fanId} AND s.creator_id = ${creatorId} AND s.access_until > ${now} AND s.status NOT IN (${CLOSED}))`;
}

function isOwnOrModerator(viewerId: string | null): SQL {
  if (viewerId === null) return sql`0`;
  return sql`("posts"."author_id" = ${viewerId} OR EXISTS (SELECT 1 FROM people moderator WHERE moderator.id = ${viewerId} AND moderator.is_moderator = 1))`;
}

function isListed(viewerId: string | null, now: Instant): SQL {
  const published = sql`"posts"."state" = 'published' AND "posts"."published_at" <= ${now} AND "posts"."held_at" IS NULL`;
  const banned = sql`EXISTS (SELECT 1 FROM people author WHERE author.id = "posts"."author_id" AND author.banned_at IS NOT NULL)`;
  if (viewerId === null) return sql`(${published} AND NOT ${banned})`;
  return sql`(${published} AND NOT ${banned} AND NOT ${blockBetween(viewerId, sql`"posts"."author_id"`)})`;
}

/** A block in either direction between a person (an id, or an SQL expression) and `otherId` (an SQL expression). */
export function blockBetween(personId: string | SQL | null, otherId: SQL): SQL {
  if (personId === null) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM blocks b WHERE (b.blocker_id = ${personId} AND b.blocked_id = ${otherId}) OR (b.blocker_id = ${otherId} AND b.blocked_id = ${personId}))`;
}

function isBought(viewerId: string | null): SQL {
  if (viewerId === null) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM post_purchases bought WHERE bought.post_id = "posts"."id" AND bought.person_id = ${viewerId})`;
}

function hasOpenRule(viewerId: string | null, now: Instant): SQL {
  const open = sql`rule.post_id = "posts"."id" AND (rule.opens_at IS NULL OR rule.opens_at <= ${now})`;
  if (viewerId === null) return sql`EXISTS (SELECT 1 FROM post_access_rules rule WHERE ${open} AND rule.kind = 'public')`;
  const follows = sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = "posts"."author_id")`;
  const subscribes = sql`EXISTS (
    SELECT 1 FROM subscriptions s
    WHERE s.fan_id = ${viewerId} AND s.creator_id = "posts"."author_id" AND s.access_until > ${now} AND s.status NOT IN (${CLOSED})
      AND (rule.kind = 'subscribers' OR s.plan_id = rule.plan_id))`;
  return sql`EXISTS (
    SELECT 1 FROM post_access_rules rule
    WHERE ${open} AND (rule.kind = 'public' OR (rule.kind = 'followers' AND ${follows}) OR (rule.kind IN ('subscribers', 'plan') AND ${subscribes})))`;
}
