import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isChosen } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import { deviceLabel, DEVICES_MAX } from "#app/domain/notifications/rules/devices.ts";
import type { PushPayload } from "#app/domain/notifications/schema/senders.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { notificationDeliveries, pushDevices } from "#drizzle/schema/notifications.ts";
import { GROUP_MS } from "./rows.server.ts";

/**
 * Sends pushes to a person's browser from now on. A browser that somebody else used is theirs no
 * more. The person's oldest device goes when there are more than ten. Safe to repeat.
 */
export async function addDevice(
  ctx: Context,
  device: {
    personId: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    userAgent: string;
    /** The session that asks; null where it is not known. */
    sessionId?: string | null;
  },
): Promise<void> {
  const { personId, endpoint, p256dh, auth, userAgent, sessionId = null } = device;
  const label = deviceLabel(userAgent);
  const row = { personId, p256dh, auth, label, sessionId, createdAt: ctx.now() };
  const newest = sql`SELECT stored.id FROM push_devices stored WHERE stored.person_id = ${personId} ORDER BY stored.created_at DESC, stored.id DESC LIMIT ${DEVICES_MAX}`;
  await commit(ctx.db, [
    ctx.db
      .insert(pushDevices)
      .values({ id: ctx.newId(), endpoint, ...row })
      .onConflictDoUpdate({ target: pushDevices.endpoint, set: row }),
    ctx.db
      .delete(pushDevices)
      .where(and(eq(pushDevices.personId, personId), sql`${pushDevices.id} NOT IN (${newest})`)),
  ]);
}

/** Sends no more pushes to a device of the person. Safe to repeat. */
export async function removeDevice(
  ctx: Context,
  { personId, id }: { personId: string; id: string },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .delete(pushDevices)
      .where(and(eq(pushDevices.id, id), eq(pushDevices.personId, personId))),
  ]);
}

/**
 * Sends no more pushes where a session ended: to the devices of that one, or of all but `exceptId`.
 * A device of an unknown session goes with any. Safe to repeat.
 */
export async function removeDevicesOfSessions(
  ctx: Context,
  {
    personId,
    ...ended
  }: { personId: string } & ({ sessionId: string } | { exceptId: string | null }),
): Promise<void> {
  const { sessionId } = pushDevices;
  const isEnded =
    "sessionId" in ended
      ? eq(sessionId, ended.sessionId)
      : ended.exceptId === null
        ? undefined
        : ne(sessionId, ended.exceptId);
  await commit(ctx.db, [
    ctx.db
      .delete(pushDevices)
      .where(and(eq(pushDevices.personId, personId), isEnded && or(isNull(sessionId), isEnded))),
  ]);
}

/**
 * Builds the statements that ask for the pushes of one message, one per device of `withDevices`.
 * They join the batch of the message's stamp, after its rows. Of a group only the one that opened
 * the row is pushed; where the person wants no rows, one in twelve hours.
 */
export function pushStatements(
  ctx: Context,
  { outboxId, drafts, ...chosen }: Delivery,
  withDevices: ReadonlySet<string>,
): DbStatement[] {
  return drafts.flatMap((draft, index) =>
    draft.personId !== null &&
    withDevices.has(draft.personId) &&
    isChosen(chosen, draft, "push") &&
    !isHiddenPath(draft.path, ctx.settings)
      ? [
          pushStatement(
            ctx,
            { ...draft, personId: draft.personId },
            { sourceKey: `${outboxId}:${index}`, isListed: isChosen(chosen, draft, "app") },
          ),
        ]
      : [],
  );
}

function pushStatement(
  ctx: Context,
  {
    personId,
    about,
    kind,
    body,
    path,
    fromId,
    mutablePostId,
    group,
  }: CategorizedNotification & { personId: string },
  { sourceKey, isListed }: { sourceKey: string; isListed: boolean },
): DbStatement {
  const now = sql`CAST(${ctx.now()} AS INTEGER)`;
  const payload: PushPayload = { kind, title: "Coreto", body, path, tag: group?.key ?? sourceKey };
  const isNewGroup = isListed
    ? sql`EXISTS (SELECT 1 FROM notifications opened WHERE opened.source_key = ${sourceKey})`
    : sql`NOT EXISTS (SELECT 1 FROM notification_deliveries earlier WHERE earlier.person_id = ${personId} AND earlier.group_key = ${group?.key ?? null} AND earlier.channel = 'push' AND earlier.created_at > ${now} - ${GROUP_MS})`;
  return ctx.db
    .insert(notificationDeliveries)
    .select(
      sql`SELECT ${`${sourceKey}:push:`} || device.id, ${personId}, 'push', ${about}, ${fromId ?? null}, ${mutablePostId ?? null}, ${group?.key ?? null}, device.id, ${JSON.stringify(payload)}, ${now}, 0, NULL, NULL, NULL, ${now} FROM push_devices device WHERE device.person_id = ${personId} AND ${group ? isNewGroup : sql`1`}`,
    )
    .onConflictDoNothing();
}

/**
 * Builds the statement that asks for the pushes of a new post to a page of its audience, one per
 * device. It joins the batch of their rows, after them: who has had a row of the post already, of
 * another `rowId`, gets no push. `rowId` is null where the person wants no rows.
 */
export function audiencePushStatement(
  ctx: Context,
  { kind, body, postId }: { kind: string; body: string; postId: string },
  recipients: readonly { personId: string; rowId: string | null }[],
): DbStatement {
  const now = sql`CAST(${ctx.now()} AS INTEGER)`;
  const payload: PushPayload = {
    kind,
    title: "Coreto",
    body,
    path: `/post/${postId}`,
    tag: `post:${postId}`,
  };
  return ctx.db
    .insert(notificationDeliveries)
    .select(
      sql`SELECT ${`post:${postId}:`} || device.person_id || ':push:' || device.id, device.person_id, 'push', 'post', (SELECT notified_post.author_id FROM posts notified_post WHERE notified_post.id = ${postId}), ${postId}, NULL, device.id, ${JSON.stringify(payload)}, ${now}, 0, NULL, NULL, NULL, ${now}
        FROM json_each(${JSON.stringify(recipients.map(({ rowId, personId }) => [rowId, personId]))}) reader JOIN push_devices device ON device.person_id = json_extract(reader.value, '$[1]')
        WHERE json_extract(reader.value, '$[0]') IS NULL OR EXISTS (SELECT 1 FROM notifications opened WHERE opened.id = json_extract(reader.value, '$[0]'))`,
    )
    .onConflictDoNothing();
}
