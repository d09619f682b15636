import { and, eq } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isLeaving } from "#app/domain/identity/queries.server.ts";
import { newChargeStatement, withinOpenLimitStatement } from "#app/domain/payments/commands/charges.server.ts";
import { requestWith } from "#app/domain/payments/commands/request.server.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import { CHECKOUT_LIFE_MS, isMethodOffered } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { offerOf } from "#app/domain/plans/queries.server.ts";
import type { Offer } from "#app/domain/plans/queries.server.ts";
import { methodsFor } from "#app/domain/plans/rules.ts";
import { followTarget } from "#app/domain/profiles/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { AlreadySubscribed, LeavingBuysNothing, MethodNotOffered, NoSeatLeft, OwnPlan, PaymentDeclined, PlanNotForSale, TooManyDeclines, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { liveSubscription, planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { subscriptionKinds } from "./kind.server.ts";

export type Checkout = {
  memberId: string;
  memberName: string;
  planPriceId: string;
  method: PaymentMethod;
  /** From the provider's own field; null sends the person to the provider's page. */
  cardToken: string | null;
};

export type StartedCheckout = { chargeId: string; status: ChargeStatus; nextActionUrl: string | null };

/**
 * Opens a subscription that waits for its first payment, holds its seat, and asks the provider for the charge. Our rows are
 * committed before the provider hears of it, under an idempotency key that is the charge's id: a crash between leaves a
 * charge that reconciliation asks about, never a second one.
 * Refuses: PlanNotForSale, OwnPlan, LeavingBuysNothing, AlreadySubscribed, NoSeatLeft, MethodNotOffered, TooManyOpenPayments, TooManyDeclines,
 * PaymentDeclined.
 */
export async function startSubscription(ctx: Context, checkout: Checkout): Promise<StartedCheckout> {
  const offer = await offerFor(ctx, checkout);
  const chargeId = ctx.newId();
  const subscriptionId = ctx.newId();
  const now = ctx.now();
  const expiresAt = now + CHECKOUT_LIFE_MS;
  const { plan, price } = offer;
  try {
    await commit(ctx.db, [
      ctx.db.insert(subscriptions).values({
        id: subscriptionId,
        fanId: checkout.memberId,
        creatorId: plan.creatorId,
        planId: plan.id,
        planPriceId: price.id,
        interval: price.interval,
        amountCents: price.amountCents,
        method: checkout.method,
        status: "incomplete",
        holdsSeat: true,
        createdAt: now,
        updatedAt: now,
      }),
      holdSeatStatement(ctx, { planId: plan.id }),
      newChargeStatement(ctx, {
        id: chargeId,
        payerId: checkout.memberId,
        creatorId: plan.creatorId,
        purchaseKind: "subscription",
        purchaseId: subscriptionId,
        description: descriptionOf(offer),
        amountCents: price.amountCents,
        method: checkout.method,
        expiresAt,
        period: null,
      }),
      withinOpenLimitStatement(ctx, { chargeId, payerId: checkout.memberId, limit: OPEN_CHECKOUTS_LIMIT }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    await refuseTooManyOpen(ctx, checkout);
    throw new NoSeatLeft();
  }
  return await askProvider(ctx, { checkout, offer, chargeId, subscriptionId, expiresAt });
}

async function offerFor(ctx: Context, { memberId, planPriceId, method }: Checkout): Promise<Offer> {
  const priced = await planOfPrice(ctx, { planPriceId });
  const offer = priced ? await offerOf(ctx, priced) : null;
  if (!offer || offer.price.id !== planPriceId || offer.availability === "not_sold") throw new PlanNotForSale();
  if (offer.plan.creatorId === memberId) throw new OwnPlan();
  if (await isLeaving(ctx, { personId: memberId })) throw new LeavingBuysNothing();
  if (offer.availability === "full") throw new NoSeatLeft();
  if (!methodsFor(offer.price.amountCents).includes(method) || !isMethodOffered(method, ctx)) throw new MethodNotOffered();
  if (await liveSubscription(ctx, { fanId: memberId, creatorId: offer.plan.creatorId })) throw new AlreadySubscribed();
  // Across a block nothing is seen, so that nothing is sold.
  if ((await followTarget(ctx, { followerId: memberId, creatorId: offer.plan.creatorId }))?.isBlocked) throw new PlanNotForSale();
  await refuseTooManyOpen(ctx, { memberId });
  if (method === "card" && (await declinesCount(ctx, { payerId: memberId, since: ctx.now() - HOUR_MS })) >= DECLINES_LIMIT) throw new TooManyDeclines();
  return offer;
}

async function refuseTooManyOpen(ctx: Context, { memberId }: Pick<Checkout, "memberId">): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT) throw new TooManyOpenPayments();
}

type Asked = { checkout: Checkout; offer: Offer; chargeId: string; subscriptionId: string; expiresAt: number };

async function askProvider(ctx: Context, { checkout, offer, chargeId, subscriptionId, expiresAt }: Asked): Promise<StartedCheckout> {
  const { status, said, refusedCode } = await requestWith(ctx, subscriptionKinds, {
    chargeId,
    amountCents: offer.price.amountCents,
    description: descriptionOf(offer),
    method: checkout.method,
    expiresAt,
    payerName: checkout.memberName,
    cardToken: checkout.cardToken,
    savedMethodId: null,
    saveMethod: true,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  if (said?.savedMethodId) await keepSavedMethod(ctx, { subscriptionId, savedMethodId: said.savedMethodId });
  return { chargeId, status, nextActionUrl: said?.status === "requires_action" ? said.nextActionUrl : null };
}

const descriptionOf = (offer: Offer) => `Assinatura ${offer.plan.name}, de ${offer.creator.name}`;

async function keepSavedMethod(ctx: Context, { subscriptionId, savedMethodId }: { subscriptionId: string; savedMethodId: string }): Promise<void> {
  await commit(ctx.db, [
    exactlyOne(ctx.db.update(subscriptions).set({ savedMethodId }).where(and(eq(subscriptions.id, subscriptionId)))),
  ]);
}
