import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  nextPlanName,
  nextTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { isNextPeriodDebited } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";

/**
 * Moves an unpaid subscription to past due. A missing Pix is notified now. A card is notified by
 * its refusal, and an unconfirmed one keeps its access meanwhile.
 */
export async function fallPastDue(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  accessUntil: Instant,
): Promise<void> {
  const { subscription, creatorName, nextPaymentCents: amountCents } = subscriptionSnapshot;
  const {
    id: subscriptionId,
    fanId,
    method,
  } = nextTerms(subscription, subscriptionSnapshot.change, subscriptionSnapshot.agreed);
  const key = `subscription:${subscriptionId}:past_due:${accessUntil}`;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "past_due", accessUntil, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, subscription.status),
            eq(subscriptions.currentPeriodEndsAt, subscription.currentPeriodEndsAt ?? 0),
          ),
        ),
    ),
    ...(renewsBySavedMethod(method)
      ? []
      : [
          announce<RenewalMessage>(ctx, key, {
            type: "subscription.past_due",
            subscriptionId,
            fanId,
            creatorName,
            planName: nextPlanName(subscriptionSnapshot),
            amountCents,
            isAutomatic: isNextPeriodDebited(ctx, subscriptionSnapshot),
            accessUntil,
            appOrigin: ctx.settings.appOrigin,
          }),
        ]),
  ]);
  if (!renewsBySavedMethod(method))
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}
