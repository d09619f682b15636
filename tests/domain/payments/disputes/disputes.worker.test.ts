import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { disputes } from "#drizzle/schema/payments.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";

let world: World;
let ana: Seller;
let charge: Charge;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  charge = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
});
afterEach(() => expectInvariantsToHold(world.ctx));

async function dispute(): Promise<string> {
  const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
  expect(opened.status).toBe(200);
  await world.drain();
  return String(opened.body.id);
}

const statusOf = async () => (await chargeRow(world.ctx, { chargeId: charge.id }))?.status;
const money = () => creatorBalances(world.ctx, { creatorId: ana.id });

test("a dispute (MED) reserves net and fee until it is decided, and nothing is released meanwhile", async () => {
  await dispute();
  expect(await statusOf()).toBe("disputed");
  expect(await money()).toMatchObject({ pendingCents: 0, reservedCents: 1_890 });
  await world.advance(9 * DAY_MS);
  await world.tick();
  expect(await money()).toMatchObject({ availableCents: 0, reservedCents: 1_890 });
});

test("a won dispute makes the money available; a lost one takes it and ends the access", async () => {
  const first = await dispute();
  await world.console(`/sandbox/disputes/${first}/win`);
  await world.drain();
  expect(await statusOf()).toBe("dispute_won");
  expect(await money()).toMatchObject({ availableCents: 1_890, reservedCents: 0 });

  charge = await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
  const second = await dispute();
  await world.console(`/sandbox/disputes/${second}/lose`);
  await world.drain();
  expect(await statusOf()).toBe("dispute_lost");
  expect(await money()).toMatchObject({ pendingCents: 0, reservedCents: 0, availableCents: 1_890 });
  const [subscription] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, charge.purchaseId));
  expect(subscription?.status).toBe("expired");
});

test("with webhook chaos at the provider, a dispute is applied once", async () => {
  await world.console("/sandbox/chaos", { duplicate: 5, reorder: true, stale_replay: true });
  const id = await dispute();
  await world.console(`/sandbox/disputes/${id}/win`);
  for (let round = 0; round < 3; round += 1) {
    await world.env.PSP_DB.prepare(
      "UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'waiting'",
    ).run();
    await world.tick();
  }
  await world.console("/sandbox/chaos", {});
  expect(await statusOf()).toBe("dispute_won");
  expect(
    await world.ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id)),
  ).toHaveLength(1);
});
