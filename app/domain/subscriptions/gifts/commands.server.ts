import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** `id` is the id of the gift, and of what its charge pays for. */
export type GiftSubscription = Pick<
  Subscription,
  "id" | "fanId" | "creatorId" | "planId" | "planPriceId" | "interval" | "amountCents" | "method"
> & { giftedBy: string; period: { startsAt: Instant; endsAt: Instant } };

/**
 * The statement that turns a gift into a subscription that ends: it takes over the gift's seat and
 * never renews. The database refuses it beside another live one between the two.
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
