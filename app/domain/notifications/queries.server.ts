import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import type { NotificationRow } from "./schema.ts";

/** What a person was told, newest first. */
export async function notificationsOf(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<Page<NotificationRow>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      body: notifications.body,
      path: notifications.path,
      readAt: notifications.readAt,
      createdAt: notifications.createdAt,
    })
    .from(notifications)
    .where(and(eq(notifications.personId, personId), after ? sql`(${notifications.createdAt}, ${notifications.id}) < (${after.at}, ${after.id})` : undefined))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The statement behind `unreadCount`, for a page's batch; it counts at most 100. */
export function unreadStatement(ctx: Context, { personId }: { personId: string }) {
  const unread = ctx.db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.personId, personId), isNull(notifications.readAt)))
    .limit(100)
    .as("unread");
  return ctx.db.select({ count: sql<number>`COUNT(*)` }).from(unread);
}

/** How many a person has not seen, up to 100. */
export async function unreadCount(ctx: Context, { personId }: { personId: string }): Promise<number> {
  const [row] = await unreadStatement(ctx, { personId });
  return row?.count ?? 0;
}

export type Waiting = { id: string; message: OutboxMessage; createdAt: Instant };

/** A message that nobody told yet, or null. */
export async function waitingMessage(ctx: Context, { outboxId }: { outboxId: string }): Promise<Waiting | null> {
  const [row] = await ctx.db
    .select({ id: outbox.id, payload: outbox.payload, createdAt: outbox.createdAt })
    .from(outbox)
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt), isNull(outbox.quarantinedAt)))
    .limit(1);
  // Only `announce` writes here, and it takes nothing but an OutboxMessage.
  return row ? { id: row.id, message: row.payload as OutboxMessage, createdAt: row.createdAt } : null;
}

/** Messages written before `before` (real time) that nobody told, oldest first. */
export async function waitingOutbox(ctx: Context, { before, limit }: { before: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNull(outbox.handledAt), isNull(outbox.quarantinedAt), lt(outbox.createdAt, before)))
    .orderBy(outbox.createdAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

export async function emailsOf(ctx: Context, { personIds }: { personIds: string[] }): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select({ id: people.id, email: people.email })
    .from(people)
    .where(sql`${people.id} IN (SELECT value FROM json_each(${JSON.stringify(personIds)}))`);
  return new Map(rows.map((row) => [row.id, row.email]));
}
