import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation, UniqueViolation } from "#app/db/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import {
  createCoupon,
  endCoupon,
  claimCouponStatements,
} from "#app/domain/plans/commands/coupons.server.ts";
import { erasePlansStatements } from "#app/domain/plans/commands/erasure.server.ts";
import {
  CouponCodeTaken,
  CouponExpiryInPast,
  CouponNotFound,
  CouponPlanNotFound,
} from "#app/domain/plans/errors/coupons.ts";
import { creatorCoupon } from "#app/domain/plans/queries/coupons.server.ts";
import { updatePlan } from "#app/domain/plans/commands.server.ts";
import type { CouponInput } from "#app/domain/plans/schema/coupons.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import {
  SubscriptionMethodNotOffered,
  PaymentDeclined,
  PlanPriceChanged,
} from "#app/domain/subscriptions/errors.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { coupons, couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import type { PendingCheckout } from "#tests/support/payments.ts";
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

const TERMS: CouponInput = {
  code: "VOLTA10",
  percent: 10,
  amountCents: null,
  cycles: 2,
  usesLimit: null,
  expiresAt: null,
  planIds: null,
};
const couponBy = async (page: Seller, more: Partial<CouponInput> = {}) =>
  (await createCoupon(world.ctx, { creatorId: page.id, ...TERMS, ...more })).couponId;
const wish = (
  fan: TestPerson,
  more: { coupon?: string | null; amountCents?: number; method?: "pix" | "card" } = {},
) => ({
  memberId: fan.id,
  memberName: fan.name,
  planPriceId: ana.priceId,
  method: "pix" as const,
  cardToken: null,
  coupon: "VOLTA10",
  ...more,
});
const usesCount = async (couponId: string) =>
  (await creatorCoupon(world.ctx, { couponId, creatorId: ana.id }))?.usesCount;

async function waiting(fan: TestPerson): Promise<PendingCheckout> {
  const { chargeId } = await startSubscription(world.ctx, wish(fan));
  return {
    chargeId,
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  };
}

async function paid(fan: TestPerson): Promise<string> {
  const one = await waiting(fan);
  await payAtBank(world, one);
  await world.drain();
  return one.chargeId;
}

const refusedAs = (message: string) =>
  expect.objectContaining({
    name: "CouponRefused",
    field: "coupon",
    message: `${message} Nada foi cobrado.`,
  });

/** The refused checkout left neither a charge nor a subscription. */
async function expectNothingOf(fan: TestPerson): Promise<void> {
  expect(await world.ctx.db.$count(charges, eq(charges.payerId, fan.id))).toBe(0);
  expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.fanId, fan.id))).toBe(0);
}

describe("a coupon at checkout", () => {
  test("discounts the first payment, and the fee is a share of the discounted amount", async () => {
    const couponId = await couponBy(ana);
    const chargeId = await paid(bruno);
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
      status: "succeeded",
      amountCents: 1_791,
      feeCents: 90,
      netCents: 1_701,
    });
    expect(await usesCount(couponId)).toBe(1);
  });

  test("is refused with an error at its field when it does not apply, and nothing is charged", async () => {
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toEqual(
      refusedAs("Não encontramos este cupom. Confira o código."),
    );
    await expectNothingOf(bruno);
    const other = await createSeller(world.ctx);
    await couponBy(other, { planIds: [other.planId] });
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toEqual(
      refusedAs("Não encontramos este cupom. Confira o código."),
    );
    const couponId = await couponBy(ana, { percent: 90 });
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toThrow(/abaixo de R\$\s5,00/);
    await endCoupon(world.ctx, { creatorId: ana.id, couponId });
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toEqual(
      refusedAs("Este cupom foi encerrado."),
    );
    await couponBy(ana, { expiresAt: world.ctx.now() + HOUR_MS });
    await world.advance(2 * HOUR_MS);
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toEqual(
      refusedAs("Este cupom venceu."),
    );
    await expectNothingOf(bruno);
  });

  test("that leaves under R$ 10,00 is paid by Pix only", async () => {
    await couponBy(ana, { percent: 60 });
    await expect(startSubscription(world.ctx, wish(bruno, { method: "card" }))).rejects.toThrow(
      SubscriptionMethodNotOffered,
    );
    await expect(startSubscription(world.ctx, wish(bruno))).resolves.toMatchObject({
      status: "awaiting_payment",
    });
  });

  test("is used once by each subscriber", async () => {
    const couponId = await couponBy(ana);
    const first = await waiting(bruno);
    // The database allows one live use of a coupon for each person.
    const otherClaim = {
      couponId,
      cycles: 2,
      subscriptionId: world.ctx.newId(),
      personId: bruno.id,
      chargeId: world.ctx.newId(),
    };
    await expect(
      commit(world.ctx.db, claimCouponStatements(world.ctx, otherClaim)),
    ).rejects.toThrow(UniqueViolation);
    expect(await usesCount(couponId)).toBe(1);
    // An identical checkout returns the open charge.
    expect((await startSubscription(world.ctx, wish(bruno))).chargeId).toBe(first.chargeId);
    await payAtBank(world, first);
    await world.drain();
    await requestSubscriptionCoolingOffRefund(world.ctx, {
      fanId: bruno.id,
      subscriptionId: (await chargeRow(world.ctx, first))?.purchaseId ?? "",
    });
    await world.drain();
    // The refund of the whole payment releases the use.
    expect(await usesCount(couponId)).toBe(0);
    await paid(bruno);
    expect(await usesCount(couponId)).toBe(1);
    await world.ctx.db
      .update(subscriptions)
      .set({ status: "expired" })
      .where(eq(subscriptions.fanId, bruno.id));
    await expect(startSubscription(world.ctx, wish(bruno))).rejects.toEqual(
      refusedAs("Você já usou este cupom."),
    );
  });

  test("refuses a checkout whose first price is not the one that was shown", async () => {
    const { ctx } = world;
    await couponBy(ana);
    await expect(startSubscription(ctx, wish(bruno, { amountCents: 1_990 }))).rejects.toThrow(
      PlanPriceChanged,
    );
    await expect(
      startSubscription(ctx, wish(bruno, { coupon: null, amountCents: 1_791 })),
    ).rejects.toThrow(PlanPriceChanged);
    const words = {
      name: "Camarim",
      description: "",
      benefits: [],
      seatsLimit: null,
      welcomeMessage: "",
    };
    await updatePlan(ctx, {
      creatorId: ana.id,
      planId: ana.planId,
      ...words,
      prices: [{ interval: "monthly", amountCents: 2_500 }],
    });
    // The form names a price that was retired after the page was loaded.
    await expect(
      startSubscription(ctx, wish(bruno, { coupon: null, amountCents: 1_990 })),
    ).rejects.toThrow(
      /^O preço mudou enquanto você olhava: agora é R\$\s25,00\. Nada foi cobrado\./,
    );
    await expectNothingOf(bruno);
  });
});

describe("the uses of a coupon", () => {
  test("never exceed the limit with concurrent checkouts", async () => {
    const couponId = await couponBy(ana, { usesLimit: 3 });
    const fans = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createPerson(world.ctx, `Fã ${index}`)),
    );
    const outcomes = await Promise.allSettled(
      fans.map((fan) => startSubscription(world.ctx, wish(fan))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toEqual(refusedAs("Os usos deste cupom acabaram."));
    expect(await usesCount(couponId)).toBe(3);
    await expect(
      commit(world.ctx.db, [
        world.ctx.db.update(coupons).set({ usesCount: 4 }).where(eq(coupons.id, couponId)),
      ]),
    ).rejects.toThrow(RuleViolation);
  });

  test("are released by an unpaid charge and by a declined card", async () => {
    const couponId = await couponBy(ana, { usesLimit: 1 });
    await waiting(bruno);
    const clara = await createPerson(world.ctx, "Clara");
    await expect(startSubscription(world.ctx, wish(clara))).rejects.toEqual(
      refusedAs("Os usos deste cupom acabaram."),
    );
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await usesCount(couponId)).toBe(0);
    await expect(
      startSubscription(world.ctx, { ...wish(clara), method: "card", cardToken: "tok_nothing" }),
    ).rejects.toThrow(PaymentDeclined);
    expect(await usesCount(couponId)).toBe(0);
    await paid(clara);
    expect(await usesCount(couponId)).toBe(1);
  });

  test.each([
    ["is accepted while the coupon has a use left", false, "succeeded", 1],
    ["is refunded when another payment took the last use", true, "refunded", 1],
  ])("a Pix paid late %s", async (_, isTaken, status, uses) => {
    const couponId = await couponBy(ana, { usesLimit: 1 });
    const late = await waiting(bruno);
    await world.advance(HOUR_MS);
    await world.tick();
    if (isTaken) await paid(await createPerson(world.ctx, "Clara"));
    await payAtBank(world, late);
    await world.drain();
    await world.tick();
    expect((await chargeRow(world.ctx, late))?.status).toBe(status);
    expect(await usesCount(couponId)).toBe(uses);
  });
});

test("renewals get the discount while it lasts; then a notification announces the full price before it is charged", async () => {
  const { ctx } = world;
  await couponBy(ana);
  await paid(bruno);
  const endsAt = async () =>
    (await ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id)))[0]
      ?.currentPeriodEndsAt ?? 0;
  const notified = async () =>
    (await ctx.db.select().from(notifications).where(eq(notifications.personId, bruno.id)))
      .filter(({ kind }) => kind === "subscription.full_price")
      .map(({ body }) => body.replaceAll(/\s/g, " "));
  async function nextPaid(): Promise<number> {
    await world.advance((await endsAt()) - ctx.now() - 2 * DAY_MS);
    await world.tick();
    const [open] = (
      await ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id))
    ).filter(({ status }) => status === "awaiting_payment");
    await payAtBank(world, { providerChargeId: open?.providerChargeId ?? "" });
    await world.drain();
    return open?.amountCents ?? 0;
  }
  expect(await nextPaid()).toBe(1_791);
  expect(await notified()).toEqual([]);
  await world.advance((await endsAt()) - ctx.now() - 6.5 * DAY_MS);
  await world.tick();
  await world.env.DB.prepare(
    "UPDATE outbox SET created_at = created_at - 60000 WHERE handled_at IS NULL",
  ).run();
  await world.tick();
  expect(await notified()).toEqual([
    expect.stringMatching(
      /^O desconto do cupom VOLTA10 termina: a partir de .*, Ana Lira custa R\$ 19,90\.$/,
    ),
  ]);
  expect(await nextPaid()).toBe(1_990);
  expect(await nextPaid()).toBe(1_990);
  expect(await notified()).toHaveLength(1);
});

test("a pause moves the first full-price day, and the notification follows the new day", async () => {
  const { ctx } = world;
  await couponBy(ana, { cycles: 1 });
  await paid(bruno);
  const subscription = async () =>
    (await ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id)))[0];
  const use = async () =>
    (await ctx.db.select().from(couponUses).where(eq(couponUses.personId, bruno.id)))[0];
  const memberIds = { fanId: bruno.id, subscriptionId: (await subscription())?.id ?? "" };
  const before = (await subscription())?.currentPeriodEndsAt;
  await pauseSubscription(ctx, memberIds);
  await world.advance(29 * DAY_MS);
  await runRenewals(ctx);
  expect(await use()).toMatchObject({
    notifiedAt: null,
    fullPriceAt: (await subscription())?.currentPeriodEndsAt,
  });
  await resumeSubscription(ctx, memberIds);
  const after = (await subscription())?.currentPeriodEndsAt ?? 0;
  expect(after).toBeGreaterThan(before ?? 0);
  await runRenewals(ctx);
  expect(await use()).toMatchObject({ notifiedAt: null, fullPriceAt: after });
  await world.advance(after - ctx.now() - 5 * DAY_MS);
  await runRenewals(ctx);
  expect(await use()).toMatchObject({ notifiedAt: expect.any(Number) });
});

describe("a creator's coupons", () => {
  test("have unique active codes, apply to the creator's own plans, and expire in the future", async () => {
    const { ctx } = world;
    const couponId = await couponBy(ana, { planIds: [ana.planId] });
    await expect(couponBy(ana)).rejects.toThrow(CouponCodeTaken);
    const other = await createSeller(ctx);
    await expect(couponBy(ana, { code: "OUTRO", planIds: [other.planId] })).rejects.toThrow(
      CouponPlanNotFound,
    );
    await expect(couponBy(ana, { code: "OUTRO", expiresAt: ctx.now() - 1 })).rejects.toThrow(
      CouponExpiryInPast,
    );
    await expect(endCoupon(ctx, { creatorId: other.id, couponId })).rejects.toThrow(CouponNotFound);
    await endCoupon(ctx, { creatorId: ana.id, couponId });
    await endCoupon(ctx, { creatorId: ana.id, couponId });
    await couponBy(ana);
    await expect(paid(bruno)).resolves.toEqual(expect.any(String));
  });

  test("cannot change their terms", async () => {
    const couponId = await couponBy(ana);
    for (const change of [{ percent: 20 }, { cycles: null }, { usesLimit: 1 }, { planIds: [] }]) {
      await expect(
        commit(world.ctx.db, [
          world.ctx.db.update(coupons).set(change).where(eq(coupons.id, couponId)),
        ]),
      ).rejects.toThrow(RuleViolation);
    }
    expect(await world.ctx.db.$count(couponUses, eq(couponUses.couponId, couponId))).toBe(0);
  });

  test("lose their code and end when the creator is erased", async () => {
    const couponId = await couponBy(ana, { code: "ANALIRA" });
    await commit(world.ctx.db, erasePlansStatements(world.ctx, { creatorId: ana.id }));
    expect(await creatorCoupon(world.ctx, { couponId, creatorId: ana.id })).toMatchObject({
      code: "EXCLUIDO",
      endedAt: expect.any(Number),
    });
  });
});
