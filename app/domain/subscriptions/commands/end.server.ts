import { and, eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { NotCancelable, RegretTooLate, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { paidCharges, subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { mayRegret } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { refundNow } from "./settle.server.ts";

type Mine = { fanId: string; subscriptionId: string };

async function ownSubscription(ctx: Context, { fanId, subscriptionId }: Mine): Promise<Subscription> {
  const subscription = await subscriptionRow(ctx, { subscriptionId });
  if (!subscription || subscription.fanId !== fanId) throw new SubscriptionNotFound();
  return subscription;
}

/**
 * Ends the renewal; what was paid for stays open until its end. Refuses SubscriptionNotFound (also for somebody else's) and
 * NotCancelable when it does not renew any more.
 */
export async function cancelSubscription(ctx: Context, mine: Mine): Promise<void> {
  await rereading(async () => {
    const subscription = await ownSubscription(ctx, mine);
    if (subscription.status !== "active" && subscription.status !== "past_due") throw new NotCancelable();
    const now = ctx.now();
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(subscriptions)
          .set({ status: "canceled", canceledAt: now, updatedAt: now })
          .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status))),
      ),
    ]);
  });
}

/**
 * Right of regret: within seven days of the first payment everything is given back and access ends at once, no reason
 * asked (CDC art. 49). Refuses SubscriptionNotFound and RegretTooLate.
 */
export async function regretSubscription(ctx: Context, mine: Mine): Promise<void> {
  const refundIds = await rereading(async () => {
    const subscription = await ownSubscription(ctx, mine);
    const paid = await Promise.all((await paidCharges(ctx, { subscriptionId: subscription.id })).map((chargeId) => chargeRow(ctx, { chargeId })));
    const refunds = paid.flatMap((charge) => (charge ? [{ charge, id: ctx.newId() }] : []));
    if (refunds.length === 0 || !mayRegret(subscription, ctx.now())) throw new RegretTooLate();
    await commit(ctx.db, [
      ...endedNowStatements(ctx, subscription),
      ...refunds.map(({ charge, id }) => refundStatement(ctx, charge, { id, amountCents: charge.amountCents - charge.refundedCents, reason: "Arrependimento em até 7 dias." })),
    ]);
    return refunds.map(({ id }) => id);
  });
  for (const refundId of refundIds) await refundNow(ctx, refundId);
}

/** The statements that end a live subscription at once, its seat free again. */
export function endedNowStatements(ctx: Context, subscription: Subscription): Write[] {
  const now = ctx.now();
  return [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", accessUntil: now, holdsSeat: false, updatedAt: now })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.holdsSeat, subscription.holdsSeat))),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: subscription.planId })] : []),
  ];
}
