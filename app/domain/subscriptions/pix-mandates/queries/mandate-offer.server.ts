import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  scheduledDebitDay,
  isPixMandateOffered,
  canMoveToPixMandate,
  mandateTerms,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { mandatePrices, isMandateOutgrown } from "#app/domain/subscriptions/price-changes/rules.ts";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { ActivePixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type PixMandateOffer = {
  id: string;
  planName: string;
  creatorName: string;
  /** The period that the code pays now. */
  period: { startsAt: Instant; endsAt: Instant };
  terms: {
    todayCents: Cents;
    amountCents: Cents | null;
    ceilingCents: Cents;
    interval: Interval;
    debitOn: string;
  };
};

/** Whether a new mandate may replace the active one now. */
export const isMandateReplaceable = (
  { subscription, change, agreed, consent, nextPaymentCents: nextCents }: SubscriptionSnapshot,
  mandate: ActivePixMandate,
): boolean =>
  isMandateOutgrown(mandate, consent, {
    nextCents,
    interval: nextTerms(subscription, change, agreed).interval,
  });

/**
 * The terms that a subscription would agree to by moving to a Pix mandate; null when it may not,
 * and for anyone else's.
 */
export async function pixMandateOffer(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<PixMandateOffer | null> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (
    !subscriptionSnapshot ||
    subscriptionSnapshot.subscription.fanId !== fanId ||
    (subscriptionSnapshot.mandate &&
      !isMandateReplaceable(subscriptionSnapshot, subscriptionSnapshot.mandate)) ||
    subscriptionSnapshot.isShut ||
    subscriptionSnapshot.awayUntil !== null ||
    subscriptionSnapshot.isPayerLeaving
  )
    return null;
  const { subscription, plan, creatorName, consent, nextPaymentCents } = subscriptionSnapshot;
  const { currentPeriodEndsAt, anchorAt, startedAt, interval } = subscription;
  if (
    !isPixMandateOffered(ctx) ||
    !canMoveToPixMandate(subscription) ||
    currentPeriodEndsAt === null ||
    startedAt === null
  )
    return null;
  const period = periodFrom(anchorAt ?? startedAt, interval, currentPeriodEndsAt);
  const { amountCents, ceilingCents } = mandateTerms(
    mandatePrices(
      nextPaymentCents,
      nextTerms(subscription, null, subscriptionSnapshot.agreed).amountCents,
      consent,
    ),
  );
  return {
    id: subscriptionId,
    planName: plan.name,
    creatorName,
    period,
    terms: {
      todayCents: nextPaymentCents,
      amountCents,
      ceilingCents,
      interval,
      debitOn: formatDay(instantOfIsoDay(scheduledDebitDay(period.endsAt))),
    },
  };
}
