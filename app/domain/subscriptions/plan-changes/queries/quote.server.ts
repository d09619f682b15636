import type { Context } from "#app/domain/context.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { planOffer, plansOfCreator } from "#app/domain/plans/queries.server.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import type { Plan, PlanPrice } from "#app/domain/plans/schema.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  chargesCoveringAfter,
  hasOpenDisputeOf,
} from "#app/domain/subscriptions/coverage/queries.server.ts";
import type { ChargeCoverage } from "#app/domain/subscriptions/coverage/queries.server.ts";
import {
  quoteChange,
  planChangeStateProblem,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type {
  PlanChangeProblem,
  PlanChangeQuote,
  SubscriptionTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";

/** More charges than a live subscription can have prepaid. */
const MOST_CHARGES = 50;

type QuoteSubscriptionRef = { fanId: string; subscriptionId: string };

type PlanChangeInput = {
  subscriptionSnapshot: SubscriptionSnapshot;
  covering: ChargeCoverage[];
  problem: PlanChangeProblem | null;
};

/**
 * Loads a subscription for a plan change; null for another member's. `problem`: why no change is
 * possible now.
 */
async function changing(
  ctx: Context,
  { fanId, subscriptionId }: QuoteSubscriptionRef,
): Promise<PlanChangeInput | null> {
  const [subscriptionSnapshot, covering, isDisputed] = await Promise.all([
    loadSubscriptionSnapshot(ctx, { subscriptionId }),
    chargesCoveringAfter(ctx, {
      of: { subscriptionId },
      at: ctx.now(),
      afterChargeId: "",
      limit: MOST_CHARGES,
    }),
    hasOpenDisputeOf(ctx, { subscriptionId }),
  ]);
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId) return null;
  const other =
    subscriptionSnapshot.isShut || subscriptionSnapshot.isPayerLeaving
      ? "shut"
      : subscriptionSnapshot.awayUntil !== null
        ? "away"
        : isDisputed
          ? "disputed"
          : subscriptionSnapshot.change?.state === "paid"
            ? "paid_change"
            : null;
  return {
    subscriptionSnapshot,
    covering,
    problem: planChangeStateProblem(subscriptionSnapshot.subscription) ?? other,
  };
}

type PlanChangeOption = {
  plan: Pick<Plan, "id" | "name" | "benefits">;
  price: PlanPrice;
  quote: PlanChangeQuote;
  isFull: boolean;
  /** It is the scheduled change already. */ isChosen: boolean;
};

export type PlanChangeOptions = {
  subscriptionSnapshot: SubscriptionSnapshot;
  problem: PlanChangeProblem | null;
  options: PlanChangeOption[];
};

/**
 * Every other plan and interval on sale by a subscription's creator, with a quote of the change;
 * null for another member's.
 */
export async function planChangeOptions(
  ctx: Context,
  reference: QuoteSubscriptionRef,
): Promise<PlanChangeOptions | null> {
  const found = await changing(ctx, reference);
  if (!found) return null;
  const { subscriptionSnapshot, problem } = found;
  const { creatorId, planId, interval } = subscriptionSnapshot.subscription;
  const plans = problem ? [] : await plansOfCreator(ctx, { creatorId, states: ["active"] });
  const [first] = plans;
  const sells =
    first !== undefined &&
    (await planOffer(ctx, { planId: first.id, buyerId: reference.fanId }))?.availability !==
      "not_sold";
  const options = plans.flatMap((plan) =>
    plan.prices
      .filter((price) => plan.id !== planId || price.interval !== interval)
      .map((price) => ({
        plan,
        price,
        quote: quoteOf(ctx, found, termsOf(plan, price)),
        isFull:
          plan.id !== planId && plan.seatsLimit !== null && plan.seatsTaken >= plan.seatsLimit,
        isChosen:
          subscriptionSnapshot.change?.state === "scheduled" &&
          subscriptionSnapshot.change.toPlanPriceId === price.id,
      })),
  );
  return {
    subscriptionSnapshot,
    problem: problem ?? (sells || first === undefined ? null : "shut"),
    options: sells ? options : [],
  };
}

export type PlanChangeRequest = QuoteSubscriptionRef & { planPriceId: string };

/** The quote of one change now: cost, start and seller. `problem` says why it is not possible. */
export type PlanChangeOffer = {
  subscriptionSnapshot: SubscriptionSnapshot;
  covering: ChargeCoverage[];
  offer: PlanOffer;
  quote: PlanChangeQuote;
  methods: PaymentMethod[];
  problem: PlanChangeProblem | null;
};

/**
 * The quote of a change to the price `planPriceId`. Null for another member's subscription, and for
 * a price that this creator never sold.
 */
export async function planChangeOffer(
  ctx: Context,
  { planPriceId, planId, ...reference }: PlanChangeRequest & { planId: string },
): Promise<PlanChangeOffer | null> {
  const [found, offer] = await Promise.all([
    changing(ctx, reference),
    planOffer(ctx, { planId, buyerId: reference.fanId }),
  ]);
  const price = offer?.prices.find(({ id }) => id === planPriceId);
  if (!found || !offer || offer.creator.id !== found.subscriptionSnapshot.subscription.creatorId)
    return null;
  const { subscription } = found.subscriptionSnapshot;
  const shown = price ?? offer.price;
  const quote = quoteOf(ctx, found, termsOf(offer.plan, shown));
  const isSamePlan = offer.plan.id === subscription.planId;
  const sold: PlanChangeProblem | null =
    !price || offer.availability === "not_sold"
      ? "not_sold"
      : offer.availability === "full" && !isSamePlan
        ? "full"
        : null;
  const isSame = isSamePlan && shown.interval === subscription.interval;
  const methods =
    quote.happens === "now"
      ? methodsForPrice(quote.dueCents).filter((method) => isMethodOffered(method, ctx))
      : [];
  const lacksMethod =
    quote.happens === "now"
      ? methods.length === 0
      : !methodsForPrice(shown.amountCents).some((method) => isMethodOffered(method, ctx));
  return {
    ...found,
    offer: { ...offer, price: shown },
    quote,
    methods,
    problem: found.problem ?? (isSame ? "same" : sold) ?? (lacksMethod ? "method" : null),
  };
}

const termsOf = (plan: Pick<Plan, "id">, price: PlanPrice): SubscriptionTerms => ({
  planId: plan.id,
  planPriceId: price.id,
  interval: price.interval,
  amountCents: price.amountCents,
});

const quoteOf = (
  ctx: Context,
  { subscriptionSnapshot, covering }: PlanChangeInput,
  to: SubscriptionTerms,
): PlanChangeQuote =>
  quoteChange({
    subscription: subscriptionSnapshot.subscription,
    covering,
    to,
    coupon: subscriptionSnapshot.heldCoupon,
    now: ctx.now(),
  });
