import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import {
  newChargeStatement,
  openChargesLimitStatement,
  withSavedMethodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import {
  joinOrCancelOpenCheckout,
  toCheckoutStart,
} from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import {
  requestMandateCharge,
  requestCharge,
} from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import type { CheckoutIntent } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { lookUpCoupon } from "#app/domain/plans/commands/coupon-attempts.server.ts";
import { claimCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { CouponRefused } from "#app/domain/plans/errors/coupons.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import { findCoupon } from "#app/domain/plans/queries/coupons.server.ts";
import { methodsForPrice, periodEndsAt } from "#app/domain/plans/rules.ts";
import { discountedCents } from "#app/domain/plans/rules/coupons.ts";
import type { Coupon } from "#app/domain/plans/schema/coupons.ts";
import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import { followTarget } from "#app/domain/profiles/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AlreadySubscribed,
  StartDateChanged,
  LeavingMemberCannotSubscribe,
  SubscriptionMethodNotOffered,
  NoSeatLeft,
  CannotSubscribeToYourself,
  PaymentDeclined,
  PlanNotForSale,
  PlanPriceChanged,
  TooManyDeclines,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { liveSubscriptions, planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { openCheckout } from "./queries.server.ts";
import type { OpenCheckout } from "./queries.server.ts";
import { isPixMandateOffered } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "./rules.ts";
import {
  prepayOptions,
  subscriptionDescription,
} from "#app/domain/subscriptions/prepayments/rules.ts";
import type { PrepayOption } from "#app/domain/subscriptions/prepayments/rules.ts";
import { endingGiftOrComp } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import type { EndingAccess } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { CannotPrepay } from "#app/domain/subscriptions/prepayments/errors.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { newMandateStatement } from "#app/domain/subscriptions/pix-mandates/commands/mandate-charges.server.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";

export type SubscriptionCheckout = {
  memberId: string;
  memberName: string;
  planPriceId: string;
  method: PaymentMethod;
  /** The Pix code also asks for a mandate to debit the renewals (Pix Automático). */
  isAutomatic?: boolean;
  /** How many periods are paid at once; one when left out. */
  periods?: number;
  /** As typed, in capitals; null without one. */
  coupon?: string | null;
  /** The later start that the fan was shown; left out when it starts at once. */
  beginsAt?: number | undefined;
  /** The amount that the fan was shown; left out when none was shown. */
  amountCents?: Cents | undefined;
  /** From the provider's own field; null sends the member to the provider's page. */
  cardToken: string | null;
  /** One of the member's saved cards, instead. */
  savedMethodId?: string | null;
  /** The slug of the creator's link that the member came by; one that does not count is none. */
  link?: string | null;
};

/**
 * A plan offer, and the gift or comp of the same member that it follows; null when it starts at
 * once.
 */
export type SubscriptionOffer = PlanOffer & { follows: EndingAccess | null };

/** What is sold, and the first payment after the coupon, with each period when several are prepaid. */
export type AgreedSubscription = {
  offer: SubscriptionOffer;
  coupon: Coupon | null;
  amountCents: Cents;
  ahead: PrepayOption | null;
};

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
  expiresAt: number;
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

/** Finds the open checkout of the same page, and joins it or cancels it for the new request. */
export async function resolveOpenSubscription(
  ctx: Context,
  wished: Pick<SubscriptionCheckout, "memberId" | "coupon">,
  offer: SubscriptionOffer,
  wishOf: (open: OpenCheckout) => CheckoutIntent,
): Promise<{ open: OpenCheckout | null; joined: JoinedCheckout | null }> {
  const fanAndCreator = { fanId: wished.memberId, creatorId: offer.plan.creatorId };
  const open = await openCheckout(ctx, fanAndCreator);
  // A coupon that is refused cancels no open checkout.
  if (open && wished.coupon && wished.coupon !== open.couponCode)
    await couponOrRefusal(ctx, wished, { ...offer, code: wished.coupon });
  return {
    open,
    joined:
      open &&
      (await joinOrCancelOpenCheckout(ctx, {
        wish: wishOf(open),
        open,
        openNow: () => openCheckout(ctx, fanAndCreator),
      })),
  };
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
  const { offer, coupon, amountCents, ahead } = agreed;
  const { savedMethodId = null } = checkout;
  const [chargeId, subscriptionId, now] = [ctx.newId(), ctx.newId(), ctx.now()];
  const expiresAt = now + paymentMethods[checkout.method].checkoutExpiresAfterMs;
  const { plan, price } = offer;
  const recurringPixId = checkout.isAutomatic ? ctx.newId() : null;
  try {
    await commit(ctx.db, [
      newChargeStatement(ctx, {
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
      }),
      ...(recurringPixId === null
        ? []
        : [
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
          ]),
      ...(savedMethodId
        ? [withSavedMethodStatement(ctx, { chargeId, personId: checkout.memberId, savedMethodId })]
        : []),
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
        savedMethodId,
        beginsAfter: offer.follows?.id ?? null,
        linkSlug: linkSlugSql(plan.creatorId, checkout.link),
        createdAt: now,
        updatedAt: now,
      }),
      holdSeatStatement(ctx, { planId: plan.id }),
      ...(coupon
        ? claimCouponStatements(ctx, {
            couponId: coupon.id,
            cycles: coupon.cycles,
            subscriptionId,
            personId: checkout.memberId,
            chargeId,
          })
        : []),
      openChargesLimitStatement(ctx, {
        chargeId,
        payerId: checkout.memberId,
        limit: OPEN_CHECKOUTS_LIMIT,
      }),
    ]);
  } catch (error) {
    throw await whyNotOpened(ctx, checkout, agreed, error);
  }
  return { agreed, chargeId, subscriptionId, expiresAt };
}

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
  const now = coupon ? await findCoupon(ctx, wishFor(checkout, offer, coupon.code)) : null;
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

/**
 * What an offer costs this member with their coupon. Refuses NoSeatLeft, CouponRefused,
 * PlanPriceChanged.
 */
export async function priceWithCoupon(
  ctx: Context,
  checkout: SubscriptionCheckout,
  offer: SubscriptionOffer,
): Promise<AgreedSubscription> {
  if (offer.availability === "full") throw new NoSeatLeft();
  const coupon = checkout.coupon
    ? await couponOrRefusal(ctx, checkout, { ...offer, code: checkout.coupon })
    : null;
  const ahead = aheadOf(ctx, checkout, offer, coupon);
  const amountCents =
    ahead?.amountCents ??
    (coupon ? discountedCents(coupon, offer.price.amountCents) : offer.price.amountCents);
  // Nobody pays another price than the one they were shown.
  if (checkout.amountCents !== undefined && checkout.amountCents !== amountCents)
    throw new PlanPriceChanged(amountCents);
  return { offer, coupon, amountCents, ahead };
}

/**
 * Checks that a checkout can be paid. Refuses SubscriptionMethodNotOffered, TooManyOpenPayments,
 * SavedCardRemoved, TooManyDeclines.
 */
export async function enforcePayable(
  ctx: Context,
  checkout: SubscriptionCheckout,
  { amountCents, offer }: Pick<AgreedSubscription, "amountCents" | "offer">,
): Promise<void> {
  // A mandate's debits are counted from the day of its code, so it cannot start later.
  const isAutomaticRefused =
    checkout.isAutomatic && (offer.follows !== null || !isPixMandateOffered(ctx));
  if (
    !methodsForPrice(amountCents).includes(checkout.method) ||
    !isMethodOffered(checkout.method, ctx) ||
    isAutomaticRefused
  )
    throw new SubscriptionMethodNotOffered({ method: checkout.method, amountCents });
  await enforceOpenCheckoutLimit(ctx, checkout);
  await requireSavedCard(ctx, {
    memberId: checkout.memberId,
    savedMethodId: checkout.savedMethodId ?? null,
  });
  if (
    paymentMethods[checkout.method].limitsDeclines &&
    (await declinesCount(ctx, { payerId: checkout.memberId, since: ctx.now() - HOUR_MS })) >=
      DECLINES_LIMIT
  )
    throw new TooManyDeclines();
}

/** The choice to prepay several periods; null for one. Refuses CannotPrepay. */
function aheadOf(
  ctx: Context,
  { periods = 1, method, isAutomatic = false }: SubscriptionCheckout,
  { plan, price, follows }: SubscriptionOffer,
  coupon: Coupon | null,
): PrepayOption | null {
  if (periods === 1) return null;
  const now = ctx.now();
  const priced = { planId: plan.id, amountCents: price.amountCents, interval: price.interval };
  const choice = prepayOptions(priced, {
    anchorAt: now,
    startsAt: now,
    coupon: coupon && { ...coupon, cyclesLeft: coupon.cycles },
    now,
  }).find(({ count }) => count === periods);
  if (!choice || !paymentMethods[method].canPrepay || isAutomatic || follows !== null)
    throw new CannotPrepay();
  return choice;
}

async function couponOrRefusal(
  ctx: Context,
  checkout: Pick<SubscriptionCheckout, "memberId">,
  { code, ...offer }: PlanOffer & { code: string },
): Promise<Coupon> {
  const found = await lookUpCoupon(ctx, {
    ...wishFor(checkout, offer, code),
    triedBy: checkout.memberId,
  });
  if (found.problem !== null) throw new CouponRefused(found.problem);
  return found.coupon;
}

const wishFor = (
  { memberId }: Pick<SubscriptionCheckout, "memberId">,
  { plan, price }: PlanOffer,
  code: string,
) => ({
  memberId,
  creatorId: plan.creatorId,
  planId: plan.id,
  priceCents: price.amountCents,
  code,
});

/**
 * What is sold for a price. Refuses PlanNotForSale, PlanPriceChanged, CannotSubscribeToYourself,
 * LeavingMemberCannotSubscribe, AlreadySubscribed, StartDateChanged, CreatorOnVacation.
 */
export async function subscriptionOffer(
  ctx: Context,
  { memberId, planPriceId, beginsAt }: SubscriptionCheckout,
): Promise<SubscriptionOffer> {
  const priced = await planOfPrice(ctx, { planPriceId });
  const offer = priced ? await planOffer(ctx, { ...priced, buyerId: memberId }) : null;
  if (
    !priced ||
    !offer ||
    offer.price.interval !== priced.interval ||
    offer.availability === "not_sold"
  )
    throw new PlanNotForSale();
  if (offer.price.id !== planPriceId) throw new PlanPriceChanged(offer.price.amountCents);
  if (offer.plan.creatorId === memberId) throw new CannotSubscribeToYourself();
  if (await isAccountClosing(ctx, { personId: memberId })) throw new LeavingMemberCannotSubscribe();
  const live = await liveSubscriptions(ctx, { fanId: memberId, creatorId: offer.plan.creatorId });
  const follows = endingGiftOrComp(live, ctx.now());
  if (live.length > 0 && (follows === null || beginsAt === undefined))
    throw new AlreadySubscribed();
  // Nobody pays for another start than the one they were shown, nor waits for what ended meanwhile.
  if ((follows?.endsAt ?? undefined) !== beginsAt) throw new StartDateChanged();
  if (offer.awayUntil !== null) throw new CreatorOnVacation(offer.awayUntil);
  // A block between the two hides the page, so nothing is sold.
  if (
    (await followTarget(ctx, { followerId: memberId, creatorId: offer.plan.creatorId }))?.isBlocked
  )
    throw new PlanNotForSale();
  return { ...offer, follows };
}

export async function enforceOpenCheckoutLimit(
  ctx: Context,
  { memberId }: Pick<SubscriptionCheckout, "memberId">,
): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT)
    throw new TooManyOpenPayments();
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
