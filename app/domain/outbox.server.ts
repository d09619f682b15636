import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "./context.ts";
import { hasFailedTimes, nextAttemptAt } from "#app/domain/retry-backoff/queries.server.ts";
import { FAN_OUT_TYPES } from "./outbox.ts";
import { MINUTE_MS } from "./time.ts";
import type { Instant } from "./time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";

/**
 * Builds the statement that records `message` in the batch of its command. The message is one of
 * the `Messages` that the command's module declares, named at each call
 * (`announce<PayoutMessage>`). Delivery comes later and may repeat. `key` (such as
 * `charge:<id>:refunded`) makes the announcement unique.
 */
export function announce<Messages extends { type: string } = never>(
  ctx: Context,
  key: string,
  message: NoInfer<Messages>,
) {
  return ctx.db
    .insert(outbox)
    .values({ id: key, type: message.type, payload: { ...message }, createdAt: ctx.realNow() })
    .onConflictDoNothing();
}

/** True when a message with the key `key` (an SQL expression) was ever announced. */
export const isAnnounced = (key: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM outbox announced WHERE announced.id = ${key})`;

/** Builds the statement that reads the message with the key `key`: one row, or none. */
export const announcementStatement = (ctx: Context, key: string) =>
  ctx.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, key)).limit(1);

/**
 * Builds the statement that records `message` like `announce`, with some of its fields read from
 * the database in the same statement, and only if `condition` holds.
 */
export function announceReading<
  Message extends { type: string } = never,
  Read extends keyof Message & string = never,
>(
  ctx: Context,
  key: string,
  message: NoInfer<Omit<Message, Read>> & { type: Message["type"] },
  read: Record<Read, SQL>,
  condition: SQL,
) {
  const fields = Object.entries<SQL>(read).map(([name, value]) => sql`${`$.${name}`}, ${value}`);
  return ctx.db
    .insert(outbox)
    .select(
      sql`SELECT ${key}, ${message.type}, json_set(${JSON.stringify(message)}, ${sql.join(fields, sql`, `)}), NULL, 0, NULL, NULL, NULL, NULL, CAST(${ctx.realNow()} AS INTEGER) WHERE ${condition}`,
    )
    .onConflictDoNothing();
}

/**
 * Builds the statement that records one message for each person whom the query `people` selects
 * (columns `key` and `person_id`, of `recipient`). Each message is `message` with their `personId`,
 * and with the fields of `read`.
 */
export function announceToEach<
  Messages extends { type: string; personId: string } = never,
  Read extends string = never,
>(
  ctx: Context,
  people: SQL,
  message: NoInfer<Omit<Messages, "personId" | Read>> & { type: Messages["type"] },
  read?: Record<Read, SQL>,
) {
  const payload = JSON.stringify(message);
  const fields = Object.entries<SQL>(read ?? {}).map(
    ([name, value]) => sql`, ${`$.${name}`}, ${value}`,
  );
  return ctx.db
    .insert(outbox)
    .select(
      sql`SELECT recipient.key, ${message.type}, json_set(${payload}, '$.personId', recipient.person_id${sql.join(fields)}), NULL, 0, NULL, NULL, NULL, NULL, CAST(${ctx.realNow()} AS INTEGER) FROM (${people}) recipient WHERE 1`,
    )
    .onConflictDoNothing();
}

/** Stamps a message as delivered. Matches nothing when it already was, or without `onlyIf`. */
export function outboxDeliveredStatement(
  ctx: Context,
  { outboxId, onlyIf }: { outboxId: string; onlyIf?: SQL | undefined },
) {
  return ctx.db
    .update(outbox)
    .set({ handledAt: ctx.realNow() })
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt), onlyIf));
}

/**
 * Selects delivered messages that mention a person, as a condition on `outbox`. They match by id,
 * e-mail, comment, team seat, gift or a subscription to their page.
 */
export function outboxMentionsPerson({
  personId,
  email,
}: {
  personId: string;
  email: string;
}): SQL {
  const { payload } = outbox;
  const comment = sql`json_extract(${payload}, '$.commentId') IN (SELECT c.id FROM comments c WHERE c.author_id = ${personId})`;
  const teammate = sql`json_extract(${payload}, '$.memberName') = (SELECT p.name FROM profiles p WHERE p.person_id = ${personId})
    AND json_extract(${payload}, '$.slug') IN (SELECT o.slug FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.person_id = ${personId})`;
  const subscribed = sql`json_extract(${payload}, '$.subscriptionId') IN (SELECT s.id FROM subscriptions s WHERE s.creator_id = ${personId})`;
  const gift = sql`json_extract(${payload}, '$.giftId') IN (SELECT g.id FROM gifts g WHERE g.giver_id = ${personId} OR g.claimed_by = ${personId})`;
  return sql`(${outbox.handledAt} IS NOT NULL AND (INSTR(${payload}, ${personId}) > 0 OR INSTR(${payload}, ${email}) > 0 OR ${comment} OR ${subscribed} OR ${gift} OR (${teammate})))`;
}

/**
 * Erases the messages whose key starts with `prefix`, delivered or not. An undelivered one is not
 * delivered any more.
 */
export function purgeOutboxByPrefixStatement(ctx: Context, prefix: string) {
  return ctx.db
    .update(outbox)
    .set({ payload: {}, handledAt: sql`COALESCE(${outbox.handledAt}, ${ctx.realNow()})` })
    .where(sql`${outbox.id} >= ${prefix} AND ${outbox.id} < ${`${prefix}\uffff`}`);
}

/** Erases what delivered messages said of a person. The delivery stays recorded. */
export function eraseOutboxMentionsStatement(
  ctx: Context,
  person: { personId: string; email: string },
) {
  return ctx.db.update(outbox).set({ payload: {} }).where(outboxMentionsPerson(person));
}

/** How long a page of a message for many people may take before it counts as lost. */
const PAGE_LIFETIME_MS = 2 * MINUTE_MS;

/** Condition on a row of `outbox`: it goes to many people, through the fan-out queue. */
export const isFanOut = (alias: string): SQL =>
  sql.raw(`${alias}.type IN (${FAN_OUT_TYPES.map((type) => `'${type}'`).join(", ")})`);

/**
 * Records the progress of a message for many people. Goes from the person `from` (null at the
 * start) to `to` (null after the last). The next page counts as queued for two minutes. Matches
 * nothing when another delivery went further.
 */
export function outboxProgressStatement(
  ctx: Context,
  { outboxId, from, to }: { outboxId: string; from: string | null; to: string | null },
) {
  return ctx.db
    .update(outbox)
    .set(
      to === null
        ? { handledAt: ctx.realNow() }
        : { progress: to, enqueuedUntil: ctx.realNow() + PAGE_LIFETIME_MS },
    )
    .where(
      and(eq(outbox.id, outboxId), isNull(outbox.handledAt), sql`${outbox.progress} IS ${from}`),
    );
}

/**
 * Since when a message waits. Matches the text of the index `outbox_waiting`: a query must sort by
 * it.
 */
export const outboxWaitingSince = (alias: string): SQL =>
  sql.raw(
    `CASE WHEN ${alias}.enqueued_until > ${alias}.created_at THEN ${alias}.enqueued_until ELSE ${alias}.created_at END`,
  );
export const isOutboxWaiting = (alias: string): SQL =>
  sql.raw(`${alias}.handled_at IS NULL AND ${alias}.quarantined_at IS NULL`);

/**
 * Takes up to `count` messages, of those to many people or of the others, that wait since before
 * `before` (real time), after the first `skipped`. Marks them as queued until `until`. A message
 * that failed lately is postponed to its next attempt, and its `enqueuedUntil` differs.
 */
export function enqueueOutboxStatement(
  ctx: Context,
  {
    before,
    skipped,
    count,
    until,
    toMany,
  }: { before: Instant; skipped: number; count: number; until: Instant; toMany: boolean },
) {
  const next = sql`SELECT next.id FROM outbox next WHERE ${isOutboxWaiting("next")} AND ${outboxWaitingSince("next")} < ${before} AND ${toMany ? sql`` : sql`NOT `}${isFanOut("next")} ORDER BY ${outboxWaitingSince("next")}, next.id LIMIT ${count} OFFSET ${skipped}`;
  // The next attempt is in product time, which a person may set ahead of the real one.
  const turn = sql`${nextAttemptAt(ctx, outbox.id)} - CAST(${ctx.now() - ctx.realNow()} AS INTEGER)`;
  return ctx.db
    .update(outbox)
    .set({ enqueuedUntil: sql`coalesce(${turn}, CAST(${until} AS INTEGER))` })
    .where(sql`${outbox.id} IN (${next})`)
    .returning({ id: outbox.id, enqueuedUntil: outbox.enqueuedUntil });
}

/**
 * Builds the statement that returns a quarantined message to its queue, as if it were announced
 * now. Matches nothing when it is not quarantined any more.
 */
export function retryOutboxStatement(ctx: Context, { outboxId }: { outboxId: string }) {
  const now = ctx.realNow();
  return ctx.db
    .update(outbox)
    .set({ quarantinedAt: null, quarantineReason: null, attempts: 0, createdAt: now })
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt), isNotNull(outbox.quarantinedAt)));
}

/**
 * Quarantines messages announced before `before` (real time) that failed `failures` times or more
 * without a day's pause. They are never delivered.
 */
export function abandonOutboxStatement(
  ctx: Context,
  { before, failures, reason }: { before: Instant; failures: number; reason: string },
) {
  return ctx.db
    .update(outbox)
    .set({ quarantinedAt: ctx.realNow(), quarantineReason: reason })
    .where(
      sql`${isOutboxWaiting("outbox")} AND ${outboxWaitingSince("outbox")} < ${ctx.realNow()} AND ${outbox.createdAt} < ${before} AND ${hasFailedTimes(outbox.id, failures)}`,
    )
    .returning({ id: outbox.id });
}
