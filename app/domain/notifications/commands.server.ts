import { and, eq, isNull, sql } from "drizzle-orm";
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

/** People told of a new post at once: one statement, well within what D1 takes. */
export const AUDIENCE_PAGE_SIZE = 500;

/**
 * Tells what an outbox message says: mails first (each once, by its key), then the notifications
 * and the message's stamp in one batch. Safe to run twice and to be killed anywhere; does nothing
 * to a message that was told. Where the mails cannot be sent the notifications are written all the
 * same, without the stamp, and the failure is the caller's.
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
    // Told meanwhile by another delivery of the same message.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** What is mailed, each apart, to the e-mails that people left lately. */
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
 * A letter that names no page of ours ends with the one that it is about; who has no account would
 * find it closed.
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

/** One row for each who has an account, once, by the message and their place in it. */
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
 * Tells one page of those who may see a post that came out or opened, notes how far it came in the
 * same batch, and asks for the next page. A page that is delivered again tells nobody twice, by the
 * key of post and person; one that another delivery told already changes nothing.
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
    // Told meanwhile by another delivery of the same message.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (page.next !== null)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/**
 * One row a person, all in one statement, in the order of the table's columns: a batch of hundreds
 * would be the slowest part.
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

/** Everything a person was told so far counts as seen. */
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
