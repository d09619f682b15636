import { and, desc, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { SaleEvidence } from "#app/domain/disputes/schema.ts";
import { DISPUTE_REMINDER_LEAD_MS } from "#app/domain/disputes/rules/answers.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { disputeAnswers, disputeFiles } from "#drizzle/schema/disputes.ts";
import { people } from "#drizzle/schema/identity.ts";
import { chargePeriods, charges, disputes } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptionCancellations } from "#drizzle/schema/subscriptions.ts";

export type DisputeRecord = typeof disputes.$inferSelect;
export type DisputeAnswer = typeof disputeAnswers.$inferSelect;
export type DisputeFile = typeof disputeFiles.$inferSelect;
type DisputedCharge = typeof charges.$inferSelect;

const payer = alias(profiles, "payer");

export async function disputeRow(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<DisputeRecord | null> {
  const [row] = await ctx.db.select().from(disputes).where(eq(disputes.id, disputeId)).limit(1);
  return row ?? null;
}

export async function answerRow(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<DisputeAnswer | null> {
  const [row] = await ctx.db
    .select()
    .from(disputeAnswers)
    .where(eq(disputeAnswers.disputeId, disputeId))
    .limit(1);
  return row ?? null;
}

/** Returns the current files of an answer, oldest first. */
export function evidenceFiles(ctx: Context, { disputeId }: { disputeId: string }) {
  return ctx.db
    .select()
    .from(disputeFiles)
    .where(and(eq(disputeFiles.disputeId, disputeId), eq(disputeFiles.state, "kept")))
    .orderBy(disputeFiles.createdAt)
    .limit(10);
}

export type ListedDispute = Pick<
  DisputeRecord,
  | "id"
  | "kind"
  | "status"
  | "amountCents"
  | "feeShareCents"
  | "createdAt"
  | "respondBy"
  | "underReviewAt"
> & {
  /** The paid amount, of which a part may be disputed (centavos). */
  paidCents: number;
  description: string;
  payerName: string;
  answer: DisputeAnswer["status"] | null;
};

const listedColumns = {
  id: disputes.id,
  kind: disputes.kind,
  status: disputes.status,
  amountCents: disputes.amountCents,
  feeShareCents: disputes.feeShareCents,
  createdAt: disputes.createdAt,
  respondBy: disputes.respondBy,
  underReviewAt: disputes.underReviewAt,
  paidCents: sql<number>`${charges.amountCents}`.as("paid_cents"),
  description: charges.description,
  payerName: payer.name,
  answer: disputeAnswers.status,
};

function listing(ctx: Context) {
  return ctx.db
    .select(listedColumns)
    .from(disputes)
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .leftJoin(disputeAnswers, eq(disputeAnswers.disputeId, disputes.id));
}

/** Returns the disputes of a creator's received payments, newest first. */
export async function creatorDisputes(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<Page<ListedDispute>> {
  const after = decodeCursor(cursor);
  const rows = await listing(ctx)
    .where(
      and(
        eq(disputes.creatorId, creatorId),
        after
          ? or(
              lt(disputes.createdAt, after.at),
              and(eq(disputes.createdAt, after.at), lt(disputes.id, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(desc(disputes.createdAt), desc(disputes.id))
    .limit(limit + 1);
  return pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** Returns the open disputes of all creators, the first deadline first; those without one last. */
export async function openDisputes(
  ctx: Context,
  { limit }: { limit: number },
): Promise<ListedDispute[]> {
  return await listing(ctx)
    .where(eq(disputes.status, "open"))
    .orderBy(sql`${disputes.respondBy} IS NULL`, disputes.respondBy, disputes.createdAt)
    .limit(limit);
}

/** Builds the statement that counts open disputes with their first deadline, for the staff's home. */
export function openDisputesCountStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("disputes_count"),
      oldestAt: sql<Instant | null>`MIN(${disputes.createdAt})`.as("disputes_oldest_at"),
      respondBy: sql<Instant | null>`MIN(${disputes.respondBy})`.as("disputes_respond_by"),
    })
    .from(disputes)
    .where(eq(disputes.status, "open"));
}

/** Returns answers whose provider takes none by API, oldest first. The staff sends them by hand. */
export async function manualAnswers(
  ctx: Context,
  { limit }: { limit: number },
): Promise<(ListedDispute & { submittedAt: Instant | null })[]> {
  return await ctx.db
    .select({ ...listedColumns, submittedAt: disputeAnswers.submittedAt })
    .from(disputes)
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .innerJoin(disputeAnswers, eq(disputeAnswers.disputeId, disputes.id))
    .where(eq(disputeAnswers.status, "by_hand"))
    .orderBy(disputeAnswers.submittedAt)
    .limit(limit);
}

export type DisputeDetail = {
  dispute: DisputeRecord;
  charge: DisputedCharge;
  payer: { name: string; username: string; email: string };
  answer: DisputeAnswer | null;
  files: DisputeFile[];
  entries: Awaited<ReturnType<typeof chargeEntries>>;
  evidence: SaleEvidence;
};

/**
 * Reads a dispute with everything known of it, in one round trip. Returns null when there is none.
 * The caller checks who may see it.
 */
export async function disputeDetail(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<DisputeDetail | null> {
  const ofCharge = sql`(SELECT d.charge_id FROM disputes d WHERE d.id = ${disputeId})`;
  const [found, answers, files, entries, periods, earlier, canceled, activity] = await ctx.db.batch(
    [
      ctx.db
        .select({
          dispute: disputes,
          charge: charges,
          payerName: payer.name,
          payerUsername: payer.username,
          payerEmail: people.email,
        })
        .from(disputes)
        .innerJoin(charges, eq(charges.id, disputes.chargeId))
        .innerJoin(payer, eq(payer.personId, charges.payerId))
        .innerJoin(people, eq(people.id, charges.payerId))
        .where(eq(disputes.id, disputeId))
        .limit(1),
      ctx.db.select().from(disputeAnswers).where(eq(disputeAnswers.disputeId, disputeId)).limit(1),
      evidenceFiles(ctx, { disputeId }),
      chargeEntries(ctx, { chargeId: ofCharge }),
      ctx.db
        .select({
          startsAt: sql<Instant | null>`MIN(${chargePeriods.startsAt})`.as("covered_from"),
          endsAt: sql<Instant | null>`MAX(${chargePeriods.endsAt})`.as("covered_until"),
        })
        .from(chargePeriods)
        .where(eq(chargePeriods.chargeId, ofCharge)),
      ctx.db
        .select({ count: sql<number>`COUNT(*)` })
        .from(charges)
        .where(
          sql`purchase_kind = 'subscription' AND status IN ('succeeded', 'partially_refunded', 'dispute_won')
          AND purchase_id = (SELECT c.purchase_id FROM charges c WHERE c.id = ${ofCharge}) AND succeeded_at < (SELECT c.succeeded_at FROM charges c WHERE c.id = ${ofCharge})`,
        ),
      ctx.db
        .select({ at: subscriptionCancellations.createdAt })
        .from(subscriptionCancellations)
        .where(
          sql`subscription_id = (SELECT c.purchase_id FROM charges c WHERE c.id = ${ofCharge}) AND undone_at IS NULL AND created_at < (SELECT d.created_at FROM disputes d WHERE d.id = ${disputeId})`,
        )
        .limit(1),
      activityOf(ctx, disputeId),
    ],
  );
  const row = found[0];
  if (!row) return null;
  const { dispute, charge, payerName: name, payerUsername: username, payerEmail: email } = row;
  const [acted, covered] = [activity[0], periods[0]];
  return {
    dispute,
    charge,
    payer: { name, username, email },
    answer: answers[0] ?? null,
    files,
    entries,
    evidence: {
      description: charge.description,
      payerName: name,
      paidAt: charge.succeededAt ?? charge.createdAt,
      amountCents: charge.amountCents,
      method: charge.method,
      period:
        covered && covered.startsAt !== null && covered.endsAt !== null
          ? { startsAt: covered.startsAt, endsAt: covered.endsAt }
          : null,
      earlierPayments: earlier[0]?.count ?? 0,
      canceledAt: canceled[0]?.at ?? null,
      refundedCents: charge.refundedCents,
      disputedCents: dispute.amountCents,
      activity:
        acted && acted.posts > 0 && acted.firstAt !== null && acted.lastAt !== null
          ? { posts: acted.posts, firstAt: acted.firstAt, lastAt: acted.lastAt }
          : null,
    },
  };
}

/** Reads the payer's public activity on the seller's posts, from the payment to the dispute. */
function activityOf(ctx: Context, disputeId: string) {
  const sale = sql`disputes d JOIN charges c ON c.id = d.charge_id`;
  const act = (rows: SQL, who: SQL, at: SQL) => sql`
    SELECT acted.post_id, ${at} AS at FROM ${sale} JOIN ${rows} acted ON ${who} = c.payer_id JOIN posts p ON p.id = acted.post_id
    WHERE d.id = ${disputeId} AND p.author_id = c.creator_id AND ${at} BETWEEN c.succeeded_at AND d.created_at`;
  const acts = sql`(${act(sql`post_likes`, sql`acted.person_id`, sql`acted.created_at`)} UNION ALL ${act(sql`comments`, sql`acted.author_id`, sql`acted.created_at`)} UNION ALL ${act(sql`post_poll_votes`, sql`acted.person_id`, sql`acted.voted_at`)})`;
  return ctx.db
    .select({
      posts: sql<number>`COUNT(DISTINCT post_id)`.as("posts"),
      firstAt: sql<Instant | null>`MIN(at)`.as("first_at"),
      lastAt: sql<Instant | null>`MAX(at)`.as("last_at"),
    })
    .from(acts);
}

/** Returns submitted answers that the provider has not confirmed yet, oldest first. */
export async function dueAnswers(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: disputeAnswers.disputeId })
    .from(disputeAnswers)
    .where(and(eq(disputeAnswers.status, "submitted"), isRetryDue(ctx, disputeAnswers.disputeId)))
    .orderBy(disputeAnswers.submittedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Returns open disputes without an answer or a reminder, due in two days or less. */
export async function dueDisputeReminders(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({ id: disputes.id })
    .from(disputes)
    .leftJoin(
      disputeAnswers,
      and(eq(disputeAnswers.disputeId, disputes.id), sql`${disputeAnswers.status} <> 'draft'`),
    )
    .where(
      and(
        sql`${disputes.status} = 'open' AND ${disputes.underReviewAt} IS NULL AND ${disputes.remindedAt} IS NULL`,
        gt(disputes.respondBy, now),
        lte(disputes.respondBy, now + DISPUTE_REMINDER_LEAD_MS),
        isNull(disputeAnswers.disputeId),
        isRetryDue(ctx, disputes.id, "dispute_reminder"),
      ),
    )
    .orderBy(disputes.respondBy)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Reads one file of an answer, with the seller and the payer of the disputed charge. Returns null
 * when there is none, or it was removed.
 */
export async function evidenceFile(
  ctx: Context,
  { disputeId, fileId }: { disputeId: string; fileId: string },
): Promise<{ file: DisputeFile; creatorId: string; payerId: string } | null> {
  const [row] = await ctx.db
    .select({ file: disputeFiles, creatorId: disputes.creatorId, payerId: charges.payerId })
    .from(disputeFiles)
    .innerJoin(disputes, eq(disputes.id, disputeFiles.disputeId))
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .where(
      and(
        eq(disputeFiles.id, fileId),
        eq(disputeFiles.disputeId, disputeId),
        eq(disputeFiles.state, "kept"),
      ),
    )
    .limit(1);
  return row ?? null;
}
