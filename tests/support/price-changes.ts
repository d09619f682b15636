import { and, asc, eq } from "drizzle-orm";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { updatePlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { answerPriceChange } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { proposePriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { fanPriceChange } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import type { PriceChangeView } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import type { PriceAnswer } from "#app/domain/subscriptions/price-changes/schema.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { priceAsks, priceConsents } from "#drizzle/schema/subscriptions.ts";
import type { World } from "./context.ts";
import type { Seller, TestPerson } from "./people.ts";
import { subscriptionOfId } from "./plan-changes.ts";

/** Changes the price of a seller's plan. Returns the id of the new price. */
export async function newPrice(
  { ctx }: World,
  { id: creatorId, planId }: Seller,
  amountCents: number,
  interval: Interval = "quarterly",
): Promise<string> {
  const plan = await creatorPlan(ctx, { planId, creatorId });
  if (!plan) throw new Error("no plan");
  await updatePlan(ctx, {
    creatorId,
    planId,
    name: plan.name,
    description: plan.description,
    benefits: plan.benefits,
    seatsLimit: plan.seatsLimit,
    welcomeMessage: plan.welcomeMessage,
    prices: [{ interval, amountCents }],
  });
  const changed = await creatorPlan(ctx, { planId, creatorId });
  return changed?.prices.find((price) => price.interval === interval)?.id ?? "";
}

/** Changes the price and proposes it to the subscribers. */
export async function proposedPrice(
  world: World,
  seller: Seller,
  amountCents: number,
  interval?: Interval,
): Promise<string> {
  const planPriceId = await newPrice(world, seller, amountCents, interval);
  await proposePriceChange(world.ctx, {
    creatorId: seller.id,
    planId: seller.planId,
    planPriceId,
    amountCents,
  });
  return planPriceId;
}

/** Commands and reads for one subscription. */
export function priceChangeHelpers(
  of: () => { world: World; fan: TestPerson; subscriptionId: string },
) {
  const memberIds = () => ({ fanId: of().fan.id, subscriptionId: of().subscriptionId });
  const row = () => subscriptionOfId(of().world.ctx, of().subscriptionId);
  const view = async (): Promise<PriceChangeView> => {
    const found = await fanPriceChange(of().world.ctx, memberIds());
    if (!found) throw new Error("nothing is asked");
    return found;
  };
  return {
    memberIds,
    row,
    view,
    answer: async (answer: PriceAnswer) =>
      await answerPriceChange(of().world.ctx, {
        ...memberIds(),
        askId: (await view()).askId,
        answer,
        by: "session",
      }),
    nextCents: async () =>
      (await loadSubscriptionSnapshot(of().world.ctx, memberIds()))?.nextPaymentCents,
    /**
     * Advances to `ms` (and a minute) from the end of the paid period, and advances the
     * subscription.
     */
    untilRenewal: async (ms: number) => {
      const { world, subscriptionId } = of();
      await world.advance(
        ((await row()).currentPeriodEndsAt ?? 0) + ms + MINUTE_MS - world.ctx.now(),
      );
      await advanceSubscription(world.ctx, { subscriptionId });
    },
    renewals: async () =>
      (
        await of()
          .world.ctx.db.select()
          .from(charges)
          .where(and(eq(charges.purchaseId, of().subscriptionId)))
          .orderBy(asc(charges.createdAt), asc(charges.id))
      ).filter(({ periodStartsAt }) => periodStartsAt !== null) as Charge[],
    consents: async () =>
      await of()
        .world.ctx.db.select()
        .from(priceConsents)
        .where(eq(priceConsents.subscriptionId, of().subscriptionId))
        .orderBy(asc(priceConsents.createdAt)),
    asks: async (planId: string) =>
      await of()
        .world.ctx.db.select()
        .from(priceAsks)
        .where(eq(priceAsks.planId, planId))
        .orderBy(asc(priceAsks.askedAt)),
    emails: async (subjectPart: string) =>
      (
        await of()
          .world.ctx.db.select()
          .from(localMails)
          .where(eq(localMails.recipient, of().fan.email))
      )
        .filter(({ subject }) => subject.includes(subjectPart))
        .map(({ body }) => body),
  };
}
