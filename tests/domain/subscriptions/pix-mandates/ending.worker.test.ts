import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import {
  createPixMandate,
  endPixMandate,
} from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  PixMandateAlreadyActive,
  PixMandateNotFound,
} from "#app/domain/subscriptions/pix-mandates/errors.ts";
import { DAY_MS, HOUR_MS, instantOfIsoDay } from "#app/domain/time.ts";
import {
  atBank,
  mandateAtProvider,
  mandateOf,
  mandateCheckout,
  mandateSubscriber,
  subscriptionChargesOf,
  mandateCodeOf,
  debitsOf,
  mandateHelpers,
  debitInstructionsOf,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
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

const { memberIds, emails, startsNext, goTo } = mandateHelpers(() => ({ world, fan: bruno }));

describe("ending a Pix Automático subscription", () => {
  test("a cancellation cancels the debit, and reactivation orders it again", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await cancelSubscription(world.ctx, memberIds(code));
    expect((await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.status).toBe("canceled");
    expect(await debitInstructionsOf(debit as never)).toMatchObject([{ status: "canceled" }]);
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "canceled",
      recurringPixId: code.mandateId,
    });
    await reactivateSubscription(world.ctx, memberIds(code));
    expect((await debitsOf(world, code)).map(({ status }) => status)).toEqual([
      "canceled",
      "processing",
    ]);
  });

  test.each([
    ["canceled", cancelSubscription],
    ["paused", pauseSubscription],
  ])(
    "a subscription %s too late for the bank is debited, and the debit is refunded at once",
    async (status, stop) => {
      const code = await mandateSubscriber(world, bruno, ana);
      const startsAt = await startsNext(code);
      await goTo(code, -4.5);
      const [debit] = await debitsOf(world, code);
      await world.advance(instantOfIsoDay(debit?.debitOn ?? "") - HOUR_MS - world.ctx.now());
      await stop(world.ctx, memberIds(code));
      expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({
        status: "processing",
      });
      await goTo(code, -0.2, startsAt);
      expect(await subscriptionRowOf(world, code)).toMatchObject({ status });
      expect(await refundsOfCharge(world.ctx, debit?.id ?? "")).toEqual([
        { status: "succeeded", amountCents: 1_990 },
      ]);
    },
  );

  test("a crash between the cancellation and the provider call is repaired by the cron", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await world.ctx.db.run(
      `UPDATE subscriptions SET status = 'canceled' WHERE id = '${code.subscriptionId}'`,
    );
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await debitInstructionsOf(debit as never)).toMatchObject([{ status: "canceled" }]);
  });

  test("a cooling-off refund ends the subscription and cancels the mandate at the provider", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    await requestSubscriptionCoolingOffRefund(world.ctx, memberIds(code));
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "expired",
      recurringPixId: null,
    });
    expect(await mandateAtProvider(code)).toBe("canceled");
    expect(await emails("foi encerrado")).toEqual([]);
  });

  test("a mandate canceled at the bank fails the debit, notifies the subscriber, and a Pix code follows", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    await atBank(world, `recurring/${code.recurringPixId}/cancel`);
    await world.drain();
    await world.tick();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      recurringPixId: null,
    });
    expect((await debitsOf(world, code)).map(({ status }) => status)).toEqual(["failed"]);
    expect(await emails("foi encerrado")).toHaveLength(1);
    await goTo(code, -2.9);
    expect((await subscriptionChargesOf(world, code)).at(-1)).toMatchObject({
      status: "awaiting_payment",
      debitOn: null,
    });
  });

  test("a mandate canceled by the subscriber here cancels the debit, and a Pix code follows", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    const stranger = await createPerson(world.ctx);
    await expect(
      endPixMandate(world.ctx, { fanId: stranger.id, subscriptionId: code.subscriptionId }),
    ).rejects.toThrow(SubscriptionNotFound);
    await goTo(code, -4.5);
    await endPixMandate(world.ctx, memberIds(code));
    expect(await mandateAtProvider(code)).toBe("canceled");
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      recurringPixId: null,
    });
    await expect(endPixMandate(world.ctx, memberIds(code))).rejects.toThrow(PixMandateNotFound);
    await goTo(code, -2.9);
    const [, debit, sent] = await subscriptionChargesOf(world, code);
    expect(debit).toMatchObject({ status: "canceled" });
    expect(sent).toMatchObject({ status: "awaiting_payment", debitOn: null });
  });

  test("a mandate canceled at the bank without a webhook event is found within a day", async () => {
    const quiet = await testContext({ webhooks: false });
    const code = await mandateCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    await quiet.advance(31 * 60_000);
    await quiet.tick();
    await quiet.tick();
    await atBank(quiet, `recurring/${code.recurringPixId}/cancel`);
    await quiet.advance(DAY_MS + 60_000);
    await quiet.tick();
    expect(await subscriptionRowOf(quiet, code)).toMatchObject({
      status: "active",
      recurringPixId: null,
    });
  });
});

describe("changing to Pix Automático", () => {
  test("one code pays the next period now, and later periods are debited", async () => {
    const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    const startsAt = await startsNext({ subscriptionId });
    const { chargeId } = await createPixMandate(world.ctx, memberIds({ subscriptionId }));
    expect((await createPixMandate(world.ctx, memberIds({ subscriptionId }))).chargeId).toBe(
      chargeId,
    );
    const code = await mandateCodeOf(world, chargeId);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    const row = await subscriptionRowOf(world, code);
    expect(row).toMatchObject({
      status: "active",
      currentPeriodStartsAt: startsAt,
      recurringPixId: code.mandateId,
    });
    await expect(createPixMandate(world.ctx, memberIds({ subscriptionId }))).rejects.toThrow(
      PixMandateAlreadyActive,
    );
    await goTo(code, -4.5);
    expect(await debitsOf(world, code)).toMatchObject([
      { status: "processing", periodStartsAt: row.currentPeriodEndsAt },
    ]);
  });

  test("an unpaid code changes nothing: the renewal code is sent on its day", async () => {
    const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    const { chargeId } = await createPixMandate(world.ctx, memberIds({ subscriptionId }));
    const code = await mandateCodeOf(world, chargeId);
    await world.advance(31 * 60_000);
    await world.tick();
    await world.tick();
    expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("expired");
    expect(["expired", "canceled"]).toContain((await mandateOf(world, code.mandateId)).status);
    await goTo({ subscriptionId }, -2.9);
    expect((await subscriptionChargesOf(world, { subscriptionId })).at(-1)).toMatchObject({
      status: "awaiting_payment",
      recurringPixId: null,
    });
  });

  test("past due, the code pays the overdue period", async () => {
    const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    const startsAt = await startsNext({ subscriptionId });
    await goTo({ subscriptionId }, -2.9);
    await goTo({ subscriptionId }, 1, startsAt);
    expect((await subscriptionRowOf(world, { subscriptionId })).status).toBe("past_due");
    const code = await mandateCodeOf(
      world,
      (await createPixMandate(world.ctx, memberIds({ subscriptionId }))).chargeId,
    );
    expect(
      (await subscriptionChargesOf(world, { subscriptionId })).map(({ status }) => status),
    ).toEqual(["succeeded", "canceled", "awaiting_payment"]);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      currentPeriodStartsAt: startsAt,
      recurringPixId: code.mandateId,
    });
  });

  test("past due, an unpaid code is followed by the emailed renewal code of the overdue period", async () => {
    const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    const startsAt = await startsNext({ subscriptionId });
    await goTo({ subscriptionId }, -2.9);
    await goTo({ subscriptionId }, 1, startsAt);
    const { chargeId } = await createPixMandate(world.ctx, memberIds({ subscriptionId }));
    const mailed = (await emails("Renove sua assinatura")).length;
    await world.advance(31 * 60_000);
    await world.tick();
    await world.tick();
    expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("expired");
    expect((await subscriptionChargesOf(world, { subscriptionId })).at(-1)).toMatchObject({
      status: "awaiting_payment",
      recurringPixId: null,
      periodStartsAt: startsAt,
    });
    expect(await emails("Renove sua assinatura")).toHaveLength(mailed + 1);
  });
});
