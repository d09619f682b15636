import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { deliveredStatement, progressStatement, quarantineStatement } from "#app/domain/outbox.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { audiencePage, emailsOf, waitingMessage } from "./queries.server.ts";
import { isForAudience, toldTo } from "./rules.ts";
import type { AudienceMessage } from "./rules.ts";

/** People told of a new post at once: one statement, well within what D1 takes. */
export const AUDIENCE_PAGE = 500;

/**
 * Tells what an outbox message says: mails first (each once, by its key), then the notifications and the message's stamp in
 * one batch. Safe to run twice and to be killed anywhere; does nothing to a message that was told.
 */
export async function deliverMessage(ctx: Context, { outboxId }: { outboxId: string }): Promise<void> {
  const waiting = await waitingMessage(ctx, { outboxId });
  if (!waiting) return;
  const { message } = waiting;
  if (isForAudience(message)) return await tellAudiencePage(ctx, { ...waiting, message });
  const told = toldTo(message);
  const emails = await emailsOf(ctx, { personIds: told.flatMap((one) => one.personId ?? []) });
  for (const [index, one] of told.entries()) {
    const to = one.email ?? (one.personId === null ? undefined : emails.get(one.personId));
    if (one.mail && to) await ctx.mailer.send({ key: `${outboxId}:${index}`, to, ...one.mail });
  }
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      exactlyOne(deliveredStatement(ctx, { outboxId })),
      ...told.flatMap(({ personId, kind, body, path }, index) =>
        personId === null
          ? []
          : [ctx.db.insert(notifications).values({ id: ctx.newId(), personId, kind, body, path, sourceKey: `${outboxId}:${index}`, createdAt: now }).onConflictDoNothing()],
      ),
    ]);
  } catch (error) {
    // Told meanwhile by another delivery of the same message.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/**
 * Tells one page of those who may see a post that came out or opened, notes how far it came in the same batch, and asks for the next page. A page that is
 * delivered again tells nobody twice, by the key of post and person; one that another delivery told already changes nothing.
 */
async function tellAudiencePage(ctx: Context, waiting: { id: string; message: AudienceMessage; progress: string | null }): Promise<void> {
  const { id: outboxId, message, progress } = waiting;
  const page = await audiencePage(ctx, { postId: message.postId, after: progress ?? "", limit: AUDIENCE_PAGE });
  try {
    await commit(ctx.db, [exactlyOne(progressStatement(ctx, { outboxId, from: progress, to: page.next })), publicationStatement(ctx, message, page.personIds)]);
  } catch (error) {
    // Told meanwhile by another delivery of the same message.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (page.next !== null) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/** One row a person, all in one statement, in the order of the table's columns: a batch of hundreds would be the slowest part. */
function publicationStatement(ctx: Context, message: AudienceMessage, personIds: string[]) {
  const rows = JSON.stringify(personIds.map((personId) => [ctx.newId(), personId]));
  const body = message.type === "post.opened" ? `${message.authorName} abriu “${message.postTitle}” para você.` : `${message.authorName} publicou “${message.postTitle}”.`;
  return ctx.db
    .insert(notifications)
    .select(
      sql`SELECT json_extract(told.value, '$[0]'), json_extract(told.value, '$[1]'), ${message.type}, ${body}, ${`/post/${message.postId}`},
        ${`post:${message.postId}:`} || json_extract(told.value, '$[1]'), NULL, CAST(${ctx.now()} AS INTEGER)
        FROM json_each(${rows}) told WHERE true`,
    )
    .onConflictDoNothing();
}

/** Sets a message aside that cannot be told. */
export async function quarantineMessage(ctx: Context, { outboxId, reason }: { outboxId: string; reason: string }): Promise<void> {
  ctx.log("notifications.message_quarantined", { outboxId, reason });
  await quarantineStatement(ctx, { outboxId, reason });
}

/** Everything a person was told so far counts as seen. */
export async function markNotificationsRead(ctx: Context, { personId }: { personId: string }): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.now() })
    .where(and(eq(notifications.personId, personId), isNull(notifications.readAt), sql`${notifications.createdAt} <= ${ctx.now()}`));
}
