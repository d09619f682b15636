import { and, asc, eq, gte, isNull, lt, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, listableTo, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { choicesOf } from "#app/domain/notifications/queries.server.ts";
import { DEFAULT_HOURS } from "#app/domain/notifications/rules/quiet-hours.ts";
import type { NotificationHours } from "#app/domain/notifications/rules/quiet-hours.ts";
import { muteKey } from "#app/domain/notifications/rules/deliveries.ts";
import type { RecipientSnapshot } from "#app/domain/notifications/rules/sending.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import {
  notificationDeliveries,
  notificationHours,
  postMutes,
  stoppedAddresses,
} from "#drizzle/schema/notifications.ts";

export type DeliveryRow = typeof notificationDeliveries.$inferSelect;
export type Recipient = RecipientSnapshot & { email: string };

/**
 * Returns the keys of up to `limit` deliveries that are due at `now`, the longest due first. What
 * goes to many people, new posts and newsletters, comes after the rest.
 */
export async function dueDeliveries(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const first = await dueOf(ctx, { now, limit, isFor: sql.raw("kind <> 'post'") });
  if (first.length === limit) return first;
  const rest = { now, limit: limit - first.length, isFor: sql.raw("kind = 'post'") };
  return [...first, ...(await dueOf(ctx, rest))];
}

/** `isFor` is the text of an index. */
async function dueOf(
  ctx: Context,
  { now, limit, isFor }: { now: Instant; limit: number; isFor: SQL },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ key: notificationDeliveries.key })
    .from(notificationDeliveries)
    .where(
      and(
        lte(notificationDeliveries.dueAt, now),
        isNull(notificationDeliveries.endedAt),
        isNull(notificationDeliveries.failedAt),
        isFor,
      ),
    )
    .orderBy(asc(notificationDeliveries.dueAt))
    .limit(limit);
  return rows.map(({ key }) => key);
}

/** Reads what the recipients of deliveries are and want now, by the delivery's key. */
export async function recipientsOf(
  ctx: Context,
  rows: readonly DeliveryRow[],
): Promise<Map<string, Recipient>> {
  const personIds = [...new Set(rows.map(({ personId }) => personId))];
  const [found, choices] = await Promise.all([
    ctx.db
      .select({
        key: notificationDeliveries.key,
        personId: people.id,
        email: people.email,
        isReachable: flag(
          sql`(${people.deletedAt} IS NULL AND ${people.bannedAt} IS NULL)`,
          "is_reachable",
        ),
        isSilenced: flag(isSilenced(), "is_silenced"),
        isOutdated: flag(isOutdated(ctx), "is_outdated"),
        hasBounced: flag(sql`(${stoppedAddresses.bouncedAt} IS NOT NULL)`, "has_bounced"),
        hasComplained: flag(sql`(${stoppedAddresses.complainedAt} IS NOT NULL)`, "has_complained"),
        timeZone: notificationHours.timeZone,
        quietFromMinute: notificationHours.quietFromMinute,
        quietUntilMinute: notificationHours.quietUntilMinute,
      })
      .from(notificationDeliveries)
      .innerJoin(people, sql`${people.id} = ${notificationDeliveries.personId}`)
      .leftJoin(notificationHours, sql`${notificationHours.personId} = ${people.id}`)
      .leftJoin(stoppedAddresses, sql`${stoppedAddresses.address} = lower(${people.email})`)
      .where(
        inJson(
          sql`${notificationDeliveries.key}`,
          rows.map(({ key }) => key),
        ),
      ),
    choicesOf(ctx, { personIds }),
  ]);
  return new Map(
    found.map((row) => {
      const { key, personId, email, isReachable, isSilenced, isOutdated } = row;
      return [
        key,
        {
          email,
          isReachable,
          isSilenced,
          isOutdated,
          choices: choices.get(personId) ?? [],
          hours: hoursFromRow(row),
          address: { hasBounced: row.hasBounced, hasComplained: row.hasComplained },
        },
      ];
    }),
  );
}

const flag = (expression: SQL, name: string) =>
  sql<boolean>`${expression}`.mapWith((value: number) => value === 1).as(name);

/** A row without a post, or that comes from nobody, matches nothing. */
function isSilenced(): SQL {
  const { personId, postId, fromId } = notificationDeliveries;
  const isPostMuted = sql`EXISTS (SELECT 1 FROM post_mutes pm WHERE pm.person_id = ${personId} AND pm.post_id = ${postId})`;
  const isMuted = sql`EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = ${personId} AND mute.muted_id = ${fromId})`;
  const isStopped = sql`EXISTS (SELECT 1 FROM newsletter_stops stop WHERE stop.person_id = ${personId} AND stop.creator_id = ${fromId} AND ${notificationDeliveries.kind} = 'post' AND ${notificationDeliveries.channel} = 'mail')`;
  return sql`(${isPostMuted} OR ${isMuted} OR ${isStopped} OR ${isBlockedBetween(sql`${personId}`, sql`${fromId}`)})`;
}

/** Kinds that lead to a post, or to a comment under one. */
const POST_KINDS = sql.raw("('post', 'comment', 'reply', 'mention', 'like')");
const POST_ID_STARTS_AT = "/post/".length + 1;
const ID_LENGTH = 32;
const COMMENT_ID_STARTS_AT = POST_ID_STARTS_AT + ID_LENGTH + "/comments/".length;
const CONVERSATION_ID_STARTS_AT = "/messages/".length + 1;

/**
 * Whether what a delivery says holds no more: its post, comment or conversation is out of sight, or
 * the person read the row in the list or the conversation. A newsletter leads nowhere yet.
 */
function isOutdated(ctx: Context): SQL {
  const { key, personId, kind, channel, content } = notificationDeliveries;
  const now = ctx.now();
  const { adultSpaces } = ctx.settings;
  const path = sql`json_extract(${content}, '$.path')`;
  const viewer = sql`${personId}`;
  const isPostClosed = sql`(${kind} IN ${POST_KINDS} AND ${path} LIKE '/post/%' AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.id = substr(${path}, ${POST_ID_STARTS_AT}, ${ID_LENGTH}) AND ${listableTo(viewer, now, adultSpaces)} AND (${kind} <> 'post' OR ${visibleTo(viewer, now, adultSpaces)})))`;
  const isCommentGone = sql`(${path} LIKE '/post/%/comments/%' AND NOT EXISTS (SELECT 1 FROM comments comment_row WHERE comment_row.id = substr(${path}, ${COMMENT_ID_STARTS_AT}, ${ID_LENGTH}) AND comment_row.deleted_at IS NULL AND comment_row.hidden_at IS NULL AND comment_row.held_at IS NULL))`;
  const isConversationRead = sql`(${kind} = 'message' AND EXISTS (SELECT 1 FROM conversation_members seat WHERE seat.conversation_id = substr(${path}, ${CONVERSATION_ID_STARTS_AT}) AND seat.person_id = ${personId} AND (seat.is_unread = 0 OR seat.muted_at IS NOT NULL)))`;
  const sourceKey = sql`CASE ${channel} WHEN 'push' THEN substr(${key}, 1, instr(${key}, ':push:') - 1) ELSE substr(${key}, 1, length(${key}) - length(':mail')) END`;
  const isRead = sql`EXISTS (SELECT 1 FROM notifications listed WHERE listed.source_key = ${sourceKey} AND listed.person_id = ${personId} AND listed.read_at IS NOT NULL)`;
  return sql`(${isPostClosed} OR ${isCommentGone} OR ${isConversationRead} OR ${isRead})`;
}

export const inJson = (expression: SQL, values: readonly string[]): SQL =>
  sql`${expression} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

type HoursRow = {
  timeZone: string | null;
  quietFromMinute: number | null;
  quietUntilMinute: number | null;
};

function hoursFromRow({
  timeZone,
  quietFromMinute,
  quietUntilMinute,
}: HoursRow): NotificationHours {
  if (timeZone === null) return DEFAULT_HOURS;
  return {
    timeZone,
    quiet:
      quietFromMinute === null || quietUntilMinute === null
        ? null
        : { fromMinute: quietFromMinute, untilMinute: quietUntilMinute },
  };
}

/** Reads a person's time zone and quiet hours. */
export async function hoursOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<NotificationHours> {
  const [row] = await ctx.db
    .select()
    .from(notificationHours)
    .where(eq(notificationHours.personId, personId));
  return row ? hoursFromRow(row) : DEFAULT_HOURS;
}

/** Returns who of the recipients muted the post that they are notified of, as `muteKey`. */
export async function postMutesOf(
  ctx: Context,
  drafts: readonly CategorizedNotification[],
): Promise<Set<string>> {
  const about = drafts.flatMap(({ personId, mutablePostId }) =>
    personId !== null && mutablePostId !== undefined ? [[personId, mutablePostId]] : [],
  );
  if (about.length === 0) return new Set();
  const pairs = sql`SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(${JSON.stringify(about)})`;
  const rows = await ctx.db
    .select({ personId: postMutes.personId, postId: postMutes.postId })
    .from(postMutes)
    .where(sql`(${postMutes.personId}, ${postMutes.postId}) IN (${pairs})`);
  return new Set(rows.map(({ personId, postId }) => muteKey(personId, postId)));
}

/** Returns those of the pairs of people of whom one blocked the other, each as "one:other". */
export async function blockedPairs(
  ctx: Context,
  pairs: readonly (readonly [string, string])[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const one = sql`json_extract(pair.value, '$[0]')`;
  const other = sql`json_extract(pair.value, '$[1]')`;
  const rows = await ctx.db.all<{ pair: string }>(
    sql`SELECT ${one} || ':' || ${other} AS "pair" FROM json_each(${JSON.stringify(pairs)}) pair WHERE ${isBlockedBetween(one, other)}`,
  );
  return new Set(rows.map(({ pair }) => pair));
}

/** Returns whether a person muted a post. */
export async function isPostMuted(
  ctx: Context,
  { personId, postId }: { personId: string; postId: string },
): Promise<boolean> {
  const rows = await ctx.db
    .select({ postId: postMutes.postId })
    .from(postMutes)
    .where(and(eq(postMutes.personId, personId), eq(postMutes.postId, postId)));
  return rows.length > 0;
}

/** Returns the keys of a message's deliveries in a channel that are to be sent. */
export async function deliveryKeys(
  ctx: Context,
  { outboxId, channel: wanted }: { outboxId: string; channel: "mail" | "push" },
): Promise<string[]> {
  const { key, endedAt, channel } = notificationDeliveries;
  const rows = await ctx.db
    .select({ key })
    .from(notificationDeliveries)
    // The key begins with the message's id and a colon; ";" follows ":".
    .where(
      and(gte(key, `${outboxId}:`), lt(key, `${outboxId};`), isNull(endedAt), eq(channel, wanted)),
    );
  return rows.map((row) => row.key);
}
