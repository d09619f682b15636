import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite, DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { writeNewsletters } from "#app/domain/newsletters/queries/mails.server.ts";
import { COUNTED_MS } from "#app/domain/newsletters/rules.ts";
import type { NewsletterPort } from "#app/domain/notifications/commands/sending.server.ts";
import { OPENINGS_CHOICE } from "#app/domain/notifications/rules/kinds.ts";
import { BEHIND_UTC_MS, DAY_MS, dayNumberOf, startOfDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  newsletterDays,
  newsletterReaders,
  newsletterTotals,
} from "#drizzle/schema/newsletters.ts";

/** What sends newsletters calls this module through. */
export const newsletters: NewsletterPort = { write: writeNewsletters, sentStatements };

const today = (ctx: Context): Instant => startOfDay(dayNumberOf(ctx.now()));

/**
 * Both times are starts of days: counting ends before the first of those who were counted is
 * forgotten, so that nobody counts twice.
 */
function sentStatements(ctx: Context, { postId }: { postId: string }): DbStatement[] {
  return [
    ctx.db
      .insert(newsletterTotals)
      .select(sql`SELECT ${postId}, CAST(${today(ctx)} AS INTEGER), 1, 0, 0 WHERE changes() = 1`)
      .onConflictDoUpdate({
        target: newsletterTotals.postId,
        set: { sentCount: sql`${newsletterTotals.sentCount} + 1` },
      }),
    dayStatement(ctx, postId, "sentCount"),
  ];
}

/** Adds one to a count of today if the statement before changed a row. */
function dayStatement(
  ctx: Context,
  postId: string,
  count: "sentCount" | "openedCount" | "clickedCount",
): DbStatement {
  const one = (name: typeof count) => sql.raw(name === count ? "1" : "0");
  return ctx.db
    .insert(newsletterDays)
    .select(
      sql`SELECT ${postId}, CAST(${dayNumberOf(ctx.now())} AS INTEGER), ${one("sentCount")}, ${one("openedCount")}, ${one("clickedCount")} WHERE changes() = 1`,
    )
    .onConflictDoUpdate({
      target: [newsletterDays.postId, newsletterDays.day],
      set: { [count]: sql`${newsletterDays[count]} + 1` },
    });
}

type Reader = { postId: string; personId: string };

/**
 * Counts that a reader opened a post's email: each once, within thirty days of the first email, and
 * not who refused to be counted meanwhile. Safe to repeat.
 */
export async function countOpening(ctx: Context, reader: Reader): Promise<void> {
  const refused = sql`EXISTS (SELECT 1 FROM notification_choices choice WHERE choice.person_id = ${reader.personId} AND choice.kind = ${OPENINGS_CHOICE.kind} AND choice.is_on = 0)`;
  await commit(
    ctx.db,
    openingStatements(ctx, reader, sql`(${isCounted(ctx, reader)} AND NOT ${refused})`),
  );
}

/** Counts that a reader followed a link of a post's email. Who did has opened it. Safe to repeat. */
export async function countClick(ctx: Context, reader: Reader): Promise<void> {
  const { postId, personId, isClicked } = newsletterReaders;
  await commit(ctx.db, [
    ...openingStatements(ctx, reader, isCounted(ctx, reader)),
    ctx.db
      .update(newsletterReaders)
      .set({ isClicked: true })
      .where(
        and(
          eq(postId, reader.postId),
          eq(personId, reader.personId),
          eq(isClicked, false),
          isCounted(ctx, reader),
        ),
      ),
    addedStatement(ctx, reader.postId, "clickedCount"),
    dayStatement(ctx, reader.postId, "clickedCount"),
  ]);
}

const openingStatements = (
  ctx: Context,
  { postId, personId }: Reader,
  condition: SQL,
): DbStatement[] => [
  ctx.db
    .insert(newsletterReaders)
    .select(
      sql`SELECT ${postId}, ${personId}, 0, CAST(${today(ctx)} AS INTEGER) WHERE ${condition}`,
    )
    .onConflictDoNothing(),
  addedStatement(ctx, postId, "openedCount"),
  dayStatement(ctx, postId, "openedCount"),
];

/** Whether the post's emails are new enough, and the reader has an account still. */
const isCounted = (ctx: Context, { postId, personId }: Reader): SQL =>
  sql`(EXISTS (SELECT 1 FROM newsletter_totals totals WHERE totals.post_id = ${postId} AND totals.first_sent_at > CAST(${ctx.now() - COUNTED_MS} AS INTEGER))
    AND EXISTS (SELECT 1 FROM people reader WHERE reader.id = ${personId} AND reader.deleted_at IS NULL))`;

/** Adds one if the statement before changed a row. */
const addedStatement = (
  ctx: Context,
  postId: string,
  count: "openedCount" | "clickedCount",
): DbStatement =>
  ctx.db
    .update(newsletterTotals)
    .set({ [count]: sql`${newsletterTotals[count]} + 1` })
    .where(and(sql`changes() = 1`, eq(newsletterTotals.postId, postId)));

/**
 * Takes a person who refuses to be counted out of the openings that an image counted. Who also
 * followed a link stays counted by that. Safe to repeat.
 */
export async function forgetOpenings(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  const own = and(eq(newsletterReaders.personId, personId), eq(newsletterReaders.isClicked, false));
  await commit(ctx.db, [
    ctx.db
      .update(newsletterTotals)
      .set({ openedCount: sql`${newsletterTotals.openedCount} - 1` })
      .where(
        sql`${newsletterTotals.postId} IN (SELECT own.post_id FROM newsletter_readers own WHERE own.person_id = ${personId} AND own.is_clicked = 0)`,
      ),
    ctx.db
      .update(newsletterDays)
      .set({ openedCount: sql`${newsletterDays.openedCount} - 1` })
      .where(
        sql`(${newsletterDays.postId}, ${newsletterDays.day}) IN (SELECT own.post_id, CAST((own.counted_on - ${BEHIND_UTC_MS}) / ${DAY_MS} AS INTEGER) FROM newsletter_readers own WHERE own.person_id = ${personId} AND own.is_clicked = 0)`,
      ),
    ctx.db.delete(newsletterReaders).where(own),
  ]);
}

/** Erases up to `limit` readers of a post's email, and its totals. Returns the number. */
export async function eraseNewsletterOf(
  ctx: Context,
  { postId, limit }: { postId: string; limit: number },
): Promise<number> {
  const some = sql`SELECT some.rowid FROM newsletter_readers some WHERE some.post_id = ${postId} LIMIT ${limit}`;
  const [readers, totals] = await ctx.db.batch([
    ctx.db
      .delete(newsletterReaders)
      .where(sql`rowid IN (${some})`)
      .returning({ postId: newsletterReaders.postId }),
    ctx.db
      .delete(newsletterTotals)
      .where(eq(newsletterTotals.postId, postId))
      .returning({ postId: newsletterTotals.postId }),
    ctx.db.delete(newsletterDays).where(eq(newsletterDays.postId, postId)),
  ]);
  return readers.length + totals.length;
}

/** Builds the statement that forgets which emails a person opened. */
export const eraseReaderStatement = (
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite => ctx.db.delete(newsletterReaders).where(eq(newsletterReaders.personId, personId));

const FORGOTTEN_AT_ONCE = 1_000;

/** Forgets who opened emails that are older than the time in which openings count. */
export async function forgetReaders(ctx: Context): Promise<void> {
  const rows = sql`SELECT old.rowid FROM newsletter_readers old WHERE old.counted_on <= CAST(${ctx.now() - COUNTED_MS} AS INTEGER) LIMIT ${FORGOTTEN_AT_ONCE}`;
  await ctx.db.delete(newsletterReaders).where(sql`rowid IN (${rows})`);
}
