import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import {
  CreatorOnVacation,
  VacationNotRunning,
  VacationTooSoon,
} from "#app/domain/plans/errors/vacations.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { shiftSubscribersForVacation } from "#app/domain/subscriptions/vacation-sweep/commands.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { availableActions } from "#app/domain/subscriptions/overview/rules.ts";
import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { mandateSubscriber, debitsOf } from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { closeTo, vacationHelpers } from "#tests/support/vacations.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { chargesOf, row, open, coveredMs, notified, away, back, wait, byCard } = vacationHelpers(
  () => ({
    world,
    seller: ana,
  }),
);

describe("a Pix subscription with an open renewal code, in a vacation", () => {
  test("is moved by the same days and its code is canceled; no charge follows until the return", async () => {
    const { purchaseId: id } = await paidSubscription(world, bruno, ana);
    await wait((await row(id)).currentPeriodEndsAt - world.ctx.now() - 2 * DAY_MS);
    const [[sent], before, paidMs] = [await open(id), await row(id), await coveredMs(id)];
    const { endsAt } = await away(14);
    expect(await row(id)).toMatchObject({
      status: "active",
      currentPeriodEndsAt: before.currentPeriodEndsAt + 14 * DAY_MS,
      accessUntil: before.accessUntil + 14 * DAY_MS,
      anchorAt: before.currentPeriodEndsAt + 14 * DAY_MS,
    });
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("canceled");
    expect(await coveredMs(id)).toBe(paidMs);
    expect(await notified(bruno.id, "vacation.began")).toHaveLength(1);
    // A late payment of the code is refunded, and nothing moves.
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("refunded");
    // The actions refused in the meantime.
    const memberIds = { fanId: bruno.id, subscriptionId: id };
    await expect(pauseSubscription(world.ctx, memberIds)).rejects.toThrow(CreatorOnVacation);
    await expect(prepayPeriods(world.ctx, { ...memberIds, periods: 3 })).rejects.toThrow(
      CreatorOnVacation,
    );
    await expect(pixCheckout(world, await createPerson(world.ctx), ana)).rejects.toThrow(
      CreatorOnVacation,
    );
    const view = await fanSubscription(world.ctx, memberIds);
    expect(view).toMatchObject({ awayUntil: endsAt, vacationMs: 14 * DAY_MS });
    expect(view && availableActions(view, world.ctx.now())).toEqual(["payment_method", "cancel"]);
    await wait(13 * DAY_MS);
    expect([await open(id), (await chargesOf(id)).length]).toEqual([[], 2]);
    await wait(DAY_MS + MINUTE_MS);
    const [again] = await open(id);
    await payAtBank(world, { providerChargeId: again?.providerChargeId ?? "" });
    await world.drain();
    expect(await row(id)).toMatchObject({
      status: "active",
      currentPeriodStartsAt: before.currentPeriodEndsAt + 14 * DAY_MS,
    });
    await expect(returnFromVacation(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      VacationNotRunning,
    );
    await expect(startVacation(world.ctx, { creatorId: ana.id, days: 7 })).rejects.toThrow(
      VacationTooSoon,
    );
  });

  test("on an early return, is moved back once by the days not taken, however often and by whom it is asked", async () => {
    const { purchaseId: id } = await paidSubscription(world, bruno, ana);
    await world.advance(10 * DAY_MS);
    const before = await row(id);
    const { vacationId } = await away(30);
    await world.advance(5 * DAY_MS);
    await returnFromVacation(world.ctx, { creatorId: ana.id });
    await Promise.all([
      advanceSubscription(world.ctx, { subscriptionId: id }),
      shiftSubscribersForVacation(world.ctx, { vacationId }),
      shiftSubscribersForVacation(world.ctx, { vacationId }),
    ]);
    await world.drain();
    await shiftSubscribersForVacation(world.ctx, { vacationId });
    expect(await row(id)).toMatchObject({
      currentPeriodEndsAt: closeTo(before.currentPeriodEndsAt + 5 * DAY_MS),
      accessUntil: closeTo(before.accessUntil + 5 * DAY_MS),
    });
    expect(await notified(bruno.id, "vacation.cut_short")).toEqual([
      expect.stringContaining("5 dias mais longa"),
    ]);
    expect(await fanSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id })).toMatchObject(
      {
        awayUntil: null,
        vacationMs: closeTo(5 * DAY_MS),
      },
    );
    expect((await paidSubscription(world, await createPerson(world.ctx), ana)).status).toBe(
      "succeeded",
    );
  });
});

test("a card is not charged in a vacation, even if nothing was moved; after an early return it waits for its reminder", async () => {
  const id = await byCard(bruno);
  const before = await row(id);
  await world.advance(before.currentPeriodEndsAt - world.ctx.now() - HOUR_MS);
  await startVacation(world.ctx, { creatorId: ana.id, days: 20 });
  world.queued.length = 0;
  await world.advance(2 * HOUR_MS);
  await advanceSubscription(world.ctx, { subscriptionId: id });
  expect(await row(id)).toMatchObject({
    status: "active",
    currentPeriodEndsAt: before.currentPeriodEndsAt + 20 * DAY_MS,
  });
  await wait(6 * DAY_MS);
  expect(await chargesOf(id)).toHaveLength(1);
  await back();
  expect((await row(id)).currentPeriodEndsAt).toEqual(closeTo(addDays(world.ctx.now(), 3)));
  await world.tick();
  expect([(await chargesOf(id)).length, await notified(bruno.id, "subscription.reminded")]).toEqual(
    [1, [expect.stringContaining("renova em")]],
  );
  await wait(3 * DAY_MS + MINUTE_MS);
  expect((await chargesOf(id)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

test("a past-due subscription keeps its grace period and is charged after the return; a canceled one keeps its days", async () => {
  const carla = await createPerson(world.ctx, "Carla");
  const { purchaseId: late } = await paidSubscription(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const { purchaseId: left } = await paidSubscription(world, carla, ana);
  await cancelSubscription(world.ctx, { fanId: carla.id, subscriptionId: left });
  await wait((await row(late)).currentPeriodEndsAt - world.ctx.now() - HOUR_MS);
  await wait(2 * DAY_MS);
  const canceled = await row(left);
  const before = await row(late);
  expect(before.status).toBe("past_due");
  const [due] = await open(late);
  await away(10);
  expect(await row(late)).toMatchObject({
    status: "past_due",
    accessUntil: before.accessUntil + 10 * DAY_MS,
  });
  expect((await row(left)).accessUntil).toBe(canceled.accessUntil + 10 * DAY_MS);
  expect((await chargeRow(world.ctx, { chargeId: due?.id ?? "" }))?.status).toBe("canceled");
  await expect(
    reactivateSubscription(world.ctx, { fanId: carla.id, subscriptionId: left }),
  ).rejects.toThrow(CreatorOnVacation);
  await wait(9 * DAY_MS);
  expect([
    (await row(late)).status,
    await open(late),
    givesAccess(await row(late), world.ctx.now()),
  ]).toEqual(["past_due", [], true]);
  await wait(DAY_MS + MINUTE_MS);
  const [again] = await open(late);
  await payAtBank(world, { providerChargeId: again?.providerChargeId ?? "" });
  await world.drain();
  expect(await row(late)).toMatchObject({
    status: "active",
    currentPeriodStartsAt: before.currentPeriodEndsAt + 10 * DAY_MS,
  });
});

test("a trial without a card has three days to be paid after the return; none starts during a vacation", async () => {
  ana = await createSeller(world.ctx, { amountCents: 3_000, trialDays: 7 });
  const trial = (fan: TestPerson) =>
    startTrial(world.ctx, {
      memberId: fan.id,
      memberName: fan.name,
      planPriceId: ana.priceId,
      method: "pix",
      cardToken: null,
      trialDays: 7,
    });
  const started = await trial(await createTrialPerson(world.ctx));
  if (started.kind !== "began") throw new Error("no trial");
  await wait(6 * DAY_MS);
  const { endsAt } = await away(7);
  expect(await row(started.subscriptionId)).toMatchObject({
    status: "trialing",
    currentPeriodEndsAt: addDays(endsAt, 3),
    accessUntil: addDays(endsAt, 3),
  });
  await expect(trial(await createPerson(world.ctx))).rejects.toThrow(CreatorOnVacation);
  await wait(7 * DAY_MS + MINUTE_MS);
  const [sent] = await open(started.subscriptionId);
  expect(sent?.expiresAt).toBe(addDays(endsAt, 3));
  await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
  await world.drain();
  expect(await row(started.subscriptionId)).toMatchObject({
    status: "active",
    currentPeriodStartsAt: addDays(endsAt, 3),
  });
});

test("a paused subscription is moved when it resumes or is canceled, with all of its days", async () => {
  const carla = await createPerson(world.ctx, "Carla");
  const [{ purchaseId: resumed }, { purchaseId: canceled }] = [
    await paidSubscription(world, bruno, ana),
    await paidSubscription(world, carla, ana),
  ];
  await world.advance(10 * DAY_MS);
  const [shifted, shiftedToo] = [
    (await row(resumed)).accessUntil - world.ctx.now(),
    (await row(canceled)).accessUntil - world.ctx.now(),
  ];
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: resumed });
  await pauseSubscription(world.ctx, { fanId: carla.id, subscriptionId: canceled });
  await world.advance(DAY_MS);
  const { endsAt } = await away(20);
  expect(
    await world.ctx.db.$count(vacationShifts, eq(vacationShifts.subscriptionId, resumed)),
  ).toBe(0);
  await world.advance(5 * DAY_MS);
  await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId: resumed });
  await cancelSubscription(world.ctx, { fanId: carla.id, subscriptionId: canceled });
  await world.drain();
  expect(await row(resumed)).toMatchObject({
    status: "active",
    accessUntil: closeTo(endsAt + shifted),
  });
  expect(await row(canceled)).toMatchObject({
    status: "canceled",
    accessUntil: closeTo(endsAt + shiftedToo),
  });
  await world.advance(5 * DAY_MS);
  await back();
  expect((await row(resumed)).accessUntil).toEqual(closeTo(world.ctx.now() + shifted));
  expect((await row(canceled)).accessUntil).toEqual(closeTo(world.ctx.now() + shiftedToo));
});

test("a Pix Automático debit already at the bank is canceled", async () => {
  const code = await mandateSubscriber(world, bruno, ana);
  await wait((await row(code.subscriptionId)).currentPeriodEndsAt - world.ctx.now() - 4 * DAY_MS);
  const [ordered] = await debitsOf(world, code);
  expect(ordered?.status).toBe("processing");
  await away(7);
  const status = async () => (await chargeRow(world.ctx, { chargeId: ordered?.id ?? "" }))?.status;
  await wait(2 * MINUTE_MS);
  expect(await status()).toBe("canceled");
  await wait(7 * DAY_MS);
  expect(
    (await debitsOf(world, code)).filter(
      (one) => one.status === "processing" && one.periodStartsAt !== ordered?.periodStartsAt,
    ),
  ).toHaveLength(1);
});
