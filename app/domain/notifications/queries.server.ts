import { and, asc, desc, eq, gt, gte, isNull, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isNotificationKind, isWanted } from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationChoice } from "#app/domain/notifications/rules/kinds.ts";
import { isFanOut, isOutboxWaiting, outboxWaitingSince } from "#app/domain/outbox.server.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { FORMER_EMAIL_DAYS } from "#app/domain/identity/contacts/rules/former-emails.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { formerEmails, people } from "#drizzle/schema/identity.ts";
import {
  newsletterStops,
  notificationChoices,
  notificationDigests,
  notifications,
  unreadNotifications,
} from "#drizzle/schema/notifications.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { creatorOfSubject } from "./schema.ts";
import type { NotificationFilter, NotificationRow, UnsubscribeSubject } from "./schema.ts";

/** Replaces the text of an adult page's notification, for a reader who was not verified as an adult. */
const CLOSED_BODY = "Uma publicação que não está disponível para você agora.";

/**
 * Whether a notification leads to a post, or a comment under one, that the reader's age closes to
 * them.
 */
function isAgeClosed(ctx: Context, personId: string): SQL {
  const closed = isHiddenByAge(personId, sql`notified_post.author_id`, ctx.settings.adultSpaces);
  return sql`EXISTS (SELECT 1 FROM posts notified_post WHERE notified_post.id = substr(${notifications.path}, ${POST_ID_STARTS_AT}, ${POST_ID_LENGTH}) AND ${notifications.path} LIKE '/post/%' AND ${closed})`;
}

/** Replaces the text of a notification whose post was withdrawn: its title goes with it. */
const WITHDRAWN_BODY = "Uma publicação que não está mais no ar.";

/**
 * Whether a notification leads to a post, or a comment under one, that is deleted, held or no
 * longer published. Its author still reads what it was about.
 */
function isWithdrawn(personId: string): SQL {
  return sql`(${notifications.path} LIKE '/post/%' AND NOT EXISTS (SELECT 1 FROM posts notified_post WHERE notified_post.id = substr(${notifications.path}, ${POST_ID_STARTS_AT}, ${POST_ID_LENGTH})
    AND (notified_post.author_id = ${personId} OR (notified_post.state = 'published' AND notified_post.held_at IS NULL AND notified_post.deleted_at IS NULL))))`;
}

const POST_ID_STARTS_AT = "/post/".length + 1;
const POST_ID_LENGTH = 32;

type ListedNotifications = {
  personId: string;
  cursor: string | null;
  limit: number;
  filter?: NotificationFilter;
  /** Only those after this instant. */
  since?: Instant;
  /** Only those up to this instant. */
  until?: Instant;
};

/**
 * Returns a person's notifications, newest first: all of them, the unread ones, or one section's.
 * However many there are, it reads as many rows as it returns.
 */
export async function memberNotifications(
  ctx: Context,
  { personId, cursor, limit, filter = "all", since, until }: ListedNotifications,
): Promise<Page<NotificationRow>> {
  const after = decodeCursor(cursor);
  const statement = ctx.db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      body: sql<string>`CASE WHEN ${isWithdrawn(personId)} THEN ${WITHDRAWN_BODY} WHEN ${isAgeClosed(ctx, personId)} THEN ${CLOSED_BODY} ELSE ${notifications.body} END`.as(
        "shown_body",
      ),
      path: notifications.path,
      readAt: notifications.readAt,
      createdAt: notifications.createdAt,
    })
    .from(notifications)
    .where(
      and(
        eq(notifications.personId, personId),
        isListed(filter),
        since === undefined ? undefined : gt(notifications.createdAt, since),
        until === undefined ? undefined : lte(notifications.createdAt, until),
        after
          ? sql`(${notifications.createdAt}, ${notifications.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit + 1);
  // A batch of one joins what the rest of the page reads.
  const [rows] = await ctx.db.batch([statement]);
  return pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

function isListed(filter: NotificationFilter): SQL | undefined {
  if (filter === "all") return undefined;
  return filter === "unread" ? isNull(notifications.readAt) : eq(notifications.section, filter);
}

/** Builds the statement behind `unreadCount`, for a page's batch. It reads one row. */
export function unreadStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({ count: unreadNotifications.count })
    .from(unreadNotifications)
    .where(eq(unreadNotifications.personId, personId));
}

/** Counts a person's unread notifications. */
export async function unreadCount(ctx: Context, person: { personId: string }): Promise<number> {
  const [row] = await unreadStatement(ctx, person);
  return row?.count ?? 0;
}

/**
 * Counts a person's unread notifications after `since` and up to `until`; at most 100. It reads a
 * row for each.
 */
export async function unreadCountBetween(
  ctx: Context,
  { personId, since, until }: { personId: string; since: Instant; until: Instant },
): Promise<number> {
  const unread = ctx.db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.personId, personId),
        isNull(notifications.readAt),
        gt(notifications.createdAt, since),
        lte(notifications.createdAt, until),
      ),
    )
    .limit(100)
    .as("unread");
  const [row] = await ctx.db.select({ count: sql<number>`COUNT(*)` }).from(unread);
  return row?.count ?? 0;
}

export type UndeliveredMessage = {
  id: string;
  /** The payload as it was announced. */
  payload: Record<string, unknown>;
  progress: string | null;
  createdAt: Instant;
};

/** Reads a message that was not delivered yet, or null. */
export async function undeliveredMessage(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<UndeliveredMessage | null> {
  const [row] = await ctx.db
    .select({
      id: outbox.id,
      payload: outbox.payload,
      progress: outbox.progress,
      createdAt: outbox.createdAt,
    })
    .from(outbox)
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt), isNull(outbox.quarantinedAt)))
    .limit(1);
  return row ?? null;
}

export type AudiencePage = {
  personIds: string[];
  /** Those of them who want no row of it in their list. */
  unlistedIds: ReadonlySet<string>;
  /** The cursor of the next page; null at the end. */
  next: string | null;
};

/**
 * Reads one page of the followers and subscribers of a post's author, by id after `after`, at most
 * `limit`. Returns only those who can see the post now. Each page reads the same number of rows,
 * however many follow.
 */
export async function audiencePage(
  ctx: Context,
  { postId, after, limit }: { postId: string; after: string; limit: number },
): Promise<AudiencePage> {
  const now = ctx.now();
  const author = sql`(SELECT notified_post.author_id FROM posts notified_post WHERE notified_post.id = ${postId})`;
  const followers = sql`SELECT * FROM (SELECT follower_id AS person_id FROM follows WHERE creator_id = ${author} AND follower_id > ${after} ORDER BY follower_id LIMIT ${limit})`;
  const fans = sql`SELECT * FROM (SELECT DISTINCT fan_id AS person_id FROM subscriptions WHERE creator_id = ${author} AND fan_id > ${after} ORDER BY fan_id LIMIT ${limit})`;
  const isUnlisted = sql`EXISTS (SELECT 1 FROM notification_choices choice WHERE choice.person_id = audience.person_id AND choice.kind = 'post' AND choice.channel = 'app' AND choice.is_on = 0)`;
  const hears = sql`NOT EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = audience.person_id AND mute.muted_id = posts.author_id)`;
  const maySee = sql`${hears} AND posts.state = 'published' AND audience.person_id <> posts.author_id AND ${visibleTo(sql`audience.person_id`, now, ctx.settings.adultSpaces)}`;
  const rows = await ctx.db.all<{ personId: string; isReader: number; isUnlisted: number }>(sql`
    SELECT audience.person_id AS "personId", (${maySee}) AS "isReader", ${isUnlisted} AS "isUnlisted"
    FROM (SELECT person_id FROM (${followers} UNION ${fans}) ORDER BY person_id LIMIT ${limit}) audience JOIN posts ON posts.id = ${postId}
    ORDER BY audience.person_id`);
  const readers = rows.filter((row) => row.isReader === 1);
  return {
    personIds: readers.map((row) => row.personId),
    unlistedIds: new Set(readers.filter((row) => row.isUnlisted === 1).map((row) => row.personId)),
    next: rows.length === limit ? (rows.at(-1)?.personId ?? null) : null,
  };
}

/**
 * Returns up to `limit` undelivered messages that are in no queue and wait since before `before`
 * (real time), oldest first. A failed message waits for its next attempt. `toMany` chooses those to
 * many people, or the others.
 */
export async function waitingOutbox(
  ctx: Context,
  { before, limit, toMany }: { before: Instant; limit: number; toMany?: boolean },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        isOutboxWaiting("outbox"),
        sql`${outboxWaitingSince("outbox")} < ${before}`,
        toMany === undefined
          ? undefined
          : toMany
            ? isFanOut("outbox")
            : sql`NOT ${isFanOut("outbox")}`,
        isRetryDue(ctx, outbox.id),
      ),
    )
    .orderBy(outboxWaitingSince("outbox"), outbox.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Returns what people chose, by person. */
export async function choicesOf(
  ctx: Context,
  { personIds }: { personIds: readonly string[] },
): Promise<Map<string, NotificationChoice[]>> {
  const rows = await ctx.db
    .select()
    .from(notificationChoices)
    .where(
      sql`${notificationChoices.personId} IN (SELECT value FROM json_each(${JSON.stringify(personIds)}))`,
    );
  return Map.groupBy(rows, ({ personId }) => personId);
}

/** Returns whether a person stopped the emails that an email's address is about. */
export async function areEmailsStopped(
  ctx: Context,
  { personId, kind }: { personId: string; kind: UnsubscribeSubject },
): Promise<boolean> {
  if (kind === "digest") {
    const digests = await ctx.db
      .select({ personId: notificationDigests.personId })
      .from(notificationDigests)
      .where(eq(notificationDigests.personId, personId));
    return digests.length === 0;
  }
  const creatorId = creatorOfSubject(kind);
  if (creatorId !== null) {
    const stops = await ctx.db
      .select({ creatorId: newsletterStops.creatorId })
      .from(newsletterStops)
      .where(and(eq(newsletterStops.personId, personId), eq(newsletterStops.creatorId, creatorId)));
    return stops.length > 0;
  }
  if (!isNotificationKind(kind)) return false;
  const choices = await choicesOf(ctx, { personIds: [personId] });
  return !isWanted(choices.get(personId) ?? [], kind, "mail");
}

/** Returns the creators whose posts a person stopped by email, up to a hundred, by name. */
export async function stoppedCreators(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ id: string; name: string }[]> {
  return await ctx.db
    .select({ id: newsletterStops.creatorId, name: profiles.name })
    .from(newsletterStops)
    .innerJoin(profiles, eq(profiles.personId, newsletterStops.creatorId))
    .where(eq(newsletterStops.personId, personId))
    .orderBy(asc(profiles.name), asc(newsletterStops.creatorId))
    .limit(STOPPED_AT_MOST);
}

const STOPPED_AT_MOST = 100;

/** Returns people's e-mails. Leaves out deleted people. */
export async function emailsOfPeople(
  ctx: Context,
  { personIds }: { personIds: string[] },
): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select({ id: people.id, email: people.email })
    .from(people)
    .where(
      and(
        sql`${people.id} IN (SELECT value FROM json_each(${JSON.stringify(personIds)}))`,
        isNull(people.deletedAt),
      ),
    );
  return new Map(rows.map((row) => [row.id, row.email]));
}

/**
 * Returns the e-mails that a person replaced within thirty days, oldest first, with when. Empty for
 * deleted people.
 */
export async function recentFormerEmails(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ email: string; leftAt: Instant }[]> {
  return await ctx.db
    .select({ email: formerEmails.email, leftAt: formerEmails.leftAt })
    .from(formerEmails)
    .innerJoin(
      people,
      and(
        eq(people.id, formerEmails.personId),
        isNull(people.deletedAt),
        sql`${people.email} <> ${formerEmails.email}`,
      ),
    )
    .where(
      and(
        eq(formerEmails.personId, personId),
        gte(formerEmails.leftAt, addDays(ctx.now(), -FORMER_EMAIL_DAYS)),
      ),
    )
    .orderBy(asc(formerEmails.leftAt), asc(formerEmails.email))
    .limit(FORMER_EMAILS_AT_MOST);
}

/** More than anybody replaces in that time. */
const FORMER_EMAILS_AT_MOST = 10;
