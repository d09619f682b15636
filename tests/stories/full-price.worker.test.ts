import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
/** A subscription whose first period was paid with a coupon. The next one has the full price. */
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "VOLTA10",
    percent: 10,
    amountCents: null,
    cycles: 1,
    usesLimit: null,
    expiresAt: null,
    planIds: null,
  });
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    coupon: "VOLTA10",
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
});
afterEach(() => expectInvariantsToHold(world.ctx));

const mine = () => ({ fanId: bruno.id, subscriptionId });
const endsAt = async () =>
  (await subscriptionRow(world.ctx, { subscriptionId }))?.currentPeriodEndsAt ?? 0;
const daysBefore = async (days: number) =>
  await world.advance((await endsAt()) - days * DAY_MS - world.ctx.now());
const fullPriceAt = async () =>
  (
    await world.ctx.db
      .select()
      .from(couponUses)
      .where(eq(couponUses.subscriptionId, subscriptionId))
  )[0]?.fullPriceAt;

/** The first full-price days that were announced by now. */
async function told(): Promise<number[]> {
  await runRenewals(world.ctx);
  const rows = await world.ctx.db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(eq(outbox.type, "subscription.full_price"));
  const messages = rows.map(
    ({ payload }) => payload as Extract<OutboxMessage, { type: "subscription.full_price" }>,
  );
  return messages
    .filter((one) => one.subscriptionId === subscriptionId)
    .map(({ beginsAt }) => beginsAt)
    .toSorted((a, b) => a - b);
}

test("a pause after the full-price notification, resumed early, notifies the new day at once", async () => {
  await daysBefore(5);
  const first = await endsAt();
  expect(await told()).toEqual([first]);
  await pauseSubscription(world.ctx, mine());
  expect(await told()).toEqual([first]);
  await world.advance(3 * DAY_MS);
  await resumeSubscription(world.ctx, mine());
  expect(await endsAt()).toBeGreaterThan(first);
  expect(await told()).toEqual([first, await endsAt()]);
  expect(await fullPriceAt()).toBe(await endsAt());
});

test("a paused subscriber is notified before the remaining days run, which may be few", async () => {
  await daysBefore(2);
  const first = await endsAt();
  await told();
  await pauseSubscription(world.ctx, mine());
  await world.advance(27 * DAY_MS);
  expect(await told()).toEqual([first, await endsAt()]);
});

test("a vacation after the notification moves the day, which is notified a week before; so is a shortened one", async () => {
  await daysBefore(6);
  const first = await endsAt();
  expect(await told()).toEqual([first]);
  await startVacation(world.ctx, { creatorId: ana.id, days: 28 });
  await world.drain();
  const later = await endsAt();
  expect([await told(), await fullPriceAt()]).toEqual([[first], later]);
  await world.advance(4 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
  const sooner = await endsAt();
  expect([sooner > first, sooner < later]).toEqual([true, true]);
  await daysBefore(5);
  expect(await told()).toEqual([first, sooner]);
});

test("a subscriber who prepaid the full price gets no notification when a vacation moves the period", async () => {
  await daysBefore(6);
  const first = await endsAt();
  expect(await told()).toEqual([first]);
  const { chargeId } = await prepayPeriods(world.ctx, { ...mine(), periods: 3 });
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  await startVacation(world.ctx, { creatorId: ana.id, days: 14 });
  await world.drain();
  await world.advance(15 * DAY_MS);
  expect(await told()).toEqual([first]);
});
