import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import * as purchaseRegret from "#app/routes/settings/purchases/purchase-withdrawal.tsx";
import * as transactionRegret from "#app/routes/settings/sales/transaction-withdrawal.tsx";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { refundHelpers, stubRefundError } from "#tests/support/refunds.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan, paidUpgrade } from "#tests/support/plan-changes.ts";
import { paidPurchase, priceRule, soldPost } from "#tests/support/purchases.ts";
import { paidTip } from "#tests/support/tips.ts";

const routes = callRoutesAs([
  { path: "settings/purchases/:id/regret", module: purchaseRegret },
  { path: "settings/transactions/:id/regret", module: transactionRegret },
]);

let world: World;
let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 3_000 });
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const { giveBack, regret } = refundHelpers(() => ({ world, seller: ana, fan: bruno }));

type Said = { backCents: number; payments: number; isWhole: boolean };
const saidOf = async (charge: { id: string }) => {
  const { backCents, payments, isWhole } = await routes.read<Said>(
    { person: bruno },
    `/settings/transactions/${charge.id}/regret`,
  );
  return { backCents, payments, isWhole };
};

/** Sums all refunds of Bruno's payments, decided or sent (centavos). */
async function backCents(): Promise<number> {
  const rows = await ctx.db
    .select({ amountCents: refunds.amountCents })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(eq(charges.payerId, bruno.id));
  return rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Expects that the page of `charge` announces exactly what the cooling-off refund returns. */
async function expectSaid(charge: { id: string }, said: Said): Promise<void> {
  const before = await backCents();
  expect(await saidOf(charge)).toEqual(said);
  await regret(charge);
  expect((await backCents()) - before).toBe(said.backCents);
}

/** The seller refunds `amountCents` and the provider does not answer, so it stays unconfirmed. */
async function giveBackUnheard(charge: { id: string }, amountCents: number): Promise<void> {
  const provider = stubRefundError(world.ctx, new ProviderUnclear("silence"));
  await giveBack(charge, amountCents).catch(() => undefined);
  provider.itself();
}

describe("cooling-off refund of a purchase", () => {
  const post = async () =>
    await paidPurchase(
      world,
      bruno,
      (await soldPost(ctx, ana, { rules: [priceRule(3_000)] })).postId,
    );
  const readPurchase = async (id: string) =>
    await routes.read<Said & { method: string }>(
      { person: bruno },
      `/settings/purchases/${id}/regret`,
    );

  test("is the whole amount without earlier refunds", async () => {
    const { charge, purchase } = await post();
    expect(await readPurchase(purchase.id)).toMatchObject({
      backCents: 3_000,
      isWhole: true,
      method: "pix",
    });
    await expectSaid(charge, { backCents: 3_000, payments: 1, isWhole: true });
  });

  test("is the rest after a partial refund by the seller; an unconfirmed refund counts", async () => {
    const { charge, purchase } = await post();
    await world.advance(2 * DAY_MS);
    await giveBack(charge, 1_000);
    await world.drain();
    await world.advance(3 * DAY_MS);
    expect(await readPurchase(purchase.id)).toMatchObject({ backCents: 2_000, isWhole: false });
    await giveBackUnheard(charge, 500);
    expect(await readPurchase(purchase.id)).toMatchObject({ backCents: 1_500, isWhole: false });
    await expectSaid(charge, { backCents: 1_500, payments: 1, isWhole: false });
  });

  test("is zero when an unconfirmed refund covers the whole amount", async () => {
    const { charge, purchase } = await post();
    await giveBackUnheard(charge, 3_000);
    expect(await readPurchase(purchase.id)).toMatchObject({ backCents: 0, isWhole: false });
    await expectSaid(charge, { backCents: 0, payments: 1, isWhole: false });
  });
});

test("the cooling-off refund of a tip or gift deducts what the seller already refunded", async () => {
  const { charge: tip } = await paidTip(world, bruno, ana);
  await giveBackUnheard(tip, 700);
  await expectSaid(tip, { backCents: tip.amountCents - 700, payments: 1, isWhole: false });
  const { charge: gift } = await paidGift(world, bruno, ana);
  await giveBack(gift, 1_000);
  await world.drain();
  await expectSaid(gift, { backCents: 2_000, payments: 1, isWhole: false });
});

test("the cooling-off refund of a weekly subscription covers both payments of the week, less earlier refunds", async () => {
  ana = await createSeller(ctx, { amountCents: 1_990, interval: "weekly" });
  const first = await paidSubscription(world, bruno, ana);
  expect(await saidOf(first)).toEqual({ backCents: 1_990, payments: 1, isWhole: true });
  await world.advance(5 * DAY_MS);
  await world.tick();
  const [second] = await ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, first.purchaseId), eq(charges.status, "awaiting_payment")));
  if (!second) throw new Error("no renewal was asked for");
  expect(await saidOf(first)).toEqual({ backCents: 1_990, payments: 1, isWhole: true });
  await payAtBank(world, { providerChargeId: second.providerChargeId ?? "" });
  await world.drain();
  for (const charge of [first, second])
    expect(await saidOf(charge)).toEqual({ backCents: 3_980, payments: 2, isWhole: true });
  await giveBackUnheard(first, 490);
  for (const charge of [first, second])
    expect(await saidOf(charge)).toEqual({ backCents: 3_490, payments: 2, isWhole: false });
  await expectSaid(second, { backCents: 3_490, payments: 2, isWhole: false });
});

describe("cooling-off refund of a plan change", () => {
  async function twoUpgrades(interval: "weekly" | "monthly" = "monthly") {
    ana = await createSeller(ctx, { amountCents: 3_000, interval });
    const palco = await otherPlan(ctx, ana.id, { [interval]: 6_000 });
    const teatro = await otherPlan(ctx, ana.id, { name: "Teatro", [interval]: 9_000 });
    const mine = {
      subscriptionId: (await paidSubscription(world, bruno, ana)).purchaseId,
      fanId: bruno.id,
    };
    const first = await paidUpgrade(world, { ...mine, planPriceId: palco.prices[interval] });
    const second = await paidUpgrade(world, { ...mine, planPriceId: teatro.prices[interval] });
    return { first, second };
  }

  test("is its difference and those of the later plan changes", async () => {
    const { first, second } = await twoUpgrades();
    expect(await saidOf(second)).toEqual({
      backCents: second.amountCents,
      payments: 1,
      isWhole: true,
    });
    await expectSaid(first, {
      backCents: first.amountCents + second.amountCents,
      payments: 2,
      isWhole: true,
    });
  });

  test("deducts earlier refunds, also while a renewal waits for payment", async () => {
    const { first, second } = await twoUpgrades("weekly");
    await world.advance(5 * DAY_MS);
    await world.tick();
    expect(
      await ctx.db.$count(
        charges,
        and(eq(charges.payerId, bruno.id), eq(charges.status, "awaiting_payment")),
      ),
    ).toBe(1);
    await giveBackUnheard(second, 400);
    await expectSaid(first, {
      backCents: first.amountCents + second.amountCents - 400,
      payments: 2,
      isWhole: false,
    });
  });
});
