import { and, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { guardStatement } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { unusedCents } from "#app/domain/subscriptions/coverage/rules.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  unusedAfterEndStatement,
  chargesCoveringStatement,
  MAX_COVERING_CHARGES,
  openDisputeStatement,
  unusedAfterEnd,
} from "#app/domain/subscriptions/coverage/queries.server.ts";
import type { ChargeCoverage } from "#app/domain/subscriptions/coverage/queries.server.ts";
import {
  appliedConsentsStatement,
  toAppliedConsents,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { latestCoveredPeriodsStatement } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";

/**
 * What decides the effect of a refund of a subscription's charge, or of money won back in a
 * dispute. The subscription snapshot is read separately.
 */
export type EndSnapshot = {
  /** The period slices that it has paid, the last first. */
  periodSlices: readonly { chargeId: string; startsAt: Instant; endsAt: Instant }[];
  /** The charge covers days still to come. */
  isCovering: boolean;
  /** One of its payments is disputed. */
  isDisputed: boolean;
  /** Every payment that covers days still to come. */
  covering: readonly ChargeCoverage[];
  /** The agreed prices that are in force. */
  consents: readonly PriceConsent[];
  /**
   * The part of the charge that pays for days after an end caused by another payment
   * (`unusedCents`). `waitingCents` is the sum of its refunds already decided. In centavos; null
   * while the subscription is live.
   */
  afterEnd: { unusedCents: Cents; waitingCents: Cents } | null;
  /**
   * Everything above in one text, by which a write checks that it is unchanged; null when the
   * subscription does not exist.
   */
  asRead: string | null;
};

/**
 * Everything about a subscription that decides its end, except the payment in question. The write
 * about that payment checks it itself.
 */
const endingState = (
  chargeId: SQL,
) => sql<string>`json_array("subscriptions"."status", "subscriptions"."access_until", "subscriptions"."current_period_ends_at", "subscriptions"."plan_price_id", "subscriptions"."amount_cents",
  (SELECT json_group_array(json_array(o.id, o.status, o.refunded_cents, o.disputed_cents, o.waiting_cents)) FROM (SELECT c.id, c.status, c.refunded_cents, c.disputed_cents,
      (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = c.id AND r.status = 'requested') AS waiting_cents
    FROM charges c WHERE c.purchase_kind IN ('subscription', 'plan_change', 'gift') AND c.purchase_id = "subscriptions"."id" AND c.succeeded_at IS NOT NULL AND c.id <> ${chargeId} ORDER BY c.id) o),
  (SELECT json_group_array(json_array(p.id, p.charge_id, p.starts_at, p.ends_at, p.amount_cents)) FROM (SELECT q.id, q.charge_id, q.starts_at, q.ends_at, q.amount_cents FROM charge_periods q WHERE q.subscription_id = "subscriptions"."id" ORDER BY q.id) p))`;

/**
 * The statement that refuses a batch (StaleWrite) if the snapshot changed since it was read. It
 * goes before the batch's changes to the subscription. The snapshot may be read before a provider
 * answers, and another payment's dispute or refund may change the decision. It also guards a
 * decision to do nothing.
 */
export const endSnapshotUnchangedStatement = (
  { db }: Pick<Context, "db">,
  { asRead }: EndSnapshot,
  { subscriptionId, chargeId }: SubscriptionChargeRef,
): DbStatement =>
  guardStatement(
    db,
    sql`(SELECT ${endingState(sql`${chargeId}`)} FROM subscriptions WHERE "subscriptions"."id" = ${subscriptionId}) IS ${asRead}`,
  );

type EndSnapshotKey = { subscriptionId: SQL<string>; chargeId: SQL<string>; now: SQL<Instant> };

/**
 * The statements of `loadEndSnapshot`, for a batch; `toEndSnapshot` reads their rows. They may be
 * built once.
 */
export const endSnapshotStatements = (
  { db }: Pick<Context, "db">,
  { subscriptionId, chargeId, now }: EndSnapshotKey,
) =>
  [
    latestCoveredPeriodsStatement({ db }, { subscriptionId }),
    db
      .select({ id: chargePeriods.id })
      .from(chargePeriods)
      .where(
        and(
          eq(chargePeriods.chargeId, chargeId),
          eq(chargePeriods.subscriptionId, subscriptionId),
          gt(chargePeriods.endsAt, now),
        ),
      )
      .limit(1),
    openDisputeStatement({ db }, { subscriptionId }),
    chargesCoveringStatement(
      { db },
      { of: { subscriptionId }, at: now, afterChargeId: "", limit: MAX_COVERING_CHARGES },
    ),
    appliedConsentsStatement({ db }, { subscriptionId }),
    unusedAfterEndStatement({ db }, { chargeId }),
    db
      .select({ asRead: endingState(chargeId).as("as_read") })
      .from(subscriptions)
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
  ] as const;

type EndSnapshotRows<Statements> = {
  readonly [Index in keyof Statements]: Awaited<Statements[Index]>;
};

export const toEndSnapshot = ([
  periodSlices,
  covers,
  disputes,
  covering,
  consents,
  afterEnd,
  [subscription],
]: EndSnapshotRows<ReturnType<typeof endSnapshotStatements>>): EndSnapshot => ({
  periodSlices,
  isCovering: covers.length > 0,
  isDisputed: disputes.length > 0,
  covering,
  consents: toAppliedConsents(consents),
  afterEnd: afterEnd[0]
    ? { unusedCents: unusedAfterEnd(afterEnd), waitingCents: afterEnd[0].waitingCents }
    : null,
  asRead: subscription?.asRead ?? null,
});

type SubscriptionChargeRef = { subscriptionId: string; chargeId: string };

/** Loads the end snapshot in one round trip. */
export async function loadEndSnapshot(
  ctx: Context,
  { subscriptionId, chargeId }: SubscriptionChargeRef,
): Promise<EndSnapshot> {
  return toEndSnapshot(
    await ctx.db.batch(
      endSnapshotStatements(ctx, {
        subscriptionId: sql`${subscriptionId}`,
        chargeId: sql`${chargeId}`,
        now: sql`${ctx.now()}`,
      }),
    ),
  );
}

/** A payment, and how much of it is refunded (centavos). */
export type UnusedRefund = { covering: ChargeCoverage; amountCents: Cents };

/**
 * The unused days of every payment of a subscription except one. Payments with nothing left to
 * refund are omitted.
 */
export const unusedRefundsExcept = (
  { covering }: EndSnapshot,
  chargeId: string,
  at: Instant,
): UnusedRefund[] =>
  covering
    .filter((one) => one.chargeId !== chargeId)
    .map((one) => ({ covering: one, amountCents: unusedCents(one, at) }))
    .filter(({ amountCents }) => amountCents > 0);

/**
 * Where the subscription would end without this charge; null unless the charge is the last one
 * covered and nothing it covers has started. `startsAt` is the start of the slice before it.
 */
function endWithout(
  { periodSlices }: EndSnapshot,
  { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant },
): { startsAt: Instant; endsAt: Instant } | null {
  const before = periodSlices.findIndex((periodSlice) => periodSlice.chargeId !== chargeId);
  const [last, first, retained] = [periodSlices[0], periodSlices[before - 1], periodSlices[before]];
  if (!last || !first || !retained || first.startsAt <= now || last.endsAt !== endsAt) return null;
  return { startsAt: retained.startsAt, endsAt: first.startsAt };
}

/**
 * Decides what the full refund of one payment does to its subscription. Nothing, if the payment
 * covers only past days or another payment is disputed. Only the period is removed if it is the
 * last one to come (`endWithout`). Otherwise the subscription ends, and the unused days of its
 * other payments are refunded too.
 */
export function endAfterRefund(
  endSnapshot: EndSnapshot,
  { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant },
):
  | { kind: "nothing" }
  | { kind: "period"; retained: { startsAt: Instant; endsAt: Instant } }
  | { kind: "subscription"; unused: UnusedRefund[] } {
  const retained = endWithout(endSnapshot, { endsAt, chargeId, now });
  if (retained) return { kind: "period", retained };
  if (!endSnapshot.isCovering || endSnapshot.isDisputed) return { kind: "nothing" };
  return { kind: "subscription", unused: unusedRefundsExcept(endSnapshot, chargeId, now) };
}
