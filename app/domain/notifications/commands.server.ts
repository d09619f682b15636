import { and, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { outboxDeliveredStatement } from "#app/domain/outbox.server.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";
import { UNDO_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { sendMails } from "./commands/mails.server.ts";
import { notifyAudiencePage, notifyEveryonePage } from "./commands/fan-out.server.ts";
import { rowStatements } from "./commands/rows.server.ts";
import { pushStatements } from "./commands/devices.server.ts";
import { deliveryStatements, sendDeliveries } from "./commands/sending.server.ts";
import { peopleWithDevices } from "./queries/devices.server.ts";
import { blockedPairs, deliveryKeys, postMutesOf } from "./queries/sending.server.ts";
import { notificationDeliveries, notifications } from "#drizzle/schema/notifications.ts";
import { choicesOf, recentFormerEmails, undeliveredMessage } from "./queries.server.ts";

/**
 * Delivers an outbox message. Sends its urgent emails first, each once by its key. Then commits the
 * notifications, the deliveries of the other emails and the message's stamp in one batch, and tries
 * those deliveries. Safe to repeat and to be killed anywhere. Does nothing for a delivered message.
 * If an urgent email cannot be sent, it writes the notifications without the stamp and throws the
 * failure.
 */
export async function deliverOutboxMessage(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  const waiting = await undeliveredMessage(ctx, { outboxId });
  if (!waiting) return;
  const announced = ctx.renderNotifications(waiting.payload);
  if ("postId" in announced) return await notifyAudiencePage(ctx, waiting, announced);
  if ("key" in announced) return await notifyEveryonePage(ctx, waiting, announced);
  const rendered = await withoutTextsOfBlocked(ctx, announced);
  const drafts = [...rendered, ...(await formerAddressEmails(ctx, rendered))];
  const personIds = drafts.flatMap(({ personId }) => personId ?? []);
  const [choices, postMutes, withDevices] = await Promise.all([
    choicesOf(ctx, { personIds }),
    postMutesOf(ctx, drafts),
    peopleWithDevices(ctx, { personIds }),
  ]);
  const delivery = { outboxId, drafts, choices, postMutes };
  const rows = rowStatements(ctx, delivery);
  const pushes = pushStatements(ctx, delivery, withDevices);
  const deliveries = [...deliveryStatements(ctx, delivery), ...pushes];
  try {
    await sendMails(ctx, delivery);
  } catch (error) {
    // A group would count a repeated delivery twice: it waits for the stamp.
    const safe = [...rows.single, ...pushes];
    if (safe.length > 0) await commit(ctx.db, safe);
    throw error;
  }
  try {
    await commit(ctx.db, [
      mustChangeOne(outboxDeliveredStatement(ctx, { outboxId })),
      ...rows.single,
      ...rows.grouped,
      ...deliveries,
    ]);
  } catch (error) {
    // Another delivery of the same message was faster.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (deliveries.length > 0)
    await sendDeliveries(ctx, { keys: await deliveryKeys(ctx, { outboxId, channel: "mail" }) });
  // A push service may be slow, and nobody's notice waits for it.
  if (pushes.length > 0)
    await ctx.queues.fanOut.send({ version: 1, type: "outbox.push", id: outboxId });
}

/** Sends the pushes of a delivered message. Safe to repeat; the cron sends what it leaves. */
export async function sendPushesOf(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  await sendDeliveries(ctx, { keys: await deliveryKeys(ctx, { outboxId, channel: "push" }) });
}

/** Replaces the text of what comes from somebody whom the recipient blocked, or who blocked them. */
async function withoutTextsOfBlocked(
  ctx: Context,
  drafts: readonly CategorizedNotification[],
): Promise<CategorizedNotification[]> {
  const blocked = await blockedPairs(
    ctx,
    drafts.flatMap(({ personId, ifBlocked }) =>
      personId !== null && ifBlocked ? [[personId, ifBlocked.fromId] as const] : [],
    ),
  );
  return drafts.map(({ ifBlocked, ...draft }) =>
    ifBlocked && blocked.has(`${draft.personId}:${ifBlocked.fromId}`)
      ? { ...draft, body: ifBlocked.body, mail: ifBlocked.mail }
      : draft,
  );
}

/** Builds a separate email to each e-mail address that a recipient replaced lately. */
async function formerAddressEmails(
  ctx: Context,
  drafts: readonly CategorizedNotification[],
): Promise<CategorizedNotification[]> {
  const emails: CategorizedNotification[] = [];
  for (const { formerMail, ...own } of drafts) {
    if (!formerMail || own.personId === null) continue;
    for (const { email, leftAt } of await recentFormerEmails(ctx, { personId: own.personId }))
      emails.push({ ...own, personId: null, email, mail: formerMail(leftAt) });
  }
  return emails;
}

/** Marks all of a person's notifications so far as read. Returns when, to undo it. */
export async function markNotificationsRead(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ readAt: Instant }> {
  const readAt = ctx.now();
  await ctx.db
    .update(notifications)
    .set({ readAt })
    .where(
      and(
        eq(notifications.personId, personId),
        isNull(notifications.readAt),
        sql`${notifications.createdAt} <= ${readAt}`,
      ),
    );
  return { readAt };
}

/**
 * Marks the person's notifications that were marked as read at `readAt` as unread again. Does
 * nothing ten minutes later.
 */
export async function markNotificationsUnread(
  ctx: Context,
  { personId, readAt }: { personId: string; readAt: Instant },
): Promise<void> {
  if (readAt < ctx.now() - UNDO_MS) return;
  await ctx.db
    .update(notifications)
    .set({ readAt: null })
    .where(and(eq(notifications.personId, personId), eq(notifications.readAt, readAt)));
}

/** Marks one notification of a person as read. Returns where it leads; null if it is not theirs. */
export async function openNotification(
  ctx: Context,
  { personId, id }: { personId: string; id: string },
): Promise<{ path: string } | null> {
  const [row] = await ctx.db
    .update(notifications)
    .set({ readAt: sql`COALESCE(${notifications.readAt}, ${ctx.now()})` })
    .where(and(eq(notifications.id, id), eq(notifications.personId, personId)))
    .returning({ path: notifications.path });
  return row ?? null;
}

/**
 * Builds the statements that end one outbox message, for everybody: what it asked for is done. Its
 * notifications are marked as read, and what was not delivered yet is not delivered any more.
 * `onlyIf` adds a condition.
 */
export function settleNotificationsStatements(
  ctx: Context,
  { outboxId, onlyIf }: { outboxId: string; onlyIf?: SQL },
): DbStatement[] {
  return [
    ctx.db
      .update(notifications)
      .set({ readAt: ctx.now() })
      .where(
        and(
          isNull(notifications.readAt),
          // The key is the message's id, a colon and the recipient's index; ";" follows ":".
          gte(notifications.sourceKey, `${outboxId}:`),
          lt(notifications.sourceKey, `${outboxId};`),
          onlyIf,
        ),
      ),
    ctx.db
      .update(notificationDeliveries)
      .set({ endedAt: ctx.now() })
      .where(
        and(
          isNull(notificationDeliveries.endedAt),
          gte(notificationDeliveries.key, `${outboxId}:`),
          lt(notificationDeliveries.key, `${outboxId};`),
          onlyIf,
        ),
      ),
    outboxDeliveredStatement(ctx, { outboxId, onlyIf }),
  ];
}
