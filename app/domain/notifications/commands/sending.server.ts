import { and, eq, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isAddressOpen } from "#app/domain/notifications/rules/addresses.ts";
import { isChosen, isSentAtOnce } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import { isNotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import {
  decideSending,
  nextSendingAt,
  pausedUntil,
} from "#app/domain/notifications/rules/sending.ts";
import { devicesById } from "#app/domain/notifications/queries/devices.server.ts";
import type { DeviceRow } from "#app/domain/notifications/queries/devices.server.ts";
import { inJson, recipientsOf } from "#app/domain/notifications/queries/sending.server.ts";
import type { DeliveryRow, Recipient } from "#app/domain/notifications/queries/sending.server.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { notificationDeliveries, pushDevices } from "#drizzle/schema/notifications.ts";
import { creatorSubject } from "#app/domain/notifications/schema.ts";
import type { MailOutcome, NewsletterMail } from "#app/domain/notifications/schema/senders.ts";
import { recordSuppressed } from "./addresses.server.ts";
import { unsubscribeAddress } from "./choices.server.ts";
import { actionOf, reasonOf } from "./mails.server.ts";
import { GROUP_MS } from "./rows.server.ts";

/** A delivery that a killed run took is taken again afterwards. */
const LEASE_MS = 5 * MINUTE_MS;
/** A push shows a few lines; a push service takes 4 kB. */
const PUSH_LETTERS = 500;
/** How long a delivery that ended is remembered: longer than a group lives. */
const REMEMBERED_MS = 2 * DAY_MS;
/** How long staff can try again what failed for good. It names people in its text. */
const FAILURE_REMEMBERED_MS = 30 * DAY_MS;

/**
 * Builds the statements that ask for the emails of one message that it does not wait for, one per
 * recipient. They join the batch of the message's stamp, after its rows. Of a group only the one
 * that opened the row is sent; where the person wants no rows, one in twelve hours.
 */
export function deliveryStatements(
  ctx: Context,
  { outboxId, drafts, ...chosen }: Delivery,
): DbStatement[] {
  return drafts.flatMap((draft, index) =>
    draft.personId !== null &&
    draft.mail &&
    !isSentAtOnce(draft) &&
    isChosen(chosen, draft, "mail") &&
    !isHiddenPath(draft.path, ctx.settings)
      ? [
          mailStatement(
            ctx,
            { ...draft, personId: draft.personId, mail: draft.mail },
            {
              sourceKey: `${outboxId}:${index}`,
              isListed: isChosen(chosen, draft, "app"),
            },
          ),
        ]
      : [],
  );
}

type MailDraft = CategorizedNotification & {
  personId: string;
  mail: NonNullable<CategorizedNotification["mail"]>;
};

function mailStatement(
  ctx: Context,
  { personId, about, mail, path, fromId, mutablePostId, group }: MailDraft,
  { sourceKey, isListed }: { sourceKey: string; isListed: boolean },
): DbStatement {
  const now = sql`CAST(${ctx.now()} AS INTEGER)`;
  const isNewGroup = isListed
    ? sql`EXISTS (SELECT 1 FROM notifications opened WHERE opened.source_key = ${sourceKey})`
    : sql`NOT EXISTS (SELECT 1 FROM notification_deliveries earlier WHERE earlier.person_id = ${personId} AND earlier.group_key = ${group?.key ?? null} AND earlier.channel = 'mail' AND earlier.created_at > ${now} - ${GROUP_MS})`;
  return ctx.db
    .insert(notificationDeliveries)
    .select(
      sql`SELECT ${`${sourceKey}:mail`}, ${personId}, 'mail', ${about}, ${fromId ?? null}, ${mutablePostId ?? null}, ${group?.key ?? null}, NULL, ${JSON.stringify({ ...mail, path })}, ${now}, 0, NULL, NULL, NULL, ${now} WHERE ${group ? isNewGroup : sql`1`}`,
    )
    .onConflictDoNothing();
}

/**
 * Writes a post's email for each of `personIds`, as they may see it now. Leaves out who does not
 * get it any more. "paused" while the post is down for a while.
 */
type NewsletterWriter = (
  ctx: Context,
  about: { postId: string; personIds: readonly string[] },
) => Promise<ReadonlyMap<string, NewsletterMail> | "paused">;

/** What the newsletters module does for a delivery of its own. */
export type NewsletterPort = {
  write: NewsletterWriter;
  /**
   * Builds the statement that counts a sent email of a post. It counts only if the statement before
   * it in the batch changed a row.
   */
  sentStatements: (ctx: Context, about: { postId: string }) => DbStatement[];
};

/** What became of writing one reader's email. */
type Written = NewsletterMail | "paused" | Error;

/**
 * Sends deliveries that are due, each once by its key, and notes how each went. What a person wants
 * is read now: a choice, a mute or a block since the message counts. Does nothing for those that
 * are sent, taken by another run or not due. A failure waits for its next attempt, or ends the
 * delivery when it failed for too long. Safe to repeat and to be killed anywhere.
 */
export async function sendDeliveries(
  ctx: Context,
  { keys, newsletters }: { keys: readonly string[]; newsletters?: NewsletterPort },
): Promise<void> {
  const rows = await takeDeliveries(ctx, keys);
  if (rows.length === 0) return;
  const recipients = await recipientsOf(ctx, rows);
  const written = await newslettersOf(ctx, rows, newsletters?.write);
  const devices = await devicesById(ctx, { ids: rows.flatMap(({ deviceId }) => deviceId ?? []) });
  const changes: DbStatement[] = [];
  for (const row of rows) {
    const recipient = recipients.get(row.key);
    const { isSent, ...change } = recipient
      ? await sendOne(ctx, row, {
          ...recipient,
          newsletter: written.get(row.key),
          device: devices.get(row.deviceId ?? ""),
        })
      : { endedAt: ctx.now() };
    const { key, attempts } = notificationDeliveries;
    // Another run may have taken it again since.
    const noted = ctx.db
      .update(notificationDeliveries)
      .set(change)
      .where(and(eq(key, row.key), eq(attempts, row.attempts)));
    // A push service drops no repeated push, as a mailer drops a repeated key.
    if (row.channel === "push") await commit(ctx.db, [noted]);
    else changes.push(noted);
    if (isSent && newsletters && row.postId !== null && written.has(row.key))
      changes.push(...newsletters.sentStatements(ctx, { postId: row.postId }));
  }
  await commit(ctx.db, changes);
}

/** What to note of a delivery, and whether it was sent now. */
type Outcome = Partial<DeliveryRow> & { isSent?: true };

/** Sends one delivery, if it is wanted now. Returns what to note of it. */
async function sendOne(
  ctx: Context,
  row: DeliveryRow,
  {
    newsletter,
    device,
    ...recipient
  }: Recipient & { newsletter: Written | undefined; device: DeviceRow | undefined },
): Promise<Outcome> {
  const { kind } = row;
  if (!isNotificationKind(kind)) return { endedAt: ctx.now() };
  const channel = row.channel === "push" ? "push" : "mail";
  const decision = decideSending({ kind, channel }, recipient, ctx.now());
  if (decision.do === "skip") {
    if (channel === "mail" && !isAddressOpen(recipient.address, kind))
      ctx.log("mail.skipped", { key: row.key, kind });
    return { endedAt: ctx.now() };
  }
  if (decision.do === "wait") return { dueAt: decision.until, attempts: row.attempts - 1 };
  if (newsletter === "paused") return pausedChange(row, ctx.now());
  const isNothingToSend = channel === "push" ? !device : row.content === null && !newsletter;
  if (isNothingToSend) return { endedAt: ctx.now() };
  try {
    if (newsletter instanceof Error) throw newsletter;
    if (device) {
      await sendPush(ctx, row, device);
      return { endedAt: ctx.now() };
    }
    const outcome = await (newsletter
      ? sendNewsletter(ctx, row, { email: recipient.email, newsletter })
      : sendMail(ctx, row, { email: recipient.email, kind }));
    if (outcome === "unconfirmed") return { failedAt: ctx.now(), failure: "mail unconfirmed" };
    if (outcome !== "suppressed") return { endedAt: ctx.now(), isSent: true };
    await recordSuppressed(ctx, recipient.email);
    return { endedAt: ctx.now() };
  } catch (error) {
    const failure = faultText(error);
    const now = ctx.now();
    const next = nextSendingAt(row, now);
    ctx.log("notifications.delivery_failed", { key: row.key, attempts: row.attempts, failure });
    return next === null ? { failedAt: now, failure } : { dueAt: next, failure };
  }
}

/** A pause is no attempt. */
function pausedChange({ createdAt, attempts }: DeliveryRow, now: Instant): Partial<DeliveryRow> {
  const until = pausedUntil(createdAt, now);
  return until === null ? { endedAt: now } : { dueAt: until, attempts: attempts - 1 };
}

/** Takes those of the deliveries that are due, for a while. */
async function takeDeliveries(ctx: Context, keys: readonly string[]): Promise<DeliveryRow[]> {
  const { key, dueAt, endedAt, failedAt, attempts } = notificationDeliveries;
  const now = ctx.now();
  return await ctx.db
    .update(notificationDeliveries)
    .set({ dueAt: now + LEASE_MS, attempts: sql`${attempts} + 1` })
    .where(and(inJson(sql`${key}`, keys), lte(dueAt, now), isNull(endedAt), isNull(failedAt)))
    .returning();
}

async function sendMail(
  ctx: Context,
  { key, personId, content }: DeliveryRow,
  { email, kind }: { email: string; kind: NotificationKind },
): Promise<MailOutcome> {
  if (content === null) return;
  const { subject = "", body = "", path = "", button } = content;
  return await ctx.mailer.send({
    key,
    to: email,
    subject,
    body,
    ...actionOf(ctx, { personId, path }, { body, ...(button === undefined ? {} : { button }) }),
    ...(await reasonOf(ctx, { personId, about: kind })),
  });
}

/** Pushes to a device. One that wants none any more is forgotten. */
async function sendPush(
  ctx: Context,
  { key, personId, content }: DeliveryRow,
  { id, endpoint, p256dh, auth, personId: ownerId }: DeviceRow,
): Promise<void> {
  // The browser may be somebody else's by now.
  if (ctx.push === null || content === null || ownerId !== personId) return;
  const { kind = "", title = "", body = "", path = "", tag = "" } = content;
  const payload = { kind, title, body: body.slice(0, PUSH_LETTERS), path, tag };
  const answer = await ctx.push.sender.send({ key, device: { endpoint, p256dh, auth }, payload });
  const own = eq(pushDevices.id, id);
  const noted =
    answer === "gone"
      ? ctx.db.delete(pushDevices).where(own)
      : ctx.db.update(pushDevices).set({ lastPushedAt: ctx.now() }).where(own);
  // It was sent: a failure here must not send it again.
  await commit(ctx.db, [noted]).catch((fault: unknown) =>
    ctx.log("notifications.device_not_noted", { failure: faultText(fault) }),
  );
}

/** Writes the newsletters among the deliveries, by the delivery's key; or why it could not. */
async function newslettersOf(
  ctx: Context,
  rows: readonly DeliveryRow[],
  write: NewsletterWriter | undefined,
): Promise<Map<string, Written>> {
  const found = new Map<string, Written>();
  const unwritten = rows.filter(({ content, postId }) => content === null && postId !== null);
  for (const [postId, some] of Map.groupBy(unwritten, (row) => row.postId ?? "")) {
    const personIds = some.map(({ personId }) => personId);
    const mails = await writtenOr(() => write?.(ctx, { postId, personIds }));
    for (const { key, personId } of some) {
      const mail = mails instanceof Error || mails === "paused" ? mails : mails.get(personId);
      if (mail) found.set(key, mail);
    }
  }
  return found;
}

/** What fails to be written fails by itself, not the deliveries that are due with it. */
async function writtenOr<Mails>(write: () => Promise<Mails> | undefined): Promise<Mails | Error> {
  try {
    return (await write()) ?? new Error("nobody writes the newsletters");
  } catch (fault) {
    return fault instanceof Error ? fault : new Error("newsletter not written");
  }
}

async function sendNewsletter(
  ctx: Context,
  { key, personId, fromId }: DeliveryRow,
  { email, newsletter }: { email: string; newsletter: NewsletterMail },
): Promise<MailOutcome> {
  const { button, ...mail } = newsletter;
  return await ctx.mailer.send({
    key,
    to: email,
    ...mail,
    actionLabel: button,
    isAtMostOnce: true,
    unsubscribeUrl: await unsubscribeAddress(ctx, {
      personId,
      kind: creatorSubject(fromId ?? ""),
    }),
  });
}

/**
 * Builds the statement that asks for a post's email to each of `personIds`, once per post and
 * person. Its text is written when it is sent.
 */
export function newsletterStatement(
  ctx: Context,
  {
    postId,
    authorId,
    personIds,
  }: { postId: string; authorId: string; personIds: readonly string[] },
): DbStatement {
  const now = sql`CAST(${ctx.now()} AS INTEGER)`;
  return ctx.db
    .insert(notificationDeliveries)
    .select(
      sql`SELECT ${newsletterDeliveryKey(postId, "")} || reader.value, reader.value, 'mail', 'post', ${authorId}, ${postId}, NULL, NULL, NULL, ${now}, 0, NULL, NULL, NULL, ${now} FROM json_each(${JSON.stringify(personIds)}) reader WHERE true`,
    )
    .onConflictDoNothing();
}

export const newsletterDeliveryKey = (postId: string, personId: string): string =>
  `newsletter:${postId}:${personId}`;

const FORGOTTEN_AT_ONCE = 1_000;

/** Forgets deliveries that ended days ago, or failed thirty days ago. */
export async function forgetEndedDeliveries(ctx: Context): Promise<void> {
  const { key, endedAt, failedAt } = notificationDeliveries;
  for (const isOld of [
    and(isNotNull(endedAt), lt(endedAt, ctx.now() - REMEMBERED_MS)),
    and(isNotNull(failedAt), lt(failedAt, ctx.now() - FAILURE_REMEMBERED_MS)),
  ]) {
    const old = ctx.db
      .select({ key })
      .from(notificationDeliveries)
      .where(isOld)
      .limit(FORGOTTEN_AT_ONCE);
    await ctx.db.delete(notificationDeliveries).where(inArray(key, old));
  }
}
