import { and, eq, sql } from "drizzle-orm";
import { commit, mustChange, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { broadcastById } from "#app/domain/broadcasts/queries.server.ts";
import {
  broadcastSender,
  nextRecipients,
  recipientsSql,
} from "#app/domain/broadcasts/queries/recipients.server.ts";
import type { PageRecipient } from "#app/domain/broadcasts/queries/recipients.server.ts";
import {
  BROADCAST_LEASE_MS,
  BROADCAST_NOTIFIED_TOGETHER,
  BROADCAST_PAGE,
  canDeliver,
  personalText,
} from "#app/domain/broadcasts/rules.ts";
import type { BroadcastState } from "#app/domain/broadcasts/rules.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import type { BroadcastMessage } from "#app/domain/broadcasts/schema/outbox.ts";
import type { Context } from "#app/domain/context.ts";
import { broadcastMessagesStatements } from "#app/domain/messages/commands/broadcast-statements.server.ts";
import type {
  BroadcastDelivery,
  SharedFiles,
} from "#app/domain/messages/commands/broadcast-statements.server.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { broadcastRecipients, broadcasts } from "#drizzle/schema/broadcasts.ts";

/** The same for every page, and no key that a person's message can have. */
const messageKey = (broadcastId: string): string => `broadcast:${broadcastId}`;

/**
 * Sends the next page of a broadcast, and queues the page after it. A due one starts first.
 *
 * INVARIANT: everybody who was in the segment when it started gets exactly one message, or is
 * skipped. The start writes one row a person. A page is one batch: its messages, the rows of its
 * recipients, and the progress, which it moves from where it was read. A killed run wrote all of a
 * page or nothing, and of two runs of one page the second is refused whole. The key of a message is
 * unique in its conversation as well.
 */
export async function sendBroadcastPage(
  ctx: Context,
  { broadcastId }: { broadcastId: string },
): Promise<void> {
  const broadcast = await started(ctx, broadcastId);
  if (broadcast?.state !== "sending") return;
  const page = await retryOnConflict(() => sendPage(ctx, broadcast));
  if (page === null) return;
  await Promise.all(page.deliveredTo.map((personId) => ctx.live.changed(inboxTopic(personId))));
  await ctx.queues.fanOut.sendAll(
    page.outboxIds.map((id) => ({ version: 1, type: "outbox.deliver", id })),
  );
  if (page.hasMore)
    await ctx.queues.fanOut.send({ version: 1, type: "broadcast.send", id: broadcastId });
}

/** Starts a due broadcast: fixes its recipients. A creator who left or was banned sends nothing. */
async function started(ctx: Context, id: string): Promise<Broadcast | null> {
  const found = await broadcastById(ctx, { id });
  const now = ctx.now();
  if (!found || found.state !== "scheduled" || found.sendAt === null || found.sendAt > now)
    return found;
  const own = eq(broadcasts.id, id);
  // A change between the read and the batch is started by the next run, with its own recipients.
  const isDue = and(
    own,
    eq(broadcasts.state, "scheduled"),
    sql`${broadcasts.sendAt} <= ${now}`,
    eq(broadcasts.body, found.text),
    eq(broadcasts.segment, found.segment),
    eq(broadcasts.planIds, found.planIds),
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(broadcasts)
          .set({
            state: "sending" satisfies BroadcastState,
            startedAt: now,
            enqueuedUntil: ctx.realNow() + BROADCAST_LEASE_MS,
          })
          .where(isDue),
      ),
      ctx.db
        .insert(broadcastRecipients)
        .select(
          sql`SELECT ${id}, found.person_id, NULL, NULL FROM (${recipientsSql(ctx, found)}) found WHERE 1`,
        ),
      ctx.db
        .update(broadcasts)
        .set({
          recipientCount: sql`(SELECT COUNT(*) FROM broadcast_recipients r WHERE r.broadcast_id = ${id})`,
        })
        .where(own),
    ]);
  } catch (error) {
    // Another run started it, or it was canceled or moved meanwhile.
    if (!(error instanceof StaleWrite)) throw error;
  }
  return await broadcastById(ctx, { id });
}

type SentPage = { deliveredTo: string[]; outboxIds: string[]; hasMore: boolean };

/** Writes one page in one batch. Null if another run moved the broadcast, or it was canceled. */
async function sendPage(ctx: Context, read: Broadcast): Promise<SentPage | null> {
  const broadcast = await broadcastById(ctx, read);
  if (broadcast?.state !== "sending" || broadcast.progress !== read.progress) return null;
  const sender = await broadcastSender(ctx, broadcast);
  if (sender.isGone) {
    await commit(ctx.db, [
      moveStatement(ctx, broadcast, { state: "canceled", endedAt: ctx.now() }),
    ]);
    return null;
  }
  const recipients = await nextRecipients(ctx, broadcast);
  const delivered = recipients.filter(canDeliver);
  const deliveries = delivered.map((recipient) => deliveryTo(ctx, broadcast, recipient));
  const notifications = notificationsOf(broadcast, delivered, deliveries);
  const hasMore = recipients.length === BROADCAST_PAGE;
  await commit(ctx.db, [
    moveStatement(ctx, broadcast, {
      progress: recipients.at(-1)?.personId ?? broadcast.progress,
      deliveredCount: broadcast.deliveredCount + delivered.length,
      skippedCount: broadcast.skippedCount + recipients.length - delivered.length,
      enqueuedUntil: ctx.realNow() + BROADCAST_LEASE_MS,
      ...(hasMore ? {} : { state: "sent" satisfies BroadcastState, endedAt: ctx.now() }),
    }),
    ...deliveryStatements(ctx, broadcast, deliveries),
    ...notifications.map(({ outboxId, recipients: notified }) =>
      announce<BroadcastMessage>(ctx, outboxId, {
        type: "broadcast.delivered",
        senderId: broadcast.creatorId,
        senderName: sender.name,
        recipients: notified,
      }),
    ),
  ]);
  return {
    deliveredTo: deliveries.map(({ personId }) => personId),
    outboxIds: notifications.map(({ outboxId }) => outboxId),
    hasMore,
  };
}

/** Changes a running broadcast. Refuses the batch if its progress or state is not as read. */
const moveStatement = (
  ctx: Context,
  { id, progress }: Broadcast,
  set: Partial<typeof broadcasts.$inferInsert>,
) =>
  mustChangeOne(
    ctx.db
      .update(broadcasts)
      .set(set)
      .where(
        and(
          eq(broadcasts.id, id),
          eq(broadcasts.state, "sending"),
          sql`${broadcasts.progress} IS ${progress}`,
        ),
      ),
  );

const deliveryTo = (
  ctx: Context,
  { text }: Broadcast,
  { personId, name, conversationId }: PageRecipient,
): BroadcastDelivery => ({
  personId,
  conversationId: conversationId ?? ctx.newId(),
  isFirst: conversationId === null,
  text: personalText(text, name),
});

/** The notifications of those who did not mute the conversation, some people in each. */
function notificationsOf(
  { id }: Broadcast,
  delivered: readonly PageRecipient[],
  deliveries: readonly BroadcastDelivery[],
) {
  const notified = deliveries.flatMap(({ personId, conversationId }, index) =>
    delivered[index]?.isMuted ? [] : [{ personId, conversationId }],
  );
  const parts = Math.ceil(notified.length / BROADCAST_NOTIFIED_TOGETHER);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * BROADCAST_NOTIFIED_TOGETHER;
    const recipients = notified.slice(from, from + BROADCAST_NOTIFIED_TOGETHER);
    return { outboxId: `broadcast:${id}:${recipients[0]?.personId}`, recipients };
  });
}

/** The messages of a page, and where each recipient got theirs. */
function deliveryStatements(
  ctx: Context,
  broadcast: Broadcast,
  deliveries: readonly BroadcastDelivery[],
): BatchWrite[] {
  if (deliveries.length === 0) return [];
  const { id, creatorId, writtenById } = broadcast;
  const people = JSON.stringify(deliveries.map(({ personId }) => personId));
  const conversation = (column: "id" | "last_seq") =>
    sql`(SELECT c.${sql.raw(column)} FROM conversations c
      WHERE c.low_id = MIN(${broadcastRecipients.personId}, ${creatorId}) AND c.high_id = MAX(${broadcastRecipients.personId}, ${creatorId}))`;
  return [
    ...broadcastMessagesStatements(ctx, {
      senderId: creatorId,
      writtenById,
      clientMessageId: messageKey(id),
      sharedFiles: sharedFilesOf(broadcast),
      deliveries,
    }),
    mustChange(
      deliveries.length,
      ctx.db
        .update(broadcastRecipients)
        .set({ conversationId: conversation("id"), seq: conversation("last_seq") })
        .where(
          and(
            eq(broadcastRecipients.broadcastId, id),
            sql`${broadcastRecipients.personId} IN (SELECT one.value FROM json_each(${people}) one)`,
          ),
        ),
    ),
  ];
}

/** All messages share the files of the broadcast: each is stored once. */
const sharedFilesOf = ({ id, files, isSensitive, priceCents }: Broadcast): SharedFiles | null =>
  files.length === 0 ? null : { filesId: id, isSensitive, priceCents };
