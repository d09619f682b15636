import type { Context } from "#app/domain/context.ts";
import { SubscriptionNotFound } from "./errors.ts";
import { subscriptionRow } from "./queries.server.ts";
import type { Subscription } from "./schema.ts";

export type MemberSubscriptionRef = { fanId: string; subscriptionId: string };

/** The subscription of the current member; refuses SubscriptionNotFound, also for another member's. */
export async function memberSubscription(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<Subscription> {
  const subscription = await subscriptionRow(ctx, { subscriptionId });
  if (!subscription || subscription.fanId !== fanId) throw new SubscriptionNotFound();
  return subscription;
}
