import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let newPriceId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000 });
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
  // The 30 days of notice end after this month, whatever its length.
  await world.advance(2 * DAY_MS);
  newPriceId = await proposedPrice(world, ana, 2_500, "monthly");
  await answer("accepted");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { memberIds, row, answer, nextCents, untilRenewal, renewals, consents } = priceChangeHelpers(
  () => ({
    world,
    fan: bruno,
    subscriptionId,
  }),
);

/** Creates a charge for three prepaid months by Pix, paid or open. */
async function prepaid(amountCents: number, { isPaid }: { isPaid: boolean }): Promise<string> {
  const { chargeId } = await prepayPeriods(world.ctx, { ...memberIds(), periods: 3, amountCents });
  if (isPaid)
    await payAtBank(world, {
      providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
    });
  await world.drain();
  return chargeId;
}

/** Refunds the whole charge as the creator. */
async function givenBack(chargeId: string): Promise<void> {
  const { amountCents = 0 } = (await chargeRow(world.ctx, { chargeId })) ?? {};
  await refundCharge(world.ctx, {
    chargeId,
    sellerId: ana.id,
    decidedBy: ana.id,
    refundId: world.ctx.newId(),
    amountCents,
    reason: "",
  });
  await world.drain();
}

test.each([
  ["that expired", true],
  ["that is still open", false],
] as const)(
  "a refund that moves the next period before the effective date restores the old price, after a code %s at the new one",
  async (_what, runsOut) => {
    const paid = await prepaid(6_000, { isPaid: true });
    const code = await prepaid(7_500, { isPaid: false });
    expect(await row()).toMatchObject({ amountCents: 2_500, planPriceId: newPriceId });
    if (runsOut) {
      await world.advance(HOUR_MS);
      await reconcileCharge(world.ctx, { chargeId: code });
    }
    await givenBack(paid);
    expect(await row()).toMatchObject({ amountCents: 2_000, planPriceId: ana.priceId });
    expect(await consents()).toMatchObject([{ state: "accepted", appliedAt: null }]);
    expect(await nextCents()).toBe(2_000);
    await untilRenewal(-2 * DAY_MS);
    const [next] = (await renewals()).toReversed();
    expect(next).toMatchObject({ amountCents: 2_000, status: "awaiting_payment" });
    // The accepted price applies from the effective date on.
    await payAtBank(world, { providerChargeId: next?.providerChargeId ?? "" });
    await world.drain();
    expect(await nextCents()).toBe(2_500);
    await untilRenewal(-2 * DAY_MS);
    expect(await row()).toMatchObject({ amountCents: 2_500, planPriceId: newPriceId });
  },
);

test("a withdrawn price change is not applied again after its price was reverted", async () => {
  const paid = await prepaid(6_000, { isPaid: true });
  await prepaid(7_500, { isPaid: false });
  await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
  await givenBack(paid);
  expect(await row()).toMatchObject({ amountCents: 2_000, planPriceId: ana.priceId });
  expect(await nextCents()).toBe(2_000);
});

test.each([
  ["is canceled", false],
  [
    "its provider does not cancel yet: its payment would be refunded, and the old price holds",
    true,
  ],
] as const)(
  "a subscriber who then keeps the old price has a code at the new one that %s",
  async (_what, isUnclear) => {
    const paid = await prepaid(6_000, { isPaid: true });
    const code = await prepaid(7_500, { isPaid: false });
    await givenBack(paid);
    const { cancelCharge } = world.ctx.payments;
    if (isUnclear)
      world.ctx.payments.cancelCharge = () => Promise.reject(new ProviderUnclear("no answer"));
    await answer("kept");
    world.ctx.payments.cancelCharge = cancelCharge;
    expect((await chargeRow(world.ctx, { chargeId: code }))?.status).toBe(
      isUnclear ? "awaiting_payment" : "canceled",
    );
    expect((await invariantFindings(world.ctx)).filter(({ rows }) => rows.length > 0)).toEqual([]);
    if (!isUnclear) return;
    await payAtBank(world, {
      providerChargeId: (await chargeRow(world.ctx, { chargeId: code }))?.providerChargeId ?? "",
    });
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: code }))?.status).toBe("refunded");
  },
);

test("a refund of periods after the effective date keeps the new price", async () => {
  await prepaid(6_000, { isPaid: true });
  const later = await prepaid(7_500, { isPaid: true });
  await givenBack(later);
  expect(await row()).toMatchObject({ amountCents: 2_500, planPriceId: newPriceId });
  expect(await nextCents()).toBe(2_500);
});

test("the database refuses a price before its effective date, and an invariant finds one", async () => {
  const { db } = world.ctx;
  const raised = db
    .update(subscriptions)
    .set({ planPriceId: newPriceId, amountCents: 2_500 })
    .where(eq(subscriptions.id, subscriptionId));
  await expect(commit(db, [raised])).rejects.toThrow(new RuleViolation("price_not_agreed"));
  const found = async () =>
    (await invariantFindings(world.ctx)).find(({ name }) => name === "prices_dated")?.rows;
  expect(await found()).toEqual([]);
  const paid = await prepaid(6_000, { isPaid: true });
  await prepaid(7_500, { isPaid: false });
  expect(await found()).toEqual([]);
  const { currentPeriodEndsAt } = await row();
  const endsAt = (at: number | null) =>
    db
      .update(subscriptions)
      .set({ currentPeriodEndsAt: at })
      .where(eq(subscriptions.id, subscriptionId));
  await endsAt((await renewals())[0]?.periodStartsAt ?? 0);
  expect(await found()).toEqual([{ id: subscriptionId }]);
  await endsAt(currentPeriodEndsAt);
  await givenBack(paid);
});
