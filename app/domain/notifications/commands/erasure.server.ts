import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { outboxMentionsPerson } from "#app/domain/outbox.server.ts";
import { normalizedAddress } from "#app/domain/notifications/rules/addresses.ts";
import { DELETED_NAME } from "#app/domain/profiles/rules.ts";
import {
  newsletterStops,
  notificationChoices,
  notificationDeliveries,
  notificationDigests,
  notificationHours,
  notifications,
  postMutes,
  pushDevices,
  stoppedAddresses,
} from "#drizzle/schema/notifications.ts";

/**
 * Erases a person's notifications, and their name from those of others. Runs before the profile
 * loses its name and the messages their payload.
 */
export function eraseNotificationsStatements(
  ctx: Context,
  person: { personId: string; email: string },
): BatchWrite[] {
  const { personId } = person;
  const name = sql`(SELECT p.name FROM profiles p WHERE p.person_id = ${personId})`;
  // A message makes at most a few notifications. Their key is its id, a colon and one digit.
  const ofDeliveries = sql`${deliverySource} IN (SELECT outbox.id FROM outbox WHERE ${outboxMentionsPerson(person)})`;
  // A delivery's text is JSON, in which a name may be escaped.
  const written = sql`SUBSTR(json_quote(${name}), 2, LENGTH(json_quote(${name})) - 2)`;
  const tipWithMessage = sql`(SELECT 'tip:' || given.id || ':given' FROM tips given WHERE given.person_id = ${personId} AND given.message <> '')`;
  const ofMessages = sql`SUBSTR(${notifications.sourceKey}, 1, LENGTH(${notifications.sourceKey}) - 2) IN (SELECT outbox.id FROM outbox WHERE ${outboxMentionsPerson(person)})`;
  return [
    ctx.db.delete(notifications).where(eq(notifications.personId, personId)),
    eraseAddressesStatement(ctx, person),
    ctx.db.delete(notificationChoices).where(eq(notificationChoices.personId, personId)),
    ctx.db.delete(notificationDigests).where(eq(notificationDigests.personId, personId)),
    ctx.db.delete(notificationHours).where(eq(notificationHours.personId, personId)),
    ctx.db.delete(postMutes).where(eq(postMutes.personId, personId)),
    ctx.db.delete(pushDevices).where(eq(pushDevices.personId, personId)),
    ctx.db
      .delete(newsletterStops)
      .where(or(eq(newsletterStops.personId, personId), eq(newsletterStops.creatorId, personId))),
    ctx.db
      .delete(notificationDeliveries)
      .where(
        or(
          eq(notificationDeliveries.personId, personId),
          eq(notificationDeliveries.fromId, personId),
        ),
      ),
    ctx.db
      .update(notifications)
      .set({
        body: sql`${DELETED_NAME} || SUBSTR(${notifications.body}, LENGTH(${notifications.groupActorName}) + 1)`,
        groupActorName: DELETED_NAME,
      })
      .where(eq(notifications.groupActorId, personId)),
    ctx.db
      .delete(notificationDeliveries)
      .where(and(isWaiting(), sql`${deliverySource} IN ${tipWithMessage}`)),
    ctx.db
      .update(notificationDeliveries)
      .set({
        content: sql`REPLACE(${notificationDeliveries.content}, ${written}, ${DELETED_NAME})`,
      })
      .where(
        and(
          isWaiting(),
          sql`INSTR(${notificationDeliveries.content}, ${written}) > 0`,
          ofDeliveries,
        ),
      ),
    // The receiver's notification of a tip shows the giver's message. Its index is 1, after the
    // giver's own.
    ctx.db
      .delete(notifications)
      .where(
        sql`${notifications.sourceKey} IN (SELECT 'tip:' || given.id || ':given:1' FROM tips given WHERE given.person_id = ${personId} AND given.message <> '')`,
      ),
    ctx.db
      .update(notifications)
      .set({ body: sql`REPLACE(${notifications.body}, ${name}, ${DELETED_NAME})` })
      .where(
        and(
          isNull(notifications.groupActorId),
          sql`INSTR(${notifications.body}, ${name}) > 0`,
          ofMessages,
        ),
      ),
  ];
}

/** What was reported about the person's addresses, also about earlier ones. */
const eraseAddressesStatement = (
  ctx: Context,
  { personId, email }: { personId: string; email: string },
): BatchWrite =>
  ctx.db
    .delete(stoppedAddresses)
    .where(
      sql`${stoppedAddresses.address} = ${normalizedAddress(email)} OR ${stoppedAddresses.address} IN (SELECT lower(former.email) FROM former_emails former WHERE former.person_id = ${personId})`,
    );

/** The id of a delivery's message: its key goes on with a digit and the channel. */
const deliverySource = sql`SUBSTR(${notificationDeliveries.key}, 1, CASE ${notificationDeliveries.channel} WHEN 'push' THEN INSTR(${notificationDeliveries.key}, ':push:') ELSE LENGTH(${notificationDeliveries.key}) - LENGTH('mail') END - LENGTH(':1') - 1)`;

/** What ended is forgotten within days. */
const isWaiting = (): SQL => isNull(notificationDeliveries.endedAt);

/** Erases up to `limit` notifications whose source key starts with `prefix`. Returns the number. */
export async function eraseNotificationsOf(
  ctx: Context,
  { prefix, limit }: { prefix: string; limit: number },
): Promise<number> {
  const oldNotifications = sql`SELECT n.rowid FROM notifications n WHERE ${startsWith(sql`n.source_key`, prefix)} LIMIT ${limit}`;
  return (
    await ctx.db
      .delete(notifications)
      .where(sql`rowid IN (${oldNotifications})`)
      .returning({ id: notifications.id })
  ).length;
}

/** Erases up to `limit` mutes and deliveries of a post each. Returns the number. */
export async function eraseDeliveriesOfPost(
  ctx: Context,
  { postId, limit }: { postId: string; limit: number },
): Promise<number> {
  const rowsOf = (table: string) =>
    sql.raw(`SELECT rowid FROM ${table} WHERE post_id = `).append(sql`${postId} LIMIT ${limit}`);
  const [muted, delivered] = await ctx.db.batch([
    ctx.db
      .delete(postMutes)
      .where(sql`rowid IN (${rowsOf("post_mutes")})`)
      .returning({ postId: postMutes.postId }),
    ctx.db
      .delete(notificationDeliveries)
      .where(sql`rowid IN (${rowsOf("notification_deliveries")})`)
      .returning({ key: notificationDeliveries.key }),
  ]);
  return muted.length + delivered.length;
}

/** Builds the statements that erase the notifications of comments: at most a few each. */
export function eraseCommentNotificationsStatements(
  ctx: Context,
  commentIds: readonly string[],
): BatchWrite[] {
  return commentIds.map((id) =>
    ctx.db
      .delete(notifications)
      .where(startsWith(sql`${notifications.sourceKey}`, `comment:${id}:`)),
  );
}

/** A range of the index on the key, which LIKE would not use. */
const startsWith = (key: SQL, prefix: string): SQL =>
  sql`${key} >= ${prefix} AND ${key} < ${`${prefix}\uffff`}`;
