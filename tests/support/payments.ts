import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { World } from "./context.ts";
import type { Seller, TestPerson } from "./people.ts";

export type PendingCheckout = { chargeId: string; providerChargeId: string };

/** Starts a Pix checkout, which waits for its payment. */
export async function pixCheckout(
  world: World,
  fan: TestPerson,
  seller: Seller,
): Promise<PendingCheckout> {
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: seller.priceId,
    method: "pix",
    cardToken: null,
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { chargeId, providerChargeId: charge.providerChargeId };
}

/** Pays the charge at the payer's bank. Its webhook is sent if the world delivers webhooks. */
export async function payAtBank(
  world: World,
  { providerChargeId }: Pick<PendingCheckout, "providerChargeId">,
): Promise<void> {
  const answer = await world.console(`/sandbox/charges/${providerChargeId}/pay`);
  expect(answer.status).toBe(200);
}

/** Subscribes `fan` to `seller` by Pix, pays and applies the webhook. */
export async function paidSubscription(
  world: World,
  fan: TestPerson,
  seller: Seller,
): Promise<Charge> {
  const waiting = await pixCheckout(world, fan, seller);
  await payAtBank(world, waiting);
  await world.drain();
  const charge = await chargeRow(world.ctx, waiting);
  if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
  return charge;
}

/** Expects one ledger transaction, one covered period, one subscription and one notification. */
export async function expectAppliedOnce(
  world: World,
  { chargeId, fan, seller }: { chargeId: string; fan: TestPerson; seller: Seller },
): Promise<void> {
  const { db } = world.ctx;
  expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("succeeded");
  const [transactions, periods, live, notified] = await db.batch([
    db
      .select()
      .from(ledgerTransactions)
      .where(
        and(
          eq(ledgerTransactions.chargeId, chargeId),
          eq(ledgerTransactions.kind, "charge.succeeded"),
        ),
      ),
    db.select().from(chargePeriods).where(eq(chargePeriods.chargeId, chargeId)),
    db
      .select()
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.fanId, fan.id),
          eq(subscriptions.creatorId, seller.id),
          eq(subscriptions.status, "active"),
        ),
      ),
    db
      .select()
      .from(notifications)
      .where(
        and(eq(notifications.personId, fan.id), eq(notifications.kind, "subscription.started")),
      ),
  ]);
  expect({
    transactions: transactions.length,
    periods: periods.length,
    live: live.length,
    told: notified.length,
  }).toEqual({ transactions: 1, periods: 1, live: 1, told: 1 });
}

/** Creates a card token as the provider's hosted field does. The default card is approved. */
export async function cardToken(world: World, number = "4242424242424242"): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Reis" }),
  });
  return ((await answer.json()) as { id: string }).id;
}
