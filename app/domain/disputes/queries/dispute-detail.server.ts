import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { SaleEvidence } from "#app/domain/disputes/schema.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { disputeAnswers } from "#drizzle/schema/disputes.ts";
import { people } from "#drizzle/schema/identity.ts";
import { chargePeriods, charges, disputes } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptionCancellations } from "#drizzle/schema/subscriptions.ts";
import { evidenceFiles } from "#app/domain/disputes/queries.server.ts";
import type {
  DisputeRecord,
  DisputeAnswer,
  DisputeFile,
} from "#app/domain/disputes/queries.server.ts";

const payer = alias(profiles, "payer");

export type DisputeDetail = {
  dispute: DisputeRecord;
  charge: typeof charges.$inferSelect;
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
  const [[row], [answer], files, entries, [covered], [earlier], [canceled], [acted]] =
    await ctx.db.batch([
      disputeAndPayer(ctx, disputeId),
      ctx.db.select().from(disputeAnswers).where(eq(disputeAnswers.disputeId, disputeId)).limit(1),
      evidenceFiles(ctx, { disputeId }),
      chargeEntries(ctx, { chargeId: ofCharge }),
      coveredTime(ctx, ofCharge),
      earlierPaymentsCount(ctx, ofCharge),
      cancellationBefore(ctx, { disputeId, ofCharge }),
      activityOf(ctx, disputeId),
    ]);
  if (!row) return null;
  const { dispute, charge, payerName: name, payerUsername: username, payerEmail: email } = row;
  return {
    dispute,
    charge,
    payer: { name, username, email },
    answer: answer ?? null,
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
      earlierPayments: earlier?.count ?? 0,
      canceledAt: canceled?.at ?? null,
      refundedCents: charge.refundedCents,
      disputedCents: dispute.amountCents,
      activity:
        acted && acted.posts > 0 && acted.firstAt !== null && acted.lastAt !== null
          ? { posts: acted.posts, firstAt: acted.firstAt, lastAt: acted.lastAt }
          : null,
    },
  };
}

const disputeAndPayer = (ctx: Context, disputeId: string) =>
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
    .limit(1);

/** The first and last instant of the periods that the charge paid. */
const coveredTime = (ctx: Context, ofCharge: SQL) =>
  ctx.db
    .select({
      startsAt: sql<Instant | null>`MIN(${chargePeriods.startsAt})`.as("covered_from"),
      endsAt: sql<Instant | null>`MAX(${chargePeriods.endsAt})`.as("covered_until"),
    })
    .from(chargePeriods)
    .where(eq(chargePeriods.chargeId, ofCharge));

/** How many charges of the same subscription were paid before this one. */
const earlierPaymentsCount = (ctx: Context, ofCharge: SQL) =>
  ctx.db
    .select({ count: sql<number>`COUNT(*)` })
    .from(charges)
    .where(
      sql`purchase_kind = 'subscription' AND status IN ('succeeded', 'partially_refunded', 'dispute_won')
          AND purchase_id = (SELECT c.purchase_id FROM charges c WHERE c.id = ${ofCharge}) AND succeeded_at < (SELECT c.succeeded_at FROM charges c WHERE c.id = ${ofCharge})`,
    );

/** The cancellation of the subscription that stood when the dispute was opened. */
const cancellationBefore = (
  ctx: Context,
  { disputeId, ofCharge }: { disputeId: string; ofCharge: SQL },
) =>
  ctx.db
    .select({ at: subscriptionCancellations.createdAt })
    .from(subscriptionCancellations)
    .where(
      sql`subscription_id = (SELECT c.purchase_id FROM charges c WHERE c.id = ${ofCharge}) AND undone_at IS NULL AND created_at < (SELECT d.created_at FROM disputes d WHERE d.id = ${disputeId})`,
    )
    .limit(1);

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
