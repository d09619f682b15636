import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  newChargeStatement,
  openChargesLimitStatement,
  withSavedMethodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import { toCheckoutStart } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import {
  requestMandateCharge,
  requestCharge,
} from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { CheckoutIntent } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { claimCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { CouponRefused } from "#app/domain/plans/errors/coupons.ts";
import { findCoupon } from "#app/domain/plans/queries/coupons.server.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { NoSeatLeft, PaymentDeclined } from "#app/domain/subscriptions/errors.ts";
import type { OpenCheckout } from "./queries.server.ts";
import { OPEN_CHECKOUTS_LIMIT } from "./rules.ts";
import { subscriptionDescription } from "#app/domain/subscriptions/prepayments/rules.ts";
import { newMandateStatement } from "#app/domain/subscriptions/pix-mandates/commands/mandate-charges.server.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { couponRequest, priceWithCoupon, subscriptionOffer } from "./commands/offer.server.ts";
import type {
  AgreedSubscription,
  SubscriptionCheckout,
  SubscriptionOffer,
} from "./commands/offer.server.ts";
import { enforceOpenCheckoutLimit, enforcePayable } from "./commands/payable.server.ts";
import { resolveOpenSubscription } from "./commands/open-checkout.server.ts";

/**
 * Opens a subscription that waits for its first payment, holds its seat, and asks the provider for
 * the charge. Our rows are committed first, and the charge's id is the idempotency key. A crash
 * between the two leaves a charge that reconciliation asks about, never a second one. A second
 * checkout of the same page joins the open one, so two tabs make one charge. For another plan,
 * coupon, method or card, the open charge is first canceled at the provider. Refuses:
 * PlanNotForSale, CreatorOnVacation, PlanPriceChanged, CannotPrepay, CannotSubscribeToYourself,
 * LeavingMemberCannotSubscribe, AlreadySubscribed, StartDateChanged, NoSeatLeft, CouponRefused,
 * SubscriptionMethodNotOffered, TooManyOpenPayments, TooManyDeclines, SavedCardRemoved,
 * PaymentDeclined.
 */
export async function startSubscription(
  ctx: Context,
  checkout: SubscriptionCheckout,
): Promise<JoinedCheckout> {
  const opened = await retryOnConflict(() => openOrJoin(ctx, checkout));
  return "joined" in opened
    ? toCheckoutStart(opened.joined)
    : await askProvider(ctx, checkout, opened);
}

type OpenedSubscription = {
  agreed: AgreedSubscription;
  chargeId: string;
  subscriptionId: string;
  expiresAt: Instant;
};

async function openOrJoin(
  ctx: Context,
  checkout: SubscriptionCheckout,
): Promise<{ joined: JoinedCheckout } | OpenedSubscription> {
  const offer = await subscriptionOffer(ctx, checkout);
  const { open, joined } = await resolveOpenSubscription(ctx, checkout, offer, (one) =>
    wishWithSubscription(one, checkout, offer),
  );
  if (joined) return { joined };
  // The canceled checkout released its seat and its coupon.
  return await openNew(
    ctx,
    checkout,
    await agreedOn(ctx, checkout, open ? await subscriptionOffer(ctx, checkout) : offer),
  );
}

function wishWithSubscription(
  open: OpenCheckout,
  {
    planPriceId,
    coupon,
    periods = 1,
    method,
    isAutomatic = false,
    amountCents,
    cardToken,
    savedMethodId,
  }: SubscriptionCheckout,
  { follows }: SubscriptionOffer,
): CheckoutIntent {
  const isSame =
    open.planPriceId === planPriceId &&
    open.couponCode === (coupon ?? null) &&
    open.isAutomatic === isAutomatic &&
    open.periods === periods &&
    open.beginsAfter === (follows?.id ?? null);
  return {
    method,
    amountCents: isSame ? (amountCents ?? open.amountCents) : null,
    hasCardToken: cardToken !== null || Boolean(savedMethodId),
  };
}

async function openNew(
  ctx: Context,
  checkout: SubscriptionCheckout,
  agreed: AgreedSubscription,
): Promise<OpenedSubscription> {
  const { plan } = agreed.offer;
  const { savedMethodId = null } = checkout;
  const [chargeId, subscriptionId, now] = [ctx.newId(), ctx.newId(), ctx.now()];
  const expiresAt = now + paymentMethods[checkout.method].checkoutExpiresAfterMs;
  const opened = { agreed, chargeId, subscriptionId, expiresAt };
  try {
    await commit(ctx.db, [
      ...firstChargeStatements(ctx, checkout, opened, now),
      ...(savedMethodId
        ? [withSavedMethodStatement(ctx, { chargeId, personId: checkout.memberId, savedMethodId })]
        : []),
      newSubscriptionStatement(ctx, checkout, opened, now),
      holdSeatStatement(ctx, { planId: plan.id }),
      ...couponStatements(ctx, checkout, opened),
      openChargesLimitStatement(ctx, {
        chargeId,
        payerId: checkout.memberId,
        limit: OPEN_CHECKOUTS_LIMIT,
      }),
    ]);
  } catch (error) {
    throw await whyNotOpened(ctx, checkout, agreed, error);
  }
  return opened;
}

/** The first charge, and the mandate that its Pix code asks for. */
function firstChargeStatements(
  ctx: Context,
  checkout: SubscriptionCheckout,
  { agreed, chargeId, subscriptionId, expiresAt }: OpenedSubscription,
  now: Instant,
): BatchWrite[] {
  const { offer, amountCents, ahead } = agreed;
  const { plan, price } = offer;
  const recurringPixId = checkout.isAutomatic ? ctx.newId() : null;
  const charge = newChargeStatement(ctx, {
    id: chargeId,
    payerId: checkout.memberId,
    creatorId: plan.creatorId,
    purchaseKind: "subscription",
    purchaseId: subscriptionId,
    description: descriptionOf(agreed),
    amountCents,
    method: checkout.method,
    expiresAt,
    period: null,
    automatic: recurringPixId === null ? null : { recurringPixId, debitOn: null },
    ...(ahead ? { periodsCents: ahead.periodsCents } : {}),
  });
  if (recurringPixId === null) return [charge];
  return [
    charge,
    newMandateStatement(ctx, {
      id: recurringPixId,
      subscriptionId,
      payerId: checkout.memberId,
      interval: price.interval,
      priceCents: price.amountCents,
      first: { chargeId, amountCents },
      firstPeriodEndsAt: periodEndsAt(now, price.interval),
      expiresAt,
    }),
  ];
}

const newSubscriptionStatement = (
  ctx: Context,
  checkout: SubscriptionCheckout,
  {
    agreed: {
      offer: { plan, price, follows },
    },
    subscriptionId,
  }: OpenedSubscription,
  now: Instant,
): BatchWrite =>
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
    savedMethodId: checkout.savedMethodId ?? null,
    beginsAfter: follows?.id ?? null,
    linkSlug: linkSlugSql(plan.creatorId, checkout.link),
    createdAt: now,
    updatedAt: now,
  });

const couponStatements = (
  ctx: Context,
  { memberId }: SubscriptionCheckout,
  { agreed: { coupon }, chargeId, subscriptionId }: OpenedSubscription,
): BatchWrite[] =>
  coupon
    ? claimCouponStatements(ctx, {
        couponId: coupon.id,
        cycles: coupon.cycles,
        subscriptionId,
        personId: memberId,
        chargeId,
      })
    : [];

/** Turns a write conflict with another tab or another member into a refusal. */
async function whyNotOpened(
  ctx: Context,
  checkout: SubscriptionCheckout,
  { offer, coupon }: AgreedSubscription,
  error: unknown,
): Promise<unknown> {
  const isHeld = error instanceof UniqueViolation && error.columns.startsWith("coupon_uses.");
  if (!isHeld && !(error instanceof StaleWrite)) return error;
  await enforceOpenCheckoutLimit(ctx, checkout);
  await requireSavedCard(ctx, checkout);
  const now = coupon ? await findCoupon(ctx, couponRequest(checkout, offer, coupon.code)) : null;
  if (now?.problem) return new CouponRefused(now.problem);
  return isHeld ? new CouponRefused("open") : new NoSeatLeft();
}

async function agreedOn(
  ctx: Context,
  checkout: SubscriptionCheckout,
  offer: SubscriptionOffer,
): Promise<AgreedSubscription> {
  const agreed = await priceWithCoupon(ctx, checkout, offer);
  await enforcePayable(ctx, checkout, agreed);
  return agreed;
}

async function askProvider(
  ctx: Context,
  checkout: SubscriptionCheckout,
  { agreed, chargeId, subscriptionId, expiresAt }: OpenedSubscription,
): Promise<JoinedCheckout> {
  if (checkout.isAutomatic) return await askAuthorisation(ctx, chargeId);
  const { status, providerCharge, refusedCode } = await requestCharge(ctx, {
    chargeId,
    amountCents: agreed.amountCents,
    description: descriptionOf(agreed),
    method: checkout.method,
    expiresAt,
    payerName: checkout.memberName,
    cardToken: checkout.cardToken,
    savedMethodId: checkout.savedMethodId ?? null,
    saveMethod: !checkout.savedMethodId,
    isPayerThere: true,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  if (providerCharge?.savedMethodId)
    await applySavedMethod(ctx, { subscriptionId, savedMethodId: providerCharge.savedMethodId });
  return toCheckoutStart({
    chargeId,
    status,
    nextActionUrl: providerCharge?.nextActionUrl ?? null,
  });
}

async function askAuthorisation(ctx: Context, chargeId: string): Promise<JoinedCheckout> {
  const { status, refusedCode } = await requestMandateCharge(ctx, { chargeId });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return toCheckoutStart({ chargeId, status, nextActionUrl: null });
}

const descriptionOf = ({ offer, ahead }: AgreedSubscription) =>
  subscriptionDescription({
    planName: offer.plan.name,
    creatorName: offer.creator.name,
    interval: offer.price.interval,
    periods: ahead?.count ?? 1,
  });

async function applySavedMethod(
  ctx: Context,
  { subscriptionId, savedMethodId }: { subscriptionId: string; savedMethodId: string },
): Promise<void> {
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ savedMethodId })
        .where(and(eq(subscriptions.id, subscriptionId))),
    ),
  ]);
}
