import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts, purchases, tips } from "#drizzle/schema/purchases.ts";
import { planChanges, recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * How often the charge's subscription renews. Its values are in plans/schema.ts, a layer above this
 * module.
 */
type Interval = (typeof subscriptions.$inferSelect)["interval"];

/** The subscription that a charge pays for or changes. */
type CheckoutSubscription = Pick<
  typeof subscriptions.$inferSelect,
  "id" | "accessUntil" | "currentPeriodEndsAt"
> & {
  status:
    | "incomplete"
    | "upcoming"
    | "trialing"
    | "active"
    | "requires_action"
    | "past_due"
    | "paused"
    | "canceled"
    | "expired";
};

/** A refund transfer to the payer; amounts in centavos. */
export type CheckoutRefundTransfer = {
  status: "awaiting_key" | "ready" | "claimed" | "sent" | "paid";
  amountCents: Cents;
};

export type CheckoutCharge = {
  /** The charge pays a debt; nothing is bought. */
  isDebt: boolean;
  id: string;
  status: ChargeStatus;
  method: PaymentMethod;
  amountCents: Cents;
  pixCode: string | null;
  expiresAt: Instant | null;
  failureCode: string | null;
  description: string;
  /** The running subscription that the charge renews; null when the charge starts it. */
  renewsSubscriptionId: string | null;
  /** A plan payment that started nothing, or whose remainder is being refunded. */
  isPlanReturning: boolean;
  /** The provider refused the last refund; staff refunds it. */
  isRefundRefused: boolean;
  /** The current state of the subscription that the charge pays for or changes. */
  currentSubscription: CheckoutSubscription | null;
  /** Number of periods paid, and their end if known before payment. */
  periods: number;
  periodEndsAt: Instant | null;
  planId: string | null;
  /** When the purchase starts, if a complimentary or gifted period runs until then. */
  beginsAt: number | null;
  /**
   * The start follows a complimentary or gifted period. It is read again before another charge is
   * made.
   */
  followsGiven: boolean;
  planName: string | null;
  interval: Interval | null;
  /** The Pix mandate that the same code confirms. */
  automatic: {
    status: "created" | "active" | "rejected" | "canceled" | "expired";
    amountCents: Cents | null;
    ceilingCents: Cents;
    startsOn: string;
    attachedAt: Instant | null;
    endingAt: Instant | null;
  } | null;
  /** A tip: its message, and whether it was given and not refunded. */
  tip: { message: string; isHolding: boolean } | null;
  /** A gift: its plan, its recipient, and whether it was given and not refunded. */
  gift: {
    id: string;
    planId: string;
    planName: string;
    interval: Interval;
    recipientName: string;
    isHolding: boolean;
  } | null;
  /**
   * A plan-change difference: the subscription, the new price, the end of the covered time, and
   * whether the change holds.
   */
  change: {
    subscriptionId: string;
    planPriceId: string;
    coversUntil: Instant | null;
    isDone: boolean;
  } | null;
  /** The coupon that discounted this first payment. */
  couponCode: string | null;
  /** The creator's link that the payer came by; null for none. */
  linkSlug: string | null;
  /** A one-time purchase; null for a subscription. */
  single: {
    kind: "post" | "collection" | "message" | "event";
    targetId: string;
    title: string;
    isHolding: boolean;
    /** The refund rule of an order of tickets: hours before the start; null for the law's days. */
    refundHours: number | null;
    /** Another payment bought it, so that this one must not be made. */
    isBoughtAlready: boolean;
  } | null;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  /** The seller (Decreto 7.962/2013). */
  seller: PublicSeller | null;
  createdAt: Instant;
  refundedCents: Cents;
  disputedCents: Cents;
  /** The refund transfer, where the provider can no longer refund. */
  transfer: CheckoutRefundTransfer | null;
  refundReason: string | null;
};

/** SQL condition: another purchase of the same person already holds the item. */
const isBoughtAlready = sql<number>`EXISTS (SELECT 1 FROM purchases other WHERE other.person_id = ${purchases.personId} AND other.kind = ${purchases.kind} AND other.target_id = ${purchases.targetId}
  AND other.id <> ${purchases.id} AND other.bought_at IS NOT NULL AND other.ended_at IS NULL)`;

/** SQL for the refund transfer of a charge: one that waits for a key comes first, then the newest. */
const openRefundTransfer =
  sql<CheckoutRefundTransfer | null>`(SELECT json_object('status', back.status, 'amountCents', back.amount_cents) FROM refund_transfers back WHERE back.charge_id = ${charges.id}
  AND back.status IN ('awaiting_key', 'ready', 'claimed', 'sent', 'paid') ORDER BY back.status = 'awaiting_key' DESC, back.created_at DESC, back.id DESC LIMIT 1)`.mapWith(
    (text: string) => JSON.parse(text),
  );

/**
 * SQL condition: a plan payment is being refunded, or was meant to be. It covers no period, or its
 * decided refunds reach all that remains. A refused refund counts if the subscription ended with
 * it.
 */
const isPlanReturning =
  sql<boolean>`${charges.purchaseKind} = 'subscription' AND (NOT EXISTS (SELECT 1 FROM charge_periods covered WHERE covered.charge_id = ${charges.id})
  OR ${charges.amountCents} - ${charges.refundedCents} - ${charges.disputedCents} <= (SELECT COALESCE(SUM(back.amount_cents), 0) FROM refunds back WHERE back.charge_id = ${charges.id} AND (back.status = 'requested' OR (back.status = 'failed' AND ${subscriptions.status} = 'expired'))))`.mapWith(
    (value: number) => value === 1,
  );

const currentSubscription =
  sql<CheckoutSubscription | null>`(SELECT json_object('id', now.id, 'status', now.status, 'accessUntil', now.access_until, 'currentPeriodEndsAt', now.current_period_ends_at)
  FROM subscriptions now WHERE now.id = COALESCE(${subscriptions.id}, ${planChanges.subscriptionId}))`.mapWith(
    (text: string) => JSON.parse(text),
  );

const isRefundRefused =
  sql<boolean>`COALESCE((SELECT last.status = 'failed' FROM refunds last WHERE last.charge_id = ${charges.id} ORDER BY last.created_at DESC, last.id DESC LIMIT 1), 0)`.mapWith(
    (value: number) => value === 1,
  );

const GOING_BACK = {
  currentSubscription: currentSubscription.as("current_subscription"),
  isRefundRefused: isRefundRefused.as("is_refund_refused"),
  transfer: openRefundTransfer.as("standing_transfer"),
  isPlanReturning: isPlanReturning.as("is_plan_returning"),
};
const SELLER = {
  sellerName: documents.sellerName,
  taxKind: documents.taxKind,
  taxId: documents.taxId,
};

/** Loads the page of one payment for its payer; null for anyone else. */
export async function checkoutCharge(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<CheckoutCharge | null> {
  const [row] = await ctx.db
    .select({
      id: charges.id,
      isDebt: sql<number>`${charges.purchaseKind} = 'debt'`.as("is_debt"),
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      pixCode: charges.pixCode,
      expiresAt: charges.expiresAt,
      failureCode: charges.failureCode,
      description: charges.description,
      renewsSubscriptionId: sql<
        string | null
      >`CASE WHEN ${charges.periodStartsAt} IS NOT NULL THEN ${charges.purchaseId} END`.as(
        "renews_subscription_id",
      ),
      periods: sql<number>`COALESCE(json_array_length(${charges.periodsCents}), 1)`.as("periods"),
      periodEndsAt: charges.periodEndsAt,
      beginsAt: sql<
        number | null
      >`CASE ${subscriptions.status} WHEN 'upcoming' THEN ${subscriptions.startedAt} WHEN 'incomplete' THEN (SELECT given.access_until FROM subscriptions given WHERE given.id = ${subscriptions.beginsAfter} AND given.status NOT IN ('incomplete', 'expired')) END`.as(
        "begins_at",
      ),
      followsGiven: sql<boolean>`${subscriptions.beginsAfter} IS NOT NULL`
        .mapWith((value: number) => value === 1)
        .as("follows_given"),
      planId: plans.id,
      planName: plans.name,
      interval: subscriptions.interval,
      automatic: {
        status: recurringPix.status,
        amountCents: recurringPix.amountCents,
        ceilingCents: recurringPix.ceilingCents,
        startsOn: recurringPix.startsOn,
        attachedAt: recurringPix.attachedAt,
        endingAt: recurringPix.endingAt,
      },
      linkSlug: sql<
        string | null
      >`COALESCE(${subscriptions.linkSlug}, ${purchases.linkSlug}, ${tips.linkSlug}, ${gifts.linkSlug})`.as(
        "came_by_link",
      ),
      couponCode: sql<
        string | null
      >`(SELECT coupons.code FROM coupon_uses JOIN coupons ON coupons.id = coupon_uses.coupon_id WHERE coupon_uses.charge_id = ${charges.id})`.as(
        "coupon_code",
      ),
      singleKind: purchases.kind,
      targetId: purchases.targetId,
      title: purchases.title,
      refundHours: sql<
        number | null
      >`(SELECT placed.refund_hours FROM event_orders placed WHERE placed.id = ${purchases.targetId} AND ${purchases.kind} = 'event')`.as(
        "order_refund_hours",
      ),
      changeOf: sql<string | null>`${planChanges.subscriptionId}`.as("change_of"),
      changeTo: planChanges.toPlanPriceId,
      coversUntil: planChanges.coversUntil,
      isChanged: sql<number>`${planChanges.state} = 'done'`.as("is_changed"),
      tipMessage: tips.message,
      isTipHolding: sql<number>`${tips.paidAt} IS NOT NULL AND ${tips.endedAt} IS NULL`.as(
        "is_tip_holding",
      ),
      gift: {
        id: sql<string | null>`${gifts.id}`.as("gift_id"),
        planId: gifts.planId,
        interval: sql<Interval>`${gifts.interval}`.as("gift_interval"),
        recipientName: gifts.recipientName,
      },
      giftPlanName: sql<
        string | null
      >`(SELECT given.name FROM plans given WHERE given.id = ${gifts.planId})`.as("gift_plan_name"),
      isGiftHolding: sql<number>`${gifts.paidAt} IS NOT NULL AND ${gifts.endedAt} IS NULL`.as(
        "is_gift_holding",
      ),
      isHolding: sql<number>`${purchases.boughtAt} IS NOT NULL AND ${purchases.endedAt} IS NULL`.as(
        "is_holding",
      ),
      isBoughtAlready: isBoughtAlready.as("is_bought_already"),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      ...SELLER,
      createdAt: charges.createdAt,
      refundedCents: charges.refundedCents,
      disputedCents: charges.disputedCents,
      ...GOING_BACK,
      refundReason: sql<
        string | null
      >`(SELECT ${refunds.reason} FROM ${refunds} WHERE ${refunds.chargeId} = ${charges.id} ORDER BY ${refunds.createdAt} DESC LIMIT 1)`,
    })
    .from(charges)
    .innerJoin(profiles, eq(profiles.personId, charges.creatorId))
    .leftJoin(documents, eq(documents.personId, charges.creatorId))
    .leftJoin(
      subscriptions,
      and(eq(charges.purchaseKind, "subscription"), eq(subscriptions.id, charges.purchaseId)),
    )
    .leftJoin(recurringPix, eq(recurringPix.firstChargeId, charges.id))
    .leftJoin(
      planChanges,
      and(eq(charges.purchaseKind, "plan_change"), eq(planChanges.id, charges.planChangeId)),
    )
    .leftJoin(plans, sql`${plans.id} = COALESCE(${subscriptions.planId}, ${planChanges.toPlanId})`)
    .leftJoin(purchases, eq(purchases.chargeId, charges.id))
    .leftJoin(tips, eq(tips.chargeId, charges.id))
    .leftJoin(gifts, eq(gifts.chargeId, charges.id))
    .where(and(eq(charges.id, chargeId), eq(charges.payerId, memberId)))
    .limit(1);
  if (!row) return null;
  const {
    changeOf,
    changeTo,
    coversUntil,
    isChanged,
    singleKind,
    targetId,
    title,
    refundHours,
    tipMessage,
    isTipHolding,
    gift,
    giftPlanName,
    isGiftHolding,
    isHolding,
    isBoughtAlready: isAlready,
    sellerName,
    taxKind,
    taxId,
    isDebt,
    ...charge
  } = row;
  return {
    ...charge,
    isDebt: isDebt === 1,
    gift:
      gift && gift.id !== null && gift.planId !== null && gift.recipientName !== null
        ? {
            ...gift,
            id: gift.id,
            planId: gift.planId,
            recipientName: gift.recipientName,
            planName: giftPlanName ?? "",
            isHolding: isGiftHolding === 1,
          }
        : null,
    change:
      changeOf !== null && changeTo !== null
        ? { subscriptionId: changeOf, planPriceId: changeTo, coversUntil, isDone: isChanged === 1 }
        : null,
    tip: tipMessage === null ? null : { message: tipMessage, isHolding: isTipHolding === 1 },
    single:
      singleKind !== null && targetId !== null && title !== null
        ? {
            kind: singleKind,
            targetId,
            title,
            refundHours,
            isHolding: isHolding === 1,
            isBoughtAlready: isAlready === 1,
          }
        : null,
    seller: publicSeller({ sellerName, taxKind, taxId }),
  };
}
