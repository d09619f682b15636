import { and, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { outboxDeliveredStatement, outboxProgressStatement } from "#app/domain/outbox.server.ts";
import type { AudienceNotification, NotificationDraft } from "#app/domain/outbox.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import {
  audiencePage,
  emailsOfPeople,
  recentFormerEmails,
  undeliveredMessage,
} from "./queries.server.ts";

/** Recipients of a new post in one statement, well within D1's limits. */
export const AUDIENCE_PAGE_SIZE = 500;

/**
 * Delivers an outbox message. Sends its emails first, each once by its key. Then commits the
 * notifications and the message's stamp in one batch. Safe to repeat and to be killed anywhere.
 * Does nothing for a delivered message. If an email cannot be sent, it writes the notifications
 * without the stamp and throws the failure.
 */
export async function deliverOutboxMessage(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  const waiting = await undeliveredMessage(ctx, { outboxId });
  if (!waiting) return;
  const rendered = ctx.renderNotifications(waiting.payload);
  if ("postId" in rendered) return await tellAudiencePage(ctx, waiting, rendered);
  const told = [...rendered, ...(await formerLetters(ctx, rendered))];
  const noticed = noticeStatements(ctx, outboxId, told);
  try {
    await sendMails(ctx, outboxId, told);
  } catch (error) {
    if (noticed.length > 0) await commit(ctx.db, noticed);
    throw error;
  }
  try {
    await commit(ctx.db, [mustChangeOne(outboxDeliveredStatement(ctx, { outboxId })), ...noticed]);
  } catch (error) {
    // Another delivery of the same message was faster.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** Builds a separate email to each e-mail address that a recipient replaced lately. */
async function formerLetters(
  ctx: Context,
  told: readonly NotificationDraft[],
): Promise<NotificationDraft[]> {
  const letters: NotificationDraft[] = [];
  for (const { formerMail, ...own } of told) {
    if (!formerMail || own.personId === null) continue;
    for (const { email, leftAt } of await recentFormerEmails(ctx, { personId: own.personId }))
      letters.push({ ...own, personId: null, email, mail: formerMail(leftAt) });
  }
  return letters;
}

async function sendMails(
  ctx: Context,
  outboxId: string,
  told: readonly NotificationDraft[],
): Promise<void> {
  const emails = await emailsOfPeople(ctx, {
    personIds: told.flatMap((one) => one.personId ?? []),
  });
  for (const [index, one] of told.entries()) {
    const to = one.email ?? (one.personId === null ? undefined : emails.get(one.personId));
    if (one.mail && to)
      await ctx.mailer.send({
        key: `${outboxId}:${index}`,
        to,
        subject: one.mail.subject,
        body: leadingOn(ctx, one, one.mail.body),
      });
  }
}

/**
 * Ends an email that names no page of ours with the link that it is about. A recipient without an
 * account could not open that page.
 */
function leadingOn(
  { settings: { appOrigin } }: Context,
  { personId, path }: NotificationDraft,
  body: string,
): string {
  return personId === null || body.includes(`${appOrigin}/`)
    ? body
    : `${body}\n\n${appOrigin}${path}`;
}

/**
 * Inserts one row for each recipient with an account, keyed by the message and the recipient's
 * index.
 */
function noticeStatements(
  ctx: Context,
  outboxId: string,
  told: readonly NotificationDraft[],
): DbStatement[] {
  const now = ctx.now();
  return told.flatMap(({ personId, kind, body, path }, index) =>
    personId === null
      ? []
      : [
          ctx.db
            .insert(notifications)
            .values({
              id: ctx.newId(),
              personId,
              kind,
              body,
              path,
              sourceKey: `${outboxId}:${index}`,
              createdAt: now,
            })
            .onConflictDoNothing(),
        ],
  );
}

/**
 * Notifies one page of the audience of a published post. Notes the progress in the same batch and
 * enqueues the next page. A repeated page notifies nobody twice, by the key of post and person. A
 * page that another delivery finished changes nothing.
 */
async function tellAudiencePage(
  ctx: Context,
  { id: outboxId, progress }: { id: string; progress: string | null },
  told: AudienceNotification,
): Promise<void> {
  const page = await audiencePage(ctx, {
    postId: told.postId,
    after: progress ?? "",
    limit: AUDIENCE_PAGE_SIZE,
  });
  try {
    await commit(ctx.db, [
      mustChangeOne(outboxProgressStatement(ctx, { outboxId, from: progress, to: page.next })),
      publicationStatement(ctx, told, page.personIds),
    ]);
  } catch (error) {
    // Another delivery of the same message was faster.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (page.next !== null)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/**
 * Inserts one row a person in one statement, in the order of the table's columns. A batch of
 * hundreds would be the slowest part.
 */
function publicationStatement(
  ctx: Context,
  { kind, body, postId }: AudienceNotification,
  personIds: string[],
) {
  const rows = JSON.stringify(personIds.map((personId) => [ctx.newId(), personId]));
  return ctx.db
    .insert(notifications)
    .select(
      sql`SELECT json_extract(told.value, '$[0]'), json_extract(told.value, '$[1]'), ${kind}, ${body}, ${`/post/${postId}`},
        ${`post:${postId}:`} || json_extract(told.value, '$[1]'), NULL, CAST(${ctx.now()} AS INTEGER)
        FROM json_each(${rows}) told WHERE true`,
    )
    .onConflictDoNothing();
}

/** Marks all of a person's notifications so far as read. */
export async function markNotificationsRead(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.now() })
    .where(
      and(
        eq(notifications.personId, personId),
        isNull(notifications.readAt),
        sql`${notifications.createdAt} <= ${ctx.now()}`,
      ),
    );
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
    outboxDeliveredStatement(ctx, { outboxId, onlyIf }),
  ];
}
