import { and, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { guardStatement } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { unusedCents } from "#app/domain/subscriptions/rules.ts";
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
} from "#app/domain/subscriptions/cancellations/queries/closing.server.ts";
import type { ChargeCoverage } from "#app/domain/subscriptions/cancellations/queries/closing.server.ts";
import {
  appliedConsentsStatement,
  toAppliedConsents,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { latestCoveredPeriodsStatement } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";

/**
 * What decides, beside its facts, what becomes of a subscription when the money of one of its
 * charges goes back, or comes back for good.
 */
export type EndSnapshot = {
  /** What it is paid for, the last first. */
  stretches: readonly { chargeId: string; startsAt: Instant; endsAt: Instant }[];
  /** The charge covers days that are to come. */
  isCovering: boolean;
  /** A payment of it is being fought over. */
  isDisputed: boolean;
  /** Every payment that covers days that are to come. */
  covering: readonly ChargeCoverage[];
  /** The prices that were agreed to and hold. */
  consents: readonly PriceConsent[];
  /**
   * Of the charge, what pays for days after the end that another payment brought, and what of it
   * was decided to go back already (centavos); null while the subscription goes on.
   */
  afterEnd: { unusedCents: Cents; waitingCents: Cents } | null;
  /**
   * Everything above in one text, so that a write can tell whether it is still so; null where there
   * is no such subscription.
   */
  asRead: string | null;
};

/**
 * Of a subscription: all that decides its end, but for the payment that goes or comes back, which
 * the write about that payment names itself.
 */
const standing = (
  chargeId: SQL,
) => sql<string>`json_array("subscriptions"."status", "subscriptions"."access_until", "subscriptions"."current_period_ends_at", "subscriptions"."plan_price_id", "subscriptions"."amount_cents",
  (SELECT json_group_array(json_array(o.id, o.status, o.refunded_cents, o.disputed_cents, o.waiting_cents)) FROM (SELECT c.id, c.status, c.refunded_cents, c.disputed_cents,
      (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = c.id AND r.status = 'requested') AS waiting_cents
    FROM charges c WHERE c.purchase_kind IN ('subscription', 'plan_change', 'gift') AND c.purchase_id = "subscriptions"."id" AND c.succeeded_at IS NOT NULL AND c.id <> ${chargeId} ORDER BY c.id) o),
  (SELECT json_group_array(json_array(p.id, p.charge_id, p.starts_at, p.ends_at, p.amount_cents)) FROM (SELECT q.id, q.charge_id, q.starts_at, q.ends_at, q.amount_cents FROM charge_periods q WHERE q.subscription_id = "subscriptions"."id" ORDER BY q.id) p))`;

/**
 * The statement that refuses a batch as stale when what `facts` say is not so any more, to go
 * before all that it does to the subscription: they may be read before a provider answers, and a
 * dispute or a refund of another payment meanwhile decides otherwise. It also guards that nothing
 * is done.
 */
export const endSnapshotUnchangedStatement = (
  { db }: Pick<Context, "db">,
  { asRead }: EndSnapshot,
  { subscriptionId, chargeId }: SubscriptionChargeRef,
): DbStatement =>
  guardStatement(
    db,
    sql`(SELECT ${standing(sql`${chargeId}`)} FROM subscriptions WHERE "subscriptions"."id" = ${subscriptionId}) IS ${asRead}`,
  );

type EndSnapshotKey = { subscriptionId: SQL<string>; chargeId: SQL<string>; now: SQL<Instant> };

/**
 * The statements of `loadEndSnapshot`, for a batch; `toEndSnapshot` reads what they give. They may
 * be built once.
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
      .select({ asRead: standing(chargeId).as("as_read") })
      .from(subscriptions)
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
  ] as const;

type EndSnapshotRows<Statements> = {
  readonly [Index in keyof Statements]: Awaited<Statements[Index]>;
};

export const toEndSnapshot = ([
  stretches,
  covers,
  disputes,
  covering,
  consents,
  afterEnd,
  [subscription],
]: EndSnapshotRows<ReturnType<typeof endSnapshotStatements>>): EndSnapshot => ({
  stretches,
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

/** In one round trip. */
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

/** A payment, and what of it is given back (centavos). */
export type UnusedRefund = { covering: ChargeCoverage; amountCents: Cents };

/**
 * The unused days of every payment of a subscription but one; payments with nothing left are left
 * out.
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
 * Where what a subscription is paid for would end without this charge, when nothing of what the
 * charge covers began and it is the last that is covered; null otherwise. `startsAt` is where the
 * stretch before it begins.
 */
function endWithout(
  { stretches }: EndSnapshot,
  { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant },
): { startsAt: Instant; endsAt: Instant } | null {
  const before = stretches.findIndex((stretch) => stretch.chargeId !== chargeId);
  const [last, first, kept] = [stretches[0], stretches[before - 1], stretches[before]];
  if (!last || !first || !kept || first.startsAt <= now || last.endsAt !== endsAt) return null;
  return { startsAt: kept.startsAt, endsAt: first.startsAt };
}

/**
 * What the whole refund of one payment of a subscription does to it now: nothing when it goes on,
 * because that payment covers only what is over, or the bank fights over another of its payments;
 * the period is taken back where it is the last that is to come (`endWithout`); else it ends, and
 * the unused days of its other payments go back too.
 */
export function endAfterRefund(
  facts: EndSnapshot,
  { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant },
):
  | { kind: "nothing" }
  | { kind: "period"; kept: { startsAt: Instant; endsAt: Instant } }
  | { kind: "subscription"; unused: UnusedRefund[] } {
  const kept = endWithout(facts, { endsAt, chargeId, now });
  if (kept) return { kind: "period", kept };
  if (!facts.isCovering || facts.isDisputed) return { kind: "nothing" };
  return { kind: "subscription", unused: unusedRefundsExcept(facts, chargeId, now) };
}
