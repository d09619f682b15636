import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { ChargeStatus, OpenAttempt } from "#app/domain/payments/rules.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { coupons, couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

export type OpenCheckout = OpenAttempt & { planPriceId: string; couponCode: string | null; /** Its code also authorises Pix Automático. */ isAutomatic: boolean };

/** The subscription of a fan to a creator that still waits for its first payment, or null; the database opens one at a time. */
export async function openCheckout(ctx: Context, { fanId, creatorId }: { fanId: string; creatorId: string }): Promise<OpenCheckout | null> {
  const [row] = await ctx.db
    .select({
      chargeId: sql<string>`${charges.id}`.as("charge_id"),
      status: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      method: charges.method,
      amountCents: sql<number>`${charges.amountCents}`.as("charge_cents"),
      expiresAt: sql<number | null>`${charges.expiresAt}`.as("charge_expires_at"),
      nextActionUrl: charges.nextActionUrl,
      planPriceId: subscriptions.planPriceId,
      couponCode: coupons.code,
      isAutomatic: sql<boolean>`${charges.recurringPixId} IS NOT NULL`.mapWith((value: number) => value === 1).as("is_automatic"),
    })
    .from(subscriptions)
    .innerJoin(charges, and(eq(charges.purchaseKind, "subscription"), eq(charges.purchaseId, subscriptions.id)))
    .leftJoin(couponUses, and(eq(couponUses.subscriptionId, subscriptions.id), isNull(couponUses.freedAt)))
    .leftJoin(coupons, eq(coupons.id, couponUses.couponId))
    .where(and(eq(subscriptions.fanId, fanId), eq(subscriptions.creatorId, creatorId), eq(subscriptions.status, "incomplete")))
    .orderBy(desc(subscriptions.createdAt))
    .limit(1);
  return row ?? null;
}
