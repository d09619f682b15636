import { sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { outboxProgressStatement } from "#app/domain/outbox.server.ts";
import type { AudienceNotification, EveryoneNotification, MailText } from "#app/domain/outbox.ts";
import { audiencePage } from "#app/domain/notifications/queries.server.ts";
import { everyonePage } from "#app/domain/notifications/queries/everyone.server.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import { notificationDeliveries, notifications } from "#drizzle/schema/notifications.ts";
import { audiencePushStatement } from "./devices.server.ts";

/** Recipients in one statement, well within D1's limits. */
export const AUDIENCE_PAGE_SIZE = 500;

type ManyRows = {
  kind: string;
  body: string;
  path: string;
  keyPrefix: string;
  section: "posts" | "account";
};

/**
 * Notifies one page of the audience of a published post. Notes the progress in the same batch and
 * enqueues the next page. A repeated page notifies nobody twice, by the key of post and person. A
 * page that another delivery finished changes nothing.
 */
export async function notifyAudiencePage(
  ctx: Context,
  { id: outboxId, progress }: { id: string; progress: string | null },
  draft: AudienceNotification,
): Promise<void> {
  const page = await audiencePage(ctx, {
    postId: draft.postId,
    after: progress ?? "",
    limit: AUDIENCE_PAGE_SIZE,
  });
  const listed = page.personIds
    .filter((personId) => !page.unlistedIds.has(personId))
    .map((personId) => ({ personId, rowId: ctx.newId() }));
  // Without a row nothing says who was notified at the publication: only then they are.
  const unlisted =
    draft.kind === "post.published"
      ? [...page.unlistedIds].map((personId) => ({ personId, rowId: null }))
      : [];
  await commitPage(ctx, { outboxId, from: progress, to: page.next }, [
    rowsStatement(
      ctx,
      {
        ...draft,
        path: `/post/${draft.postId}`,
        keyPrefix: `post:${draft.postId}:`,
        section: "posts",
      },
      listed,
    ),
    ...(ctx.push === null ? [] : [audiencePushStatement(ctx, draft, [...listed, ...unlisted])]),
  ]);
}

/**
 * Notifies one page of everybody who has an account and did not switch the kind off, in the list
 * and, where the draft has one, by email. Notes the progress in the same batch and enqueues the
 * next page. A repeated page notifies nobody twice, by the key of draft and person.
 */
export async function notifyEveryonePage(
  ctx: Context,
  { id: outboxId, progress }: { id: string; progress: string | null },
  draft: EveryoneNotification,
): Promise<void> {
  const page = await everyonePage(ctx, {
    about: draft.about,
    after: progress ?? "",
    limit: AUDIENCE_PAGE_SIZE,
  });
  const recipients = page.personIds.map((personId) => ({ personId, rowId: ctx.newId() }));
  const keyPrefix = `${draft.key}:`;
  await commitPage(ctx, { outboxId, from: progress, to: page.next }, [
    rowsStatement(ctx, { ...draft, keyPrefix, section: "account" }, recipients),
    ...(draft.mail === null
      ? []
      : [mailsStatement(ctx, { ...draft, mail: draft.mail, keyPrefix }, recipients)]),
  ]);
}

/** Commits a page with its progress, and enqueues the next one. Changes nothing for a second run. */
async function commitPage(
  ctx: Context,
  { outboxId, from, to }: { outboxId: string; from: string | null; to: string | null },
  writes: readonly DbStatement[],
): Promise<void> {
  try {
    await commit(ctx.db, [
      mustChangeOne(outboxProgressStatement(ctx, { outboxId, from, to })),
      ...writes,
    ]);
  } catch (error) {
    // Another delivery of the same message was faster.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  if (to !== null)
    await ctx.queues.fanOut.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/**
 * Inserts one row a person in one statement, in the order of the table's columns. A batch of
 * hundreds would be the slowest part. `keyPrefix` with the person's id is the row's key.
 */
function rowsStatement(
  ctx: Context,
  { kind, body, path, keyPrefix, section }: ManyRows,
  recipients: readonly { personId: string; rowId: string }[],
) {
  const rows = JSON.stringify(recipients.map(({ rowId, personId }) => [rowId, personId]));
  return ctx.db
    .insert(notifications)
    .select(
      sql`SELECT json_extract(recipient.value, '$[0]'), json_extract(recipient.value, '$[1]'), ${kind}, ${body}, ${path},
        ${keyPrefix} || json_extract(recipient.value, '$[1]'), NULL, CAST(${ctx.now()} AS INTEGER), ${section}, NULL, 1, NULL, NULL, NULL
        FROM json_each(${rows}) recipient WHERE true`,
    )
    .onConflictDoNothing();
}

/** Inserts the email of each person, which the cron sends, in one statement. */
function mailsStatement(
  ctx: Context,
  {
    about,
    mail,
    path,
    keyPrefix,
  }: { about: NotificationKind; mail: MailText; path: string; keyPrefix: string },
  recipients: readonly { personId: string }[],
) {
  const now = sql`CAST(${ctx.now()} AS INTEGER)`;
  const people = JSON.stringify(recipients.map(({ personId }) => personId));
  return ctx.db
    .insert(notificationDeliveries)
    .select(
      sql`SELECT ${keyPrefix} || recipient.value || ':mail', recipient.value, 'mail', ${about}, NULL, NULL, NULL, NULL, ${JSON.stringify({ ...mail, path })}, ${now}, 0, NULL, NULL, NULL, ${now}
        FROM json_each(${people}) recipient WHERE true`,
    )
    .onConflictDoNothing();
}
