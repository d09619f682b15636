import type { Context } from "#app/domain/context.ts";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  hasOpenDisputeOf,
  unusedRefunds,
} from "#app/domain/subscriptions/coverage/queries.server.ts";
import { isLive, canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { subscriptionClosingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { endNowStatements } from "./end.server.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";

type CloseReason = "fan_left" | "creator_left" | "blocked";
type CloseRefund = { id: string; charge: Charge; amountCents: Cents };

/**
 * Ends a live subscription because one side leaves, or because a block precedes its start, and
 * refunds it. It refunds the unused days; within the cooling-off period, or before the start,
 * everything. The end and the refund decision are one batch: a second run finds nothing to end, and
 * refunds nothing twice. Does nothing while a payment is disputed, for one that is not live, or for
 * a block after the start.
 */
export async function closeSubscription(
  ctx: Context,
  { subscriptionId, because }: { subscriptionId: string; because: CloseReason },
): Promise<void> {
  const refunds = await retryOnConflict(async () => {
    const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
    if (
      !subscriptionSnapshot ||
      !mayClose(subscriptionSnapshot, because) ||
      (await hasOpenDisputeOf(ctx, { subscriptionId }))
    )
      return [];
    const given = await givenBack(ctx, {
      subscriptionId,
      everything: canWithdraw(subscriptionSnapshot.subscription, ctx.now()),
    });
    const refundCents = given.reduce((sum, { amountCents }) => sum + amountCents, 0);
    await commit(ctx.db, [
      ...endNowStatements(ctx, subscriptionSnapshot.subscription),
      ...given.map(({ id, charge, amountCents }) =>
        requestRefundStatement(ctx, charge, { id, amountCents, reason: reasonOf(charge, because) }),
      ),
      ...notificationStatements(ctx, subscriptionSnapshot, { because, refundCents }),
    ]);
    return given;
  });
  await cancelOpenRenewals(ctx, { subscriptionId });
  // The gifts module settles a gift's refund: the payouts worker sends it.
  for (const { id, charge } of refunds)
    if (charge.purchaseKind !== "gift") await refundNow(ctx, id);
}

/** A fan whose subscription started keeps what they paid for, even across a block. */
const mayClose = (
  { subscription: { status }, isBlocked }: SubscriptionSnapshot,
  because: CloseReason,
): boolean => isLive(status) && (because !== "blocked" || (isBlocked && status === "upcoming"));

/** A gift is never an upcoming subscription. */
const reasonOf = ({ purchaseKind }: Charge, because: CloseReason): string =>
  subscriptionClosingRefundReasons[
    purchaseKind === "gift" && because !== "blocked" ? (`gift_${because}` as const) : because
  ];

/** The member who leaves is notified by the emails of their account deletion. */
function notificationStatements(
  ctx: Context,
  { subscription, fanName, creatorName, plan }: SubscriptionSnapshot,
  { because, refundCents }: { because: CloseReason; refundCents: Cents },
): DbStatement[] {
  const { id: subscriptionId, fanId, creatorId, startedAt } = subscription;
  const message = { subscriptionId, fanId, creatorName, planName: plan.name, refundCents };
  if (because === "creator_left")
    return [
      announce<LifecycleMessage>(ctx, `subscription:${subscriptionId}:closed`, {
        type: "subscription.closed",
        ...message,
      }),
    ];
  if (because === "blocked")
    return [
      announce<LifecycleMessage>(ctx, `subscription:${subscriptionId}:called_off:${ctx.newId()}`, {
        type: "subscription.called_off",
        ...message,
        creatorId,
        fanName,
        beginsAt: startedAt ?? ctx.now(),
      }),
    ];
  return [];
}

async function givenBack(
  ctx: Context,
  { subscriptionId, everything }: { subscriptionId: string; everything: boolean },
): Promise<CloseRefund[]> {
  const given: CloseRefund[] = [];
  for (const { chargeId, amountCents } of await unusedRefunds(ctx, {
    subscriptionId,
    at: ctx.now(),
    everything,
  })) {
    const charge = await chargeRow(ctx, { chargeId });
    if (charge) given.push({ id: ctx.newId(), charge, amountCents });
  }
  return given;
}
