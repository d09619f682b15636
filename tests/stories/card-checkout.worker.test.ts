import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { SubscriptionMethodNotOffered, PaymentDeclined } from "#app/domain/subscriptions/errors.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

async function cardToken(number: string): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Reis" }),
  });
  return ((await answer.json()) as { id: string }).id;
}

const byCard = (token: string | null, seller = ana) => ({
  memberId: bruno.id,
  memberName: bruno.name,
  planPriceId: seller.priceId,
  method: "card" as const,
  cardToken: token,
});
const statusOf = async () =>
  (await memberSubscriptions(world.ctx, { fanId: bruno.id, cursor: null, limit: 5 })).items.map(
    (one) => one.status,
  );

test("an approved card gives access at once, and its money is available when the provider settles it", async () => {
  const started = await startSubscription(world.ctx, byCard(await cardToken("4242424242424242")));
  expect(started.status).toBe("succeeded");
  await world.drain();
  expect(await statusOf()).toEqual(["active"]);
  const charge = await chargeRow(world.ctx, started);
  const [part] = await chargeReleaseParts(world.ctx, started);
  expect(part?.releaseAt ?? 0).toBeGreaterThan(world.ctx.now() + 29 * DAY_MS);
  const [row] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, charge?.purchaseId ?? ""));
  expect(row?.savedMethodId).toBeTruthy();
});

test.each([
  ["4000000000000002", "recusado"],
  ["4000000000009995", "sem limite"],
])("a declined card %s is refused with a message, and holds no seat", async (number, words) => {
  const attempt = startSubscription(world.ctx, byCard(await cardToken(number)));
  await expect(attempt).rejects.toThrow(PaymentDeclined);
  await expect(attempt).rejects.toThrow(words);
  expect(
    (await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken,
  ).toBe(0);
});

test("an unknown card token is refused with a message", async () => {
  await expect(startSubscription(world.ctx, byCard("tok_nothing"))).rejects.toThrow(
    PaymentDeclined,
  );
});

test("a 3DS charge awaits the bank, and succeeds once the payer confirms", async () => {
  const started = await startSubscription(world.ctx, byCard(await cardToken("4000000000003220")));
  expect(started.status).toBe("requires_action");
  expect(started.nextActionUrl).toContain(world.env.SANDBOX_PUBLIC_URL ?? "?");
  const charge = await chargeRow(world.ctx, started);
  await world.console(`/sandbox/charges/${charge?.providerChargeId}/pay`);
  await world.drain();
  expect(await statusOf()).toEqual(["active"]);
});

test("without a token the checkout leads to the provider's card page", async () => {
  const started = await startSubscription(world.ctx, byCard(null));
  expect(started.status).toBe("requires_action");
  expect(new URL(started.nextActionUrl ?? "").origin).toBe(world.env.SANDBOX_PUBLIC_URL);
});

test("an unfinished card page expires, and its seat is free", async () => {
  const started = await startSubscription(world.ctx, byCard(null));
  await world.advance(HOUR_MS);
  await world.tick();
  expect(["canceled", "expired"]).toContain((await chargeRow(world.ctx, started))?.status);
  expect(
    (await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken,
  ).toBe(0);
});

test("a charge whose answer timed out is looked up, and never charged again", async () => {
  const started = await startSubscription(world.ctx, byCard(await cardToken("4000000000000119")));
  expect(started.status).toBe("created");
  await world.advance(5 * 60_000);
  await world.tick();
  expect((await chargeRow(world.ctx, started))?.status).toBe("succeeded");
  expect(await statusOf()).toEqual(["active"]);
  expect(
    await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id)),
  ).toHaveLength(1);
});

test("a plan under R$ 10,00 is sold by Pix only", async () => {
  const cheap = await createSeller(world.ctx, { amountCents: 999 });
  await expect(startSubscription(world.ctx, byCard("tok", cheap))).rejects.toThrow(
    SubscriptionMethodNotOffered,
  );
});
