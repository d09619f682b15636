import { and, desc, eq, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { coupons, couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

export type OpenCheckout = OpenCheckoutCharge & {
  planPriceId: string;
  couponCode: string | null;
  /** Its code also authorises a Pix mandate. */ isAutomatic: boolean;
  /** How many periods it prepays. */ periods: number;
  /** The subscription after which it starts; null for at once. */ beginsAfter: string | null;
};

/**
 * The subscription of a fan to a creator that waits for its first payment, or null; the database
 * allows one at a time.
 */
export async function openCheckout(
  ctx: Context,
  { fanId, creatorId }: { fanId: string; creatorId: string },
): Promise<OpenCheckout | null> {
  const [row] = await ctx.db
    .select({
      chargeId: sql<string>`${charges.id}`.as("charge_id"),
      status: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      method: charges.method,
      amountCents: sql<number>`${charges.amountCents}`.as("charge_cents"),
      expiresAt: sql<number | null>`${charges.expiresAt}`.as("charge_expires_at"),
      nextActionUrl: charges.nextActionUrl,
      planPriceId: subscriptions.planPriceId,
      beginsAfter: subscriptions.beginsAfter,
      periods: sql<number>`COALESCE(json_array_length(${charges.periodsCents}), 1)`.as("periods"),
      couponCode: coupons.code,
      isAutomatic: sql<boolean>`${charges.recurringPixId} IS NOT NULL`
        .mapWith((value: number) => value === 1)
        .as("is_automatic"),
    })
    .from(subscriptions)
    .innerJoin(
      charges,
      and(eq(charges.purchaseKind, "subscription"), eq(charges.purchaseId, subscriptions.id)),
    )
    .leftJoin(
      couponUses,
      and(eq(couponUses.subscriptionId, subscriptions.id), isNull(couponUses.freedAt)),
    )
    .leftJoin(coupons, eq(coupons.id, couponUses.couponId))
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        eq(subscriptions.creatorId, creatorId),
        eq(subscriptions.status, "incomplete"),
      ),
    )
    .orderBy(desc(subscriptions.createdAt))
    .limit(1);
  return row ?? null;
}

const WAITING = ["created", "awaiting_payment", "requires_action", "processing"];

/**
 * The open charge of a subscription's period that starts at `startsAt`, or null; the database
 * allows one at a time.
 */
export async function openChargeForPeriod(
  ctx: Context,
  { subscriptionId, startsAt }: { subscriptionId: string; startsAt: Instant },
): Promise<OpenCheckoutCharge | null> {
  const [row] = await ctx.db
    .select({
      chargeId: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(charges)
    .where(
      and(
        eq(charges.purchaseKind, "subscription"),
        eq(charges.purchaseId, subscriptionId),
        eq(charges.periodStartsAt, startsAt),
        inArray(charges.status, WAITING),
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Counts the prepayment codes of a subscription requested since `since`. */
export async function prepaidCodesCount(
  ctx: Context,
  { subscriptionId, since }: { subscriptionId: string; since: Instant },
): Promise<number> {
  return await ctx.db.$count(
    charges,
    and(
      eq(charges.purchaseKind, "subscription"),
      eq(charges.purchaseId, subscriptionId),
      isNotNull(charges.periodStartsAt),
      isNotNull(charges.periodsCents),
      gte(charges.createdAt, since),
    ),
  );
}
