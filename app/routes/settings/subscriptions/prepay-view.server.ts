import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import type { PlanPrice } from "#app/domain/plans/schema.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { planChangeOffer } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { prepayOptionsOf } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { soldAsOnePeriod } from "#app/domain/subscriptions/prepayments/rules.ts";
import type { PrepayOption } from "#app/domain/subscriptions/prepayments/rules.ts";

type LongerPrice = PlanPrice & {
  /** What it saves beside the same time paid period by period. */ savedCents: Cents;
};

/**
 * The choices to prepay a subscription. Where the plan sells the same time as one period for no
 * more, that price stands in the place of the choice, if the subscription may change to it now.
 */
export async function prepayShown(ctx: Context, reference: MemberSubscriptionRef) {
  const { subscriptionSnapshot, choices } = await prepayOptionsOf(ctx, reference);
  const { planId, interval } = subscriptionSnapshot.subscription;
  const prices =
    choices.length === 0
      ? []
      : ((await planOffer(ctx, { planId, buyerId: reference.fanId }))?.prices ?? []);
  const offered: { choice: PrepayOption; longer: LongerPrice | null }[] = [];
  for (const choice of choices) {
    const price = soldAsOnePeriod(prices, { ...choice, interval });
    const isOpen =
      price !== null &&
      (await planChangeOffer(ctx, { ...reference, planId, planPriceId: price.id }))?.problem ===
        null;
    offered.push({
      choice,
      longer: isOpen ? { ...price, savedCents: choice.amountCents - price.amountCents } : null,
    });
  }
  return {
    subscriptionSnapshot,
    choices: offered.flatMap(({ choice, longer }) => (longer ? [] : [choice])),
    longer: offered.flatMap(({ longer }) => longer ?? []),
  };
}
