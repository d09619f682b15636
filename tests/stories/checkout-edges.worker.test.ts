import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { archivePlan, createPlan, updatePlan } from "#app/domain/plans/commands.server.ts";
import { PriceInvalid } from "#app/domain/plans/errors.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { PlanNotForSale, PlanPriceChanged } from "#app/domain/subscriptions/errors.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { soldPost, purchaseCheckoutInput } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, `Bruno ${world.ctx.newId()}`);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const words = {
  name: "Camarim",
  description: "O que acontece antes do palco.",
  benefits: ["Ensaios"],
  seatsLimit: null,
  welcomeMessage: "Que bom que você veio!",
};
const wish = () => ({
  memberId: bruno.id,
  memberName: bruno.name,
  planPriceId: ana.priceId,
  method: "pix" as const,
  cardToken: null,
});

/** Bruno has no charge here or at the provider, and no subscription. */
async function expectNothingCharged(): Promise<void> {
  expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id))).toEqual(
    [],
  );
  expect(
    await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id)),
  ).toEqual([]);
  const asked = await testEnv.PSP_DB.prepare(
    "SELECT COUNT(*) AS count FROM charges WHERE payer_name = ?",
  )
    .bind(bruno.name)
    .first<{ count: number }>();
  expect(asked?.count).toBe(0);
}

describe("a checkout of a plan that changed while it was open", () => {
  test("is refused when the price changed, and nothing is charged", async () => {
    await updatePlan(world.ctx, {
      creatorId: ana.id,
      planId: ana.planId,
      ...words,
      prices: [{ interval: "monthly", amountCents: 4_990 }],
    });
    await expect(startSubscription(world.ctx, wish())).rejects.toThrow(PlanPriceChanged);
    await expectNothingCharged();
  });

  test("is refused when the plan was archived, and nothing is charged", async () => {
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await expect(startSubscription(world.ctx, wish())).rejects.toThrow(PlanNotForSale);
    await expectNothingCharged();
  });
});

describe("a Pix code of a plan that changed before it was paid", () => {
  test("is paid at its own price, which the subscription keeps", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    await updatePlan(world.ctx, {
      creatorId: ana.id,
      planId: ana.planId,
      ...words,
      prices: [{ interval: "monthly", amountCents: 4_990 }],
    });
    await payAtBank(world, waiting);
    await world.drain();
    const charge = await chargeRow(world.ctx, waiting);
    expect(charge).toMatchObject({ status: "succeeded", amountCents: 1_990 });
    expect(
      await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id)),
    ).toEqual([expect.objectContaining({ status: "active", amountCents: 1_990 })]);
  });

  test("is honoured when the plan was archived, because its seat was held", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await payAtBank(world, waiting);
    await world.drain();
    expect(await chargeRow(world.ctx, waiting)).toMatchObject({ status: "succeeded" });
    expect(
      await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id)),
    ).toEqual([expect.objectContaining({ status: "active" })]);
  });

  test("is refunded in full when the plan was archived and the code had expired", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await world.advance(HOUR_MS);
    await world.tick();
    await payAtBank(world, waiting);
    await world.drain();
    await world.tick();
    expect(await chargeRow(world.ctx, waiting)).toMatchObject({
      status: "refunded",
      refundedCents: 1_990,
    });
    expect(
      (await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken,
    ).toBe(0);
  });
});

test.each([0, -500, 0.1 + 0.2, 2 ** 53, Number.NaN])(
  "a plan of %d centavos is refused, and is not saved",
  async (amountCents) => {
    const count = () => world.ctx.db.$count(plans, eq(plans.creatorId, ana.id));
    const before = await count();
    await expect(
      createPlan(world.ctx, {
        creatorId: ana.id,
        ...words,
        prices: [{ interval: "monthly", amountCents }],
      }),
    ).rejects.toThrow(PriceInvalid);
    await expect(
      updatePlan(world.ctx, {
        creatorId: ana.id,
        planId: ana.planId,
        ...words,
        prices: [{ interval: "monthly", amountCents }],
      }),
    ).rejects.toThrow(PriceInvalid);
    expect(await count()).toBe(before);
    expect(
      (await creatorPlan(world.ctx, { planId: ana.planId, creatorId: ana.id }))?.prices,
    ).toEqual([expect.objectContaining({ amountCents: 1_990 })]);
  },
);

test.each([0, -1_500, 0.1 + 0.2, 2 ** 53])(
  "a post that costs R$ 15,00 is not sold at %d centavos",
  async (amountCents) => {
    const { postId } = await soldPost(world.ctx, ana);
    await expect(
      startPurchase(world.ctx, { ...purchaseCheckoutInput(bruno, postId), amountCents }),
    ).rejects.toThrow("O preço mudou enquanto você olhava");
    await expectNothingCharged();
  },
);
