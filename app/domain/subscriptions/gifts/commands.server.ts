import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** `id` is that of the gift, and of what its charge pays for. */
export type GiftSubscription = Pick<
  Subscription,
  "id" | "fanId" | "creatorId" | "planId" | "planPriceId" | "interval" | "amountCents" | "method"
> & { giftedBy: string; period: { startsAt: Instant; endsAt: Instant } };

/**
 * The statement by which a gift becomes a subscription that runs out: it has the seat that the gift
 * held, and nothing renews it. The database refuses it beside another live one of the same two.
 */
export function giftSubscriptionStatement(
  ctx: Context,
  { period: { startsAt, endsAt }, ...given }: GiftSubscription,
): BatchWrite {
  return ctx.db.insert(subscriptions).values({
    ...given,
    status: "canceled",
    startedAt: startsAt,
    currentPeriodStartsAt: startsAt,
    currentPeriodEndsAt: endsAt,
    accessUntil: endsAt,
    holdsSeat: true,
    createdAt: startsAt,
    updatedAt: startsAt,
  });
}
