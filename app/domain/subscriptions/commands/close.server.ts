import type { Context } from "#app/domain/context.ts";
import { commit } from "#app/db/client.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { refundNow, refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { isDisputed, unusedCharges } from "#app/domain/subscriptions/queries/closing.server.ts";
import { isLive, mayRegret } from "#app/domain/subscriptions/rules.ts";
import { closingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { endedNowStatements } from "./ended.server.ts";
import { subscriptionKinds } from "./kind.server.ts";

type GivenBack = { id: string; charge: Charge; amountCents: Cents };

/**
 * Ends a live subscription at once because one of its two sides leaves, and gives the unused days back (within the seven days of
 * regret, everything). The end and the decision to refund are one batch, so that a second run finds nothing to end: money goes back
 * once. Does nothing while a payment of it is fought over, and to one that is not live.
 */
export async function closeSubscription(ctx: Context, { subscriptionId, because }: { subscriptionId: string; because: "fan_left" | "creator_left" }): Promise<void> {
  const refunds = await rereading(async () => {
    const facts = await purchaseFacts(ctx, { subscriptionId });
    if (!facts || !isLive(facts.subscription.status) || (await isDisputed(ctx, { subscriptionId }))) return [];
    const given = await givenBack(ctx, { subscriptionId, everything: mayRegret(facts.subscription, ctx.now()) });
    const refundCents = given.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const { fanId } = facts.subscription;
    await commit(ctx.db, [
      ...endedNowStatements(ctx, facts.subscription),
      ...given.map(({ id, charge, amountCents }) => refundStatement(ctx, charge, { id, amountCents, reason: closingRefundReasons[charge.purchaseKind === "gift" ? (`gift_${because}` as const) : because] })),
      ...(because === "creator_left"
        ? [announce(ctx, `subscription:${subscriptionId}:closed`, { type: "subscription.closed" as const, subscriptionId, fanId, creatorName: facts.creatorName, planName: facts.plan.name, refundCents })]
        : []),
    ]);
    return given;
  });
  // What a gift paid for is another module's to settle: its refund is sent by the payouts worker.
  for (const { id, charge } of refunds) if (charge.purchaseKind !== "gift") await refundNow(ctx, subscriptionKinds, id);
}

async function givenBack(ctx: Context, { subscriptionId, everything }: { subscriptionId: string; everything: boolean }): Promise<GivenBack[]> {
  const given: GivenBack[] = [];
  for (const { chargeId, amountCents } of await unusedCharges(ctx, { subscriptionId, at: ctx.now(), everything })) {
    const charge = await chargeRow(ctx, { chargeId });
    if (charge) given.push({ id: ctx.newId(), charge, amountCents });
  }
  return given;
}
