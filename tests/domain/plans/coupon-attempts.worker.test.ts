import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { lookUpCoupon } from "#app/domain/plans/commands/coupon-attempts.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { couponShown } from "#app/routes/checkout/coupon.server.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
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
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "VOLTA10",
    percent: 10,
    amountCents: null,
    cycles: 2,
    usesLimit: null,
    expiresAt: null,
    planIds: null,
  });
});
afterEach(() => expectInvariantsToHold(world.ctx));

const tried = async (code: string, triedBy = bruno.id) =>
  (
    await lookUpCoupon(world.ctx, {
      triedBy,
      memberId: bruno.id,
      creatorId: ana.id,
      planId: ana.planId,
      priceCents: 1_990,
      code,
    })
  ).problem;
const guesses = async (count: number, by = bruno.id) =>
  await Promise.all(Array.from({ length: count }, (_, index) => tried(`CHUTE${index}`, by)));
const checkout = (coupon: string | null) => ({
  memberId: bruno.id,
  memberName: bruno.name,
  planPriceId: ana.priceId,
  method: "pix" as const,
  cardToken: null,
  coupon,
});

describe("coupon code guessing", () => {
  test("stops after ten wrong codes, however many come at once; then even a right code is not looked up", async () => {
    const said = await guesses(30);
    expect(said.filter((problem) => problem === "unknown")).toHaveLength(10);
    expect(said.filter((problem) => problem === "too_many")).toHaveLength(20);
    expect(await tried("VOLTA10")).toBe("too_many");
    await expect(startSubscription(world.ctx, checkout("VOLTA10"))).rejects.toMatchObject({
      field: "coupon",
      message: "Foram muitos códigos errados. Tente de novo mais tarde. Nada foi cobrado.",
    });
    expect(await tried("VOLTA10", "address:another")).toBeNull();
  });

  test("is allowed again after ten minutes, and at most sixty times a day", async () => {
    for (let round = 0; round < 6; round += 1) {
      expect(new Set(await guesses(10))).toEqual(new Set(["unknown"]));
      await world.advance(10 * MINUTE_MS);
    }
    expect(await tried("CHUTE")).toBe("too_many");
    await world.advance(DAY_MS);
    expect(await tried("VOLTA10")).toBeNull();
  });

  test("does not count a valid code, however often its price is shown", async () => {
    for (let look = 0; look < 12; look += 1) expect(await tried("VOLTA10")).toBeNull();
    expect(await tried("CHUTE")).toBe("unknown");
  });

  test("is refused with a message on the checkout page", async () => {
    await guesses(10);
    const offer = await planOffer(world.ctx, { planId: ana.planId, buyerId: bruno.id });
    if (!offer) throw new Error("nothing is sold");
    expect(
      await couponShown(world.ctx, { memberId: bruno.id, offer, code: "VOLTA10" }),
    ).toMatchObject({
      discount: null,
      problem: "Foram muitos códigos errados. Tente de novo mais tarde.",
    });
  });
});

test("a code without a discount keeps the open payment; a code with one replaces it", async () => {
  const { chargeId } = await startSubscription(world.ctx, checkout(null));
  await expect(startSubscription(world.ctx, checkout("NADA"))).rejects.toMatchObject({
    name: "CouponRefused",
  });
  expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "awaiting_payment" });
  const other = await startSubscription(world.ctx, checkout("VOLTA10"));
  expect(other.chargeId).not.toBe(chargeId);
  expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "canceled" });
  expect(await chargeRow(world.ctx, other)).toMatchObject({
    amountCents: 1_791,
    status: "awaiting_payment",
  });
});
