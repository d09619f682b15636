import { sql } from "drizzle-orm";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
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
export type CheckoutInterval = (typeof subscriptions.$inferSelect)["interval"];

/** The subscription that a charge pays for or changes. */
export type CheckoutSubscription = Pick<
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

export const chargeColumns = {
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
  createdAt: charges.createdAt,
};

export const subscriptionColumns = {
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
};

/** What led the payer here: a link of the creator and a coupon. */
export const originColumns = {
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
};

export const singleColumns = {
  singleKind: purchases.kind,
  targetId: purchases.targetId,
  title: purchases.title,
  refundHours: sql<
    number | null
  >`(SELECT placed.refund_hours FROM event_orders placed WHERE placed.id = ${purchases.targetId} AND ${purchases.kind} = 'event')`.as(
    "order_refund_hours",
  ),
  isHolding: sql<number>`${purchases.boughtAt} IS NOT NULL AND ${purchases.endedAt} IS NULL`.as(
    "is_holding",
  ),
  isBoughtAlready: isBoughtAlready.as("is_bought_already"),
};

export const changeColumns = {
  changeOf: sql<string | null>`${planChanges.subscriptionId}`.as("change_of"),
  changeTo: planChanges.toPlanPriceId,
  coversUntil: planChanges.coversUntil,
  isChanged: sql<number>`${planChanges.state} = 'done'`.as("is_changed"),
};

export const tipColumns = {
  tipMessage: tips.message,
  isTipHolding: sql<number>`${tips.paidAt} IS NOT NULL AND ${tips.endedAt} IS NULL`.as(
    "is_tip_holding",
  ),
};

export const giftColumns = {
  gift: {
    id: sql<string | null>`${gifts.id}`.as("gift_id"),
    planId: gifts.planId,
    interval: sql<CheckoutInterval>`${gifts.interval}`.as("gift_interval"),
    recipientName: gifts.recipientName,
  },
  giftPlanName: sql<
    string | null
  >`(SELECT given.name FROM plans given WHERE given.id = ${gifts.planId})`.as("gift_plan_name"),
  isGiftHolding: sql<number>`${gifts.paidAt} IS NOT NULL AND ${gifts.endedAt} IS NULL`.as(
    "is_gift_holding",
  ),
};

export const creatorColumns = {
  creatorName: profiles.name,
  creatorUsername: profiles.username,
  creatorAvatarMediaId: profiles.avatarMediaId,
};

export const sellerColumns = {
  sellerName: documents.sellerName,
  taxKind: documents.taxKind,
  taxId: documents.taxId,
};

export const refundColumns = {
  refundedCents: charges.refundedCents,
  disputedCents: charges.disputedCents,
  currentSubscription: currentSubscription.as("current_subscription"),
  isRefundRefused: isRefundRefused.as("is_refund_refused"),
  transfer: openRefundTransfer.as("standing_transfer"),
  isPlanReturning: isPlanReturning.as("is_plan_returning"),
  refundReason: sql<
    string | null
  >`(SELECT ${refunds.reason} FROM ${refunds} WHERE ${refunds.chargeId} = ${charges.id} ORDER BY ${refunds.createdAt} DESC LIMIT 1)`,
};
