import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { CLOSED_SUBSCRIPTION_STATES } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";

/** A person's id, an SQL expression that gives one, or null for a visitor. */
type Viewer = string | SQL | null;

const CLOSED = sql.raw(CLOSED_SUBSCRIPTION_STATES.map((state) => `'${state}'`).join(", "));

/**
 * `decideAccess` as a condition on `posts`, for a query whose FROM holds that table under its own
 * name: true for the posts that `viewerId` (null for a visitor) may see at `now`. A property test
 * holds the two equal.
 */
export function visibleTo(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  return sql`("posts"."deleted_at" IS NULL AND (${isOwnOrModerator(viewerId)} OR ${isOfTeam(viewerId, adultSpaces)} OR (${isListed(viewerId, now, adultSpaces)} AND (${isPurchased(viewerId)} OR ${hasOpenRule(viewerId, now)}))))`;
}

/** `canList` as a condition on `posts`: true when the viewer may see the card, open or locked. */
export function listableTo(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  return sql`("posts"."deleted_at" IS NULL AND (${isOwnOrModerator(viewerId)} OR ${isOfTeam(viewerId, adultSpaces)} OR ${isListed(viewerId, now, adultSpaces)}))`;
}

/**
 * `listableTo` for lists: published only, so that nobody's drafts appear in their own feed. The
 * plus keeps SQLite from walking an index from now on, when a cursor or `pinned_at` says better
 * where to begin.
 */
export function publishedAndListable(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  return sql`("posts"."state" = 'published' AND +"posts"."published_at" <= ${now} AND ${listableTo(viewerId, now, adultSpaces)})`;
}

/** The username that `key` would be. Usernames are in lower case, and of plain letters. */
export const usernameOf = (key: string): SQL => sql`lower(${key})`;

/**
 * The id of the person whose id or username `key` is, as an SQL expression: nobody takes another's
 * page by choosing their id as a username.
 */
export function personIdByKey(key: string): SQL {
  return sql`(SELECT keyed.person_id FROM profiles keyed WHERE keyed.person_id = ${key} OR keyed.username = ${usernameOf(key)} ORDER BY keyed.person_id = ${key} DESC LIMIT 1)`;
}

/**
 * True when `fanId` has a subscription to `creatorId` (an SQL expression) that gives access at
 * `now`.
 */
export function subscribesTo(fanId: Viewer, creatorId: SQL, now: Instant): SQL {
  return sql`EXISTS (SELECT 1 FROM subscriptions s WHERE s.fan_id = ${fanId} AND s.creator_id = ${creatorId} AND ${givesAccess(now)})`;
}

/** True for rows of `subscriptions`, under the name `s`, that give access at `now`. */
export function givesAccess(now: Instant): SQL {
  return sql`s.access_until > ${now} AND s.status NOT IN (${CLOSED})`;
}

function isOwnOrModerator(viewerId: Viewer): SQL {
  if (viewerId === null) return sql`0`;
  return sql`("posts"."author_id" = ${viewerId} OR ${moderates(viewerId)})`;
}

function moderates(viewerId: Viewer): SQL {
  return sql`EXISTS (SELECT 1 FROM people moderator WHERE moderator.id = ${viewerId} AND moderator.is_moderator = 1)`;
}

/** True when `viewerId` is in the living team of `ownerId` (an SQL expression). */
export function isInTeam(viewerId: Viewer | SQL, ownerId: SQL, isRole: SQL = sql`1`): SQL {
  if (viewerId === null) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM organizations team JOIN organization_members seat ON seat.organization_id = team.id
    WHERE team.owner_id = ${ownerId} AND team.deleted_at IS NULL AND seat.person_id = ${viewerId} AND seat.removed_at IS NULL AND ${isRole})`;
}

/** As `isInTeam`, in a role that may change something: not as a guest. */
export const isInTeamAsMember = (viewerId: Viewer | SQL, ownerId: SQL): SQL =>
  isInTeam(viewerId, ownerId, sql`seat.role <> 'guest_member'`);

function isOfTeam(viewerId: Viewer, adultSpaces: boolean): SQL {
  return worksForPage(viewerId, sql`"posts"."author_id"`, adultSpaces);
}

/**
 * True when `viewerId` is in the team of `ownerId` (an SQL expression) and its page works: what is
 * not published yet is theirs to see too.
 */
export function worksForPage(viewerId: Viewer, ownerId: SQL, adultSpaces: boolean): SQL {
  if (viewerId === null) return sql`0`;
  const works = sql`EXISTS (SELECT 1 FROM people author WHERE author.id = ${ownerId} AND author.banned_at IS NULL AND author.leaving_at IS NULL)`;
  return sql`(${isInTeam(viewerId, ownerId)} AND ${works} AND NOT ${isBlockedBetween(viewerId, ownerId)} AND NOT ${isHiddenByAge(viewerId, ownerId, adultSpaces)})`;
}

function isListed(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  const published = sql`"posts"."state" = 'published' AND +"posts"."published_at" <= ${now} AND "posts"."held_at" IS NULL AND NOT ${isHiddenByAge(viewerId, sql`"posts"."author_id"`, adultSpaces)}`;
  const banned = sql`EXISTS (SELECT 1 FROM people author WHERE author.id = "posts"."author_id" AND author.banned_at IS NOT NULL)`;
  const leaving = sql`EXISTS (SELECT 1 FROM people author WHERE author.id = "posts"."author_id" AND author.leaving_at IS NOT NULL)`;
  if (viewerId === null) return sql`(${published} AND NOT ${banned} AND NOT ${leaving})`;
  const pays = sql`(${isPurchased(viewerId)} OR ${subscribesTo(viewerId, sql`"posts"."author_id"`, now)})`;
  return sql`(${published} AND NOT ${banned} AND (NOT ${leaving} OR ${pays}) AND NOT ${isBlockedBetween(viewerId, sql`"posts"."author_id"`)})`;
}

/**
 * True where the page of `ownerId` (an SQL expression) is for adults and the viewer is none that
 * was checked, nor its owner, nor a moderator. With adult spaces off no check counts. The index is
 * named: who asks about a page for everyone reads nothing.
 */
export function isHiddenByAge(viewerId: Viewer, ownerId: SQL, adultSpaces: boolean): SQL {
  const isForAdults = sql`EXISTS (SELECT 1 FROM profiles adult INDEXED BY profiles_adult WHERE adult.person_id = ${ownerId} AND adult.is_adult = 1)`;
  if (viewerId === null) return isForAdults;
  const checked = adultSpaces ? sql`OR looker.age_checked_at IS NOT NULL` : sql``;
  return sql`(${isForAdults} AND NOT EXISTS (SELECT 1 FROM people looker WHERE looker.id = ${viewerId} AND (looker.id = ${ownerId} OR looker.is_moderator = 1 ${checked})))`;
}

/** Whether the viewer was found to be an adult, where adult spaces are on. */
export function isAgeChecked(viewerId: Viewer, adultSpaces: boolean): SQL {
  if (viewerId === null || !adultSpaces) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM people checked WHERE checked.id = ${viewerId} AND checked.age_checked_at IS NOT NULL)`;
}

/**
 * A block in either direction between a person (an id, or an SQL expression) and `otherId` (an SQL
 * expression).
 */
export function isBlockedBetween(personId: string | SQL | null, otherId: SQL): SQL {
  if (personId === null) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM blocks b WHERE (b.blocker_id = ${personId} AND b.blocked_id = ${otherId}) OR (b.blocker_id = ${otherId} AND b.blocked_id = ${personId}))`;
}

/**
 * True for posts that `viewerId` bought and still holds: the post itself, a collection that holds
 * it now, or one that held it when it was bought.
 */
export function isPurchased(viewerId: Viewer): SQL {
  if (viewerId === null) return sql`0`;
  const holds = sql`bought.person_id = ${viewerId} AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL`;
  return sql`(EXISTS (SELECT 1 FROM purchases bought WHERE ${holds} AND bought.kind = 'post' AND bought.target_id = "posts"."id")
    OR EXISTS (SELECT 1 FROM collection_posts held JOIN purchases bought ON bought.target_id = held.collection_id WHERE held.post_id = "posts"."id" AND ${holds} AND bought.kind = 'collection')
    OR EXISTS (SELECT 1 FROM purchase_posts stored JOIN purchases bought ON bought.id = stored.purchase_id WHERE stored.person_id = ${viewerId} AND stored.post_id = "posts"."id" AND ${holds}))`;
}

function hasOpenRule(viewerId: Viewer, now: Instant): SQL {
  const open = sql`rule.post_id = "posts"."id" AND (rule.opens_at IS NULL OR rule.opens_at <= ${now})`;
  if (viewerId === null)
    return sql`EXISTS (SELECT 1 FROM post_access_rules rule WHERE ${open} AND rule.kind = 'public')`;
  const follows = sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = "posts"."author_id")`;
  const subscribes = sql`EXISTS (
    SELECT 1 FROM subscriptions s
    WHERE s.fan_id = ${viewerId} AND s.creator_id = "posts"."author_id" AND s.access_until > ${now} AND s.status NOT IN (${CLOSED})
      AND (rule.kind IN ('followers', 'subscribers') OR s.plan_id = rule.plan_id))`;
  return sql`EXISTS (
    SELECT 1 FROM post_access_rules rule
    WHERE ${open} AND (rule.kind = 'public' OR (rule.kind = 'followers' AND ${follows}) OR (rule.kind IN ('followers', 'subscribers', 'plan') AND ${subscribes})))`;
}

/**
 * True for rows of `collections` that `viewerId` may know of, for a query whose FROM holds that
 * table under its own name: nobody's once deleted; its creator, the team and moderators see it
 * held; a block, a ban or its being for adults hides it, and a leaving creator's is shown only to
 * who pays them.
 */
export function collectionListableTo(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  const creator = sql`"collections"."creator_id"`;
  const creatorIs = (column: string): SQL =>
    sql`EXISTS (SELECT 1 FROM people creator WHERE creator.id = ${creator} AND creator.${sql.raw(column)} IS NOT NULL)`;
  const living = sql`"collections"."deleted_at" IS NULL`;
  const ageClosed = isHiddenByAge(viewerId, creator, adultSpaces);
  const shown = sql`"collections"."held_at" IS NULL AND NOT ${creatorIs("banned_at")} AND NOT ${ageClosed}`;
  if (viewerId === null) return sql`(${living} AND ${shown} AND NOT ${creatorIs("leaving_at")})`;
  const works = sql`NOT ${creatorIs("banned_at")} AND NOT ${creatorIs("leaving_at")} AND NOT ${ageClosed}`;
  const blocked = isBlockedBetween(viewerId, creator);
  const pays = sql`(${isCollectionPurchased(viewerId)} OR ${subscribesTo(viewerId, creator, now)})`;
  return sql`(${living} AND (${creator} = ${viewerId} OR ${moderates(viewerId)} OR (${isInTeam(viewerId, creator)} AND ${works} AND NOT ${blocked})
    OR (${shown} AND (NOT ${creatorIs("leaving_at")} OR ${pays}) AND NOT ${blocked})))`;
}

/** True for rows of `collections` that `viewerId` bought and still holds. */
export function isCollectionPurchased(viewerId: Viewer): SQL {
  if (viewerId === null) return sql`0`;
  return sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.person_id = ${viewerId} AND bought.kind = 'collection' AND bought.target_id = "collections"."id" AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL)`;
}

/**
 * True for rows of `events` that `viewerId` may know of, for a query whose FROM holds that table
 * under its own name: its creator, the team and moderators see drafts; a block, a ban, a leaving
 * creator or a page for adults hides it from everyone else. Who has a seat keeps the page of a
 * creator who is banned or leaving, to cancel it.
 */
export function eventListableTo(viewerId: Viewer, adultSpaces: boolean): SQL {
  const creator = sql`"events"."creator_id"`;
  const gone = isGone(creator);
  const shown = sql`"events"."status" <> 'draft' AND NOT ${isHiddenByAge(viewerId, creator, adultSpaces)}`;
  const isThere = sql`"events"."held_at" IS NULL AND NOT ${gone}`;
  if (viewerId === null) return sql`(${shown} AND ${isThere})`;
  const hasSeat = sql`EXISTS (SELECT 1 FROM event_seats held WHERE held.person_id = ${viewerId} AND held.status = 'taken' AND held.event_id = "events"."id")`;
  return sql`(${creator} = ${viewerId} OR ${moderates(viewerId)} OR ${worksForPage(viewerId, creator, adultSpaces)}
    OR (${shown} AND ((${isThere}) OR ${hasSeat}) AND NOT ${isBlockedBetween(viewerId, creator)}))`;
}

/**
 * True for rows of `events` whose access rule admits `viewerId` at `now`, as a post's rule of that
 * kind does: subscribing to any plan includes what followers get. A creator who is banned or
 * leaving admits nobody, nor does an event that a moderator hid. Says nothing of who may know of
 * the event.
 */
export function eventOpenTo(viewerId: Viewer, now: Instant): SQL {
  const isShown = sql`"events"."held_at" IS NULL`;
  const isPublic = sql`"events"."access" = 'public'`;
  if (viewerId === null) return sql`(${isShown} AND ${isPublic})`;
  const creator = sql`"events"."creator_id"`;
  const follows = sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = ${creator})`;
  const byPlan = sql`EXISTS (SELECT 1 FROM subscriptions s WHERE s.fan_id = ${viewerId} AND s.creator_id = ${creator} AND ${givesAccess(now)}
    AND ("events"."access" <> 'plans' OR s.plan_id IN (SELECT chosen.value FROM json_each("events"."plan_ids") chosen)))`;
  return sql`(${isShown} AND (${creator} = ${viewerId} OR (NOT ${isGone(creator)} AND (${isPublic} OR ("events"."access" = 'followers' AND ${follows}) OR ${byPlan}))))`;
}

const isGone = (creator: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM people author WHERE author.id = ${creator} AND (author.banned_at IS NOT NULL OR author.leaving_at IS NOT NULL))`;

/** Enough to tell whether anything inside is open to somebody, however long the collection. */
const COVER_LOOKS_AT = 20;

/**
 * True for rows of `collections` whose cover `viewerId` may see whole; to everyone else who may
 * know of the collection it is a face, as the image of a closed post is. Whole for whom one of its
 * first posts is open, and where nothing is closed: not sold, and nothing inside.
 */
export function coverVisibleTo(viewerId: Viewer, now: Instant, adultSpaces: boolean): SQL {
  const creator = sql`"collections"."creator_id"`;
  const staff =
    viewerId === null
      ? sql`0`
      : sql`(${creator} = ${viewerId} OR ${moderates(viewerId)} OR ${isInTeam(viewerId, creator)})`;
  const first = sql`(SELECT placed.post_id AS id FROM collection_posts placed JOIN posts ready ON ready.id = placed.post_id AND ready.state = 'published' AND ready.deleted_at IS NULL AND ready.held_at IS NULL
    WHERE placed.collection_id = "collections"."id" ORDER BY placed.position, placed.post_id LIMIT ${sql.raw(String(COVER_LOOKS_AT))})`;
  const opens = sql`EXISTS (SELECT 1 FROM ${first} AS shown JOIN posts ON posts.id = shown.id WHERE ${visibleTo(viewerId, now, adultSpaces)})`;
  return sql`(${collectionListableTo(viewerId, now, adultSpaces)} AND (${staff} OR ${isCollectionPurchased(viewerId)} OR ${opens} OR ("collections"."price_cents" IS NULL AND NOT EXISTS (SELECT 1 FROM ${first}))))`;
}

/** Whether a person holds the sold files of a message (SQL expressions). */
export const isMessageBought = (messageId: SQL, personId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.target_id = ${messageId} AND bought.kind = 'message' AND bought.person_id = ${personId} AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL)`;

/**
 * Whether the file is in a message that `viewerId` can read: of their own conversation, or of a
 * page whose messages their role in its team may read. Not across a block, and not once it was
 * cleared; what somebody bought stays theirs. The files of a broadcast are for who got it, and for
 * the page that wrote it.
 */
export function isInMessageFor(viewerId: Viewer, mediaId: string): SQL<number> {
  if (viewerId === null) return sql<number>`0`;
  const readsFor = (
    personId: SQL,
  ) => sql`EXISTS (SELECT 1 FROM organizations team JOIN organization_members seat ON seat.organization_id = team.id JOIN people author ON author.id = team.owner_id
    WHERE team.owner_id = ${personId} AND team.deleted_at IS NULL AND seat.person_id = asked.viewer_id AND seat.removed_at IS NULL AND seat.role <> 'guest_member'
    AND author.banned_at IS NULL AND author.leaving_at IS NULL)`;
  const isBought = sql`(sent.price_cents IS NOT NULL AND ${isMessageBought(sql`sent.id`, sql`reader.person_id`)})`;
  const isReadable = sql`sent.files_id = attached.files_id AND sent.deleted_at IS NULL AND ((reader.person_id = asked.viewer_id AND ${isBought})
      OR (sent.seq > reader.cleared_seq AND (sent.price_cents IS NULL OR sent.sender_id = reader.person_id OR ${isBought})
        AND (reader.person_id = asked.viewer_id OR ${readsFor(sql`reader.person_id`)})
        AND NOT ${isBlockedBetween(sql`reader.person_id`, sql`reader.other_id`)}))`;
  const inMessage = sql`EXISTS (SELECT 1 FROM message_files attached CROSS JOIN messages sent ON sent.id = attached.files_id CROSS JOIN conversation_members reader ON reader.conversation_id = sent.conversation_id
    WHERE attached.media_id = asked.media_id AND ${isReadable})`;
  // Found by the recipient: a broadcast has as many messages as people.
  const readers = sql`(SELECT asked.viewer_id UNION SELECT team.owner_id FROM organization_members seat JOIN organizations team ON team.id = seat.organization_id WHERE seat.person_id = asked.viewer_id AND seat.removed_at IS NULL)`;
  const inBroadcast = sql`EXISTS (SELECT 1 FROM message_files attached CROSS JOIN broadcast_recipients got ON got.broadcast_id = attached.files_id AND got.person_id IN ${readers}
    CROSS JOIN messages sent ON sent.conversation_id = got.conversation_id AND sent.seq = got.seq CROSS JOIN conversation_members reader ON reader.conversation_id = got.conversation_id AND reader.person_id = got.person_id
    WHERE attached.media_id = asked.media_id AND ${isReadable})`;
  const inOwnBroadcast = sql`EXISTS (SELECT 1 FROM message_files attached CROSS JOIN broadcasts b ON b.id = attached.files_id
    WHERE attached.media_id = asked.media_id AND (b.creator_id = asked.viewer_id OR ${readsFor(sql`b.creator_id`)}))`;
  // The viewer is bound once: D1 takes at most 100 values a statement.
  return sql<number>`EXISTS (SELECT 1 FROM (SELECT ${viewerId} AS viewer_id, ${mediaId} AS media_id) asked WHERE ${inMessage} OR ${inBroadcast} OR ${inOwnBroadcast})`;
}

/** Whether the evidence of a report holds the file, and the viewer moderates. */
export function isEvidenceFor(viewerId: Viewer, mediaId: string) {
  return sql<number>`(EXISTS (SELECT 1 FROM report_media stored WHERE stored.media_id = ${mediaId}) AND EXISTS (SELECT 1 FROM people moderator WHERE moderator.id = ${viewerId} AND moderator.is_moderator = 1))`;
}
