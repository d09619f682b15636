import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import {
  debitDayOf,
  isAutomaticOffered,
  mayTakeAutomatic,
  termsOf,
} from "#app/domain/subscriptions/rules/automatic.ts";
import { nextTerms } from "#app/domain/subscriptions/rules/plan-changes.ts";
import { authorisedPrices, isOutgrown } from "#app/domain/subscriptions/rules/price-consents.ts";
import { periodFrom } from "#app/domain/subscriptions/rules/periods.ts";
import type { HeldAuthorisation } from "#app/domain/subscriptions/schema/automatic.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type AutomaticOffer = {
  id: string;
  planName: string;
  creatorName: string;
  /** What the code pays now. */
  period: { startsAt: Instant; endsAt: Instant };
  terms: {
    todayCents: Cents;
    amountCents: Cents | null;
    ceilingCents: Cents;
    interval: Interval;
    debitOn: string;
  };
};

/** Whether another authorisation may take the place of the one that stands, as things are. */
export const isReplaced = (
  { subscription, change, agreed, consent, nextPaymentCents: nextCents }: PurchaseFacts,
  authorisation: HeldAuthorisation,
): boolean =>
  isOutgrown(authorisation, consent, {
    nextCents,
    interval: nextTerms(subscription, change, agreed).interval,
  });

/**
 * What a running subscription would agree to by moving to Pix Automático; null where it may not,
 * and for anyone else's.
 */
export async function automaticOffer(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<AutomaticOffer | null> {
  const facts = await purchaseFacts(ctx, { subscriptionId });
  if (
    !facts ||
    facts.subscription.fanId !== fanId ||
    (facts.authorisation && !isReplaced(facts, facts.authorisation)) ||
    facts.isShut ||
    facts.awayUntil !== null ||
    facts.isPayerLeaving
  )
    return null;
  const { subscription, plan, creatorName, consent, nextPaymentCents } = facts;
  const { currentPeriodEndsAt, anchorAt, startedAt, interval } = subscription;
  if (
    !isAutomaticOffered(ctx) ||
    !mayTakeAutomatic(subscription) ||
    currentPeriodEndsAt === null ||
    startedAt === null
  )
    return null;
  const period = periodFrom(anchorAt ?? startedAt, interval, currentPeriodEndsAt);
  const { amountCents, ceilingCents } = termsOf(
    authorisedPrices(
      nextPaymentCents,
      nextTerms(subscription, null, facts.agreed).amountCents,
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
      debitOn: formatDay(instantOfIsoDay(debitDayOf(period.endsAt))),
    },
  };
}
