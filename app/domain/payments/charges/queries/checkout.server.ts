import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  changeColumns,
  chargeColumns,
  creatorColumns,
  giftColumns,
  originColumns,
  refundColumns,
  sellerColumns,
  singleColumns,
  subscriptionColumns,
  tipColumns,
} from "./checkout-columns.server.ts";
import type {
  CheckoutInterval,
  CheckoutRefundTransfer,
  CheckoutSubscription,
} from "./checkout-columns.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts, purchases, tips } from "#drizzle/schema/purchases.ts";
import { planChanges, recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

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
  interval: CheckoutInterval | null;
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
    interval: CheckoutInterval;
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

/** Loads the page of one payment for its payer; null for anyone else. */
export async function checkoutCharge(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<CheckoutCharge | null> {
  const [row] = await checkoutRows(ctx, { memberId, chargeId });
  if (!row) return null;
  const {
    isDebt,
    gift,
    giftPlanName,
    isGiftHolding,
    changeOf,
    changeTo,
    coversUntil,
    isChanged,
    tipMessage,
    isTipHolding,
    singleKind: kind,
    targetId,
    title,
    refundHours,
    isHolding,
    isBoughtAlready,
    sellerName,
    taxKind,
    taxId,
    ...charge
  } = row;
  return {
    ...charge,
    isDebt: isDebt === 1,
    gift: paidGift({ gift, giftPlanName, isGiftHolding }),
    change: paidChange({ changeOf, changeTo, coversUntil, isChanged }),
    tip: tipMessage === null ? null : { message: tipMessage, isHolding: isTipHolding === 1 },
    single: singlePurchase({ kind, targetId, title, refundHours, isHolding, isBoughtAlready }),
    seller: publicSeller({ sellerName, taxKind, taxId }),
  };
}

function checkoutRows(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
) {
  return ctx.db
    .select({
      ...chargeColumns,
      ...subscriptionColumns,
      ...originColumns,
      ...singleColumns,
      ...changeColumns,
      ...tipColumns,
      ...giftColumns,
      ...creatorColumns,
      ...sellerColumns,
      ...refundColumns,
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
}

type CheckoutRow = Awaited<ReturnType<typeof checkoutRows>>[number];

const paidGift = ({
  gift,
  giftPlanName,
  isGiftHolding,
}: Pick<CheckoutRow, "gift" | "giftPlanName" | "isGiftHolding">): CheckoutCharge["gift"] =>
  gift && gift.id !== null && gift.planId !== null && gift.recipientName !== null
    ? {
        ...gift,
        id: gift.id,
        planId: gift.planId,
        recipientName: gift.recipientName,
        planName: giftPlanName ?? "",
        isHolding: isGiftHolding === 1,
      }
    : null;

const paidChange = ({
  changeOf,
  changeTo,
  coversUntil,
  isChanged,
}: Pick<
  CheckoutRow,
  "changeOf" | "changeTo" | "coversUntil" | "isChanged"
>): CheckoutCharge["change"] =>
  changeOf !== null && changeTo !== null
    ? { subscriptionId: changeOf, planPriceId: changeTo, coversUntil, isDone: isChanged === 1 }
    : null;

type SinglePurchaseRow = Pick<
  CheckoutRow,
  "targetId" | "title" | "refundHours" | "isHolding" | "isBoughtAlready"
> & { kind: CheckoutRow["singleKind"] };

const singlePurchase = ({
  kind,
  targetId,
  title,
  isHolding,
  isBoughtAlready,
  refundHours,
}: SinglePurchaseRow): CheckoutCharge["single"] =>
  kind !== null && targetId !== null && title !== null
    ? {
        kind,
        targetId,
        title,
        refundHours,
        isHolding: isHolding === 1,
        isBoughtAlready: isBoughtAlready === 1,
      }
    : null;
