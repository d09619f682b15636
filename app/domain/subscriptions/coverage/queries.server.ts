import { and, asc, eq, gt, inArray, lte, ne, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { unusedCents } from "./rules.ts";
import type { CoveringCharge } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * Charges that pay for periods. A gift's charge has the id of the subscription that it becomes; so
 * has a plan change's.
 */
const paysForPeriods = inArray(charges.purchaseKind, ["subscription", "plan_change", "gift"]);
const isLive = notInArray(subscriptions.status, ["incomplete", "expired"]);
const theirs = (personId: string): SQL | undefined =>
  or(eq(subscriptions.fanId, personId), eq(subscriptions.creatorId, personId));

/** Live subscriptions that a person pays for or sells, oldest first. */
export async function liveSubscriptionsOfPerson(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(theirs(personId), isLive))
    .orderBy(asc(subscriptions.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * A period slice that a charge pays for. `isDifference` (1 or 0): it belongs to a plan change, on
 * top of another charge's slice.
 */
export type CoveredPeriod = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  isDifference: number;
  amountCents: Cents | null;
};

/** A paid charge of a live subscription that covers days after `at`, or of an upcoming one. */
export type ChargeCoverage = CoveringCharge & {
  periods: CoveredPeriod[];
  chargeId: string;
  subscriptionId: string;
  /** The subscription has not started: its whole payment is refunded. */
  isUpcoming: boolean;
  fanId: string;
  feeCents: Cents;
  refundedFeeCents: Cents;
  disputedFeeCents: Cents;
};

/** The columns of a charge that `unusedCents` reads. */
const covering = {
  amountCents: sql<Cents>`${charges.amountCents}`.as("charge_cents"),
  refundedCents: charges.refundedCents,
  disputedCents: charges.disputedCents,
  waitingCents:
    sql<Cents>`(SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = ${charges.id} AND r.status = 'requested')`.as(
      "waiting_cents",
    ),
  periods: sql<
    CoveredPeriod[]
  >`(SELECT json_group_array(json_object('id', p.id, 'startsAt', p.starts_at, 'endsAt', p.ends_at, 'isDifference', p.is_difference, 'amountCents', p.amount_cents)) FROM charge_periods p WHERE p.charge_id = ${charges.id})`
    .mapWith((text: string) => JSON.parse(text))
    .as("periods"),
};

type ChargeCoverageInput = {
  of: { subscriptionId: string | SQL<string> } | { fanId: string } | { creatorId: string };
  at: Instant | SQL<Instant>;
  afterChargeId: string;
  limit: number;
};

/**
 * The charges that cover days after `at`, paged by id. Disputed charges are left out: they wait for
 * the dispute's outcome.
 */
export async function chargesCoveringAfter(
  ctx: Context,
  input: ChargeCoverageInput,
): Promise<ChargeCoverage[]> {
  return await chargesCoveringStatement(ctx, input);
}

/** The statement of `chargesCoveringAfter`. It may be built once. */
export const chargesCoveringStatement = (
  { db }: Pick<Context, "db">,
  { of, at, afterChargeId, limit }: ChargeCoverageInput,
) =>
  db
    .select({
      ...covering,
      chargeId: sql<string>`${charges.id}`.as("charge_id"),
      subscriptionId: sql<string>`${subscriptions.id}`.as("subscription_id"),
      isUpcoming: sql<boolean>`${subscriptions.status} = 'upcoming'`
        .mapWith((value: number) => value === 1)
        .as("is_upcoming"),
      fanId: subscriptions.fanId,
      feeCents: charges.feeCents,
      refundedFeeCents: charges.refundedFeeCents,
      disputedFeeCents: charges.disputedFeeCents,
    })
    .from(charges)
    .innerJoin(subscriptions, and(paysForPeriods, eq(charges.purchaseId, subscriptions.id)))
    .where(
      and(
        ofWhom(of),
        isLive,
        gt(charges.id, afterChargeId),
        inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]),
        sql`(${subscriptions.status} = 'upcoming' OR EXISTS (SELECT 1 FROM charge_periods q WHERE q.charge_id = ${charges.id} AND q.ends_at > ${at}))`,
      ),
    )
    .orderBy(asc(charges.id))
    .limit(limit);

function ofWhom(of: ChargeCoverageInput["of"]): SQL | undefined {
  if ("subscriptionId" in of) return eq(subscriptions.id, of.subscriptionId);
  // Gifts that the fan received are refunded to their payer.
  return "fanId" in of
    ? and(eq(subscriptions.fanId, of.fanId), eq(charges.payerId, of.fanId))
    : eq(subscriptions.creatorId, of.creatorId);
}

/** More charges than a live subscription can have prepaid. */
export const MAX_COVERING_CHARGES = 50;

/**
 * The refunds of a subscription's payments that cover days after `at`, in centavos: those days, or
 * `everything`. Payments with nothing left to refund are omitted.
 */
export async function unusedRefunds(
  ctx: Context,
  { subscriptionId, at, everything }: { subscriptionId: string; at: Instant; everything: boolean },
): Promise<{ chargeId: string; amountCents: Cents }[]> {
  const covering = await chargesCoveringAfter(ctx, {
    of: { subscriptionId },
    at,
    afterChargeId: "",
    limit: MAX_COVERING_CHARGES,
  });
  return covering
    .map((one) => ({
      chargeId: one.chargeId,
      amountCents: everything ? wholeCents(one) : unusedCents(one, at),
    }))
    .filter(({ amountCents }) => amountCents > 0);
}

const wholeCents = (covering: ChargeCoverage): Cents =>
  remainingCents(covering) - covering.waitingCents;

/**
 * The refund of a payment if its subscription closes at `at`, in centavos: its unused days, or all
 * of it if the subscription never started.
 */
export const closingCents = (covering: ChargeCoverage, at: Instant): Cents =>
  covering.isUpcoming ? wholeCents(covering) : unusedCents(covering, at);

/**
 * The unused days of a payment, in centavos, when its subscription ended during its dispute because
 * another payment was refunded. 0 for a live subscription, and for one whose period ran out.
 */
export const unusedAfterEnd = ([row]: Awaited<ReturnType<typeof unusedAfterEndStatement>>): Cents =>
  row?.endedAt ? unusedCents({ ...row, disputedCents: 0 }, row.endedAt) : 0;

/** The statement of `unusedAfterEnd`. It may be built once. */
export const unusedAfterEndStatement = (
  { db }: Pick<Context, "db">,
  { chargeId }: { chargeId: SQL<string> },
) =>
  db
    .select({ ...covering, endedAt: subscriptions.accessUntil })
    .from(charges)
    .innerJoin(subscriptions, and(paysForPeriods, eq(charges.purchaseId, subscriptions.id)))
    .where(and(eq(charges.id, chargeId), eq(subscriptions.status, "expired")))
    .limit(1);

/** Whether a payment of the query's subscription is disputed. */
export const hasOpenDispute = sql<boolean>`EXISTS (SELECT 1 FROM charges c JOIN disputes d ON d.charge_id = c.id WHERE c.purchase_kind IN ('subscription', 'plan_change', 'gift') AND c.purchase_id = "subscriptions"."id" AND d.status = 'open')`;

/**
 * Live subscriptions to creators banned before `bannedBefore`, to be refunded. Those with a
 * disputed payment wait for its outcome, and block no others.
 */
export async function subscriptionsOfBanned(
  ctx: Context,
  { bannedBefore, limit }: { bannedBefore: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: subscriptions.id })
    .from(people)
    .innerJoin(subscriptions, eq(subscriptions.creatorId, people.id))
    // These are the exact words of the partial index on hidden people.
    .where(
      and(
        sql`("people"."banned_at" IS NOT NULL OR "people"."leaving_at" IS NOT NULL)`,
        lte(people.bannedAt, bannedBefore),
        isLive,
        sql`NOT ${hasOpenDispute}`,
        isRetryDue(ctx, subscriptions.id, "seller_closed"),
      ),
    )
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * A payout in progress may still be returned. Until then nothing is decided about the sales it pays
 * out (`underageSalesToRefund`).
 */
const hasPayoutOnItsWay = sql`EXISTS (SELECT 1 FROM payouts p WHERE p.creator_id = ${subscriptions.creatorId} AND p.status IN ('claimed', 'sent'))`;

/**
 * Live subscriptions to sellers whose documents showed a false age. Those with a disputed payment
 * or a payout in progress are left out.
 */
export async function subscriptionsOfUnderage(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: subscriptions.id })
    .from(documents)
    .innerJoin(subscriptions, eq(subscriptions.creatorId, documents.personId))
    .where(
      and(
        eq(documents.status, "rejected"),
        eq(documents.rejectionCode, "underage"),
        isLive,
        sql`NOT ${hasOpenDispute}`,
        sql`NOT ${hasPayoutOnItsWay}`,
        isRetryDue(ctx, subscriptions.id, "seller_closed"),
      ),
    )
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Whether a payment of the subscription is disputed. */
export async function hasOpenDisputeOf(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<boolean> {
  return (await openDisputeStatement(ctx, { subscriptionId: sql`${subscriptionId}` })).length > 0;
}

/** The statement that finds an open dispute of any payment of a subscription. It may be built once. */
export const openDisputeStatement = (
  { db }: Pick<Context, "db">,
  { subscriptionId }: { subscriptionId: SQL<string> },
) =>
  db
    .select({ id: disputes.id })
    .from(disputes)
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .where(and(paysForPeriods, eq(charges.purchaseId, subscriptionId), eq(disputes.status, "open")))
    .limit(1);

export type PaidSubscription = {
  id: string;
  planName: string;
  creatorName: string;
  creatorUsername: string;
  accessUntil: Instant | null;
};

/** Lists the current subscriptions of a member. */
export async function payingSubscriptions(
  ctx: Context,
  { fanId, limit }: { fanId: string; limit: number },
): Promise<PaidSubscription[]> {
  return ctx.db
    .select({
      id: sql<string>`${subscriptions.id}`.as("subscription_id"),
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      accessUntil: subscriptions.accessUntil,
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .where(and(eq(subscriptions.fanId, fanId), isLive))
    .orderBy(asc(subscriptions.createdAt))
    .limit(limit);
}

/**
 * Counts the subscribers of a creator. A fan with a current and an upcoming subscription counts
 * once.
 */
export async function subscribersCount(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<number> {
  return ctx.db.$count(
    subscriptions,
    and(eq(subscriptions.creatorId, creatorId), isLive, ne(subscriptions.status, "upcoming")),
  );
}
