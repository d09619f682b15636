import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { outboxMentionsPerson } from "#app/domain/outbox.server.ts";
import { DELETED_NAME } from "#app/domain/profiles/rules.ts";
import { notifications } from "#drizzle/schema/notifications.ts";

/**
 * The statements after which nothing is left of what a person was told, and what others were told
 * of them says no name. To run before the profile loses its name and the messages their words.
 */
export function eraseNotificationsStatements(
  ctx: Context,
  person: { personId: string; email: string },
): BatchWrite[] {
  const { personId } = person;
  const name = sql`(SELECT p.name FROM profiles p WHERE p.person_id = ${personId})`;
  // A message tells at most a few: its id, a colon and one digit.
  const ofMessages = sql`SUBSTR(${notifications.sourceKey}, 1, LENGTH(${notifications.sourceKey}) - 2) IN (SELECT outbox.id FROM outbox WHERE ${outboxMentionsPerson(person)})`;
  return [
    ctx.db.delete(notifications).where(eq(notifications.personId, personId)),
    // What they wrote with a tip was told with it, second after what they were told themselves.
    ctx.db
      .delete(notifications)
      .where(
        sql`${notifications.sourceKey} IN (SELECT 'tip:' || given.id || ':given:1' FROM tips given WHERE given.person_id = ${personId} AND given.message <> '')`,
      ),
    ctx.db
      .update(notifications)
      .set({ body: sql`REPLACE(${notifications.body}, ${name}, ${DELETED_NAME})` })
      .where(and(sql`INSTR(${notifications.body}, ${name}) > 0`, ofMessages)),
  ];
}

/**
 * Takes away up to `limit` notifications that came from messages whose key begins with `prefix`;
 * gives how many there were.
 */
export async function eraseNotificationsOf(
  ctx: Context,
  { prefix, limit }: { prefix: string; limit: number },
): Promise<number> {
  const told = sql`SELECT n.rowid FROM notifications n WHERE ${startsWith(sql`n.source_key`, prefix)} LIMIT ${limit}`;
  return (
    await ctx.db
      .delete(notifications)
      .where(sql`rowid IN (${told})`)
      .returning({ id: notifications.id })
  ).length;
}

/** The statements that take away what was told of comments: at most a few each. */
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
