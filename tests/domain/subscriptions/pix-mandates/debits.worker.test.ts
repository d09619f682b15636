import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { requestRenewalCode } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { DebitInProgress, NothingToPay } from "#app/domain/subscriptions/pix-mandates/errors.ts";
import { scheduledDebitDay } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { DAY_MS, HOUR_MS, instantOfIsoDay, MINUTE_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import {
  atBank,
  mandateAtProvider,
  mandateSubscriber,
  subscriptionChargesOf,
  debitsOf,
  mandateHelpers,
  debitInstructionsOf,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";

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

describe("renewals by Pix Automático", () => {
  test("one debit is ordered five days before the end, for the day before it, and extends the period without drift", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    const before = await subscriptionRowOf(world, code);
    await goTo(code, -5.5);
    expect(await debitsOf(world, code)).toEqual([]);
    await goTo(code, -4.5);
    await goTo(code, -2);
    const [debit, ...more] = await debitsOf(world, code);
    expect(more).toEqual([]);
    expect(debit).toMatchObject({
      status: "processing",
      amountCents: 1_990,
      debitOn: scheduledDebitDay(before.currentPeriodEndsAt ?? 0),
      periodStartsAt: before.currentPeriodEndsAt,
    });
    expect(await debitInstructionsOf(debit as never)).toMatchObject([
      { status: "scheduled", due_on: debit?.debitOn },
    ]);
    // No Pix code is created in addition to the debit.
    expect(await subscriptionChargesOf(world, code)).toHaveLength(2);
    await goTo(code, -0.1);
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      currentPeriodStartsAt: before.currentPeriodEndsAt,
    });
    expect(await emails("em atraso")).toEqual([]);
  });

  test(
    "a refused debit is retried three times while the access stays; then a Pix code pays it, and the mandate stays",
    { timeout: 90_000 },
    async () => {
      const code = await mandateSubscriber(world, bruno, ana);
      const startsAt = await startsNext(code);
      await goTo(code, -4.5);
      const [debit] = await debitsOf(world, code);
      for (const [index, days] of [-0.9, 1.1, 3.1, 5.1].entries()) {
        await world.advance(startsAt + (days - 0.5) * DAY_MS - world.ctx.now() - 12 * HOUR_MS);
        const orders = await debitInstructionsOf(debit as never);
        expect(orders).toHaveLength(index + 1);
        await atBank(world, `instructions/${orders.at(-1)?.id}/refuse`);
        await world.drain();
        await world.tick();
      }
      expect(await debitInstructionsOf(debit as never)).toHaveLength(4);
      expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({
        status: "failed",
        failureCode: "insufficient_funds",
      });
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "past_due",
        recurringPixId: code.mandateId,
      });
      await sweepOutbox({ ...world.ctx, realNow: () => testClock.now() + MINUTE_MS });
      expect(await emails("não passou")).toHaveLength(1);
      const { chargeId } = await requestRenewalCode(world.ctx, memberIds(code));
      expect((await requestRenewalCode(world.ctx, memberIds(code))).chargeId).toBe(chargeId);
      await payAtBank(world, {
        providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
      });
      await world.drain();
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "active",
        currentPeriodStartsAt: startsAt,
        recurringPixId: code.mandateId,
      });
      // The next period is debited again.
      await goTo(code, -4.5);
      expect((await debitsOf(world, code)).at(-1)).toMatchObject({ status: "processing" });
    },
  );

  test("a refused debit that the bank pays later renews the subscription, and a Pix code paid too is refunded", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await atBank(
      world,
      `instructions/${(await debitInstructionsOf(debit as never))[0]?.id}/refuse`,
    );
    await world.drain();
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({
      status: "processing",
      failureCode: "insufficient_funds",
    });
    const { chargeId } = await requestRenewalCode(world.ctx, memberIds(code));
    expect((await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.status).toBe("failed");
    // The bank debits it after all.
    await world.env.PSP_DB.prepare(
      "UPDATE charges SET status = 'succeeded', succeeded_at = ?, settles_at = ? WHERE id = ?",
    )
      .bind(world.ctx.now(), world.ctx.now(), debit?.providerChargeId)
      .run();
    await payAtBank(world, {
      providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
    });
    await world.drain();
    const id = world.ctx.newId();
    await world.ctx.db.insert(inbox).values({
      id,
      provider: "sandbox",
      providerEventId: id,
      type: "charge",
      objectId: debit?.providerChargeId ?? "",
      body: "{}",
      receivedAt: 0,
    });
    await world.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
    await world.drain();
    await world.tick();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      currentPeriodStartsAt: startsAt,
    });
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "succeeded" });
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({
      status: "refunded",
    });
  });

  test("no Pix code is created while a debit order at the bank can no longer be canceled", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    await expect(requestRenewalCode(world.ctx, memberIds(code))).rejects.toThrow(NothingToPay);
    const [debit] = await debitsOf(world, code);
    // One hour before the debit day, at whatever time the test runs. Banks debit in the morning.
    await world.advance(instantOfIsoDay(debit?.debitOn ?? "") - HOUR_MS - world.ctx.now());
    await atBank(
      world,
      `instructions/${(await debitInstructionsOf(debit as never))[0]?.id}/refuse`,
    );
    await world.drain();
    await goTo(code, 0.1, startsAt);
    const again = (await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.debitOn ?? "";
    expect(await subscriptionRowOf(world, code)).toMatchObject({ status: "past_due" });
    await world.advance(instantOfIsoDay(again) - HOUR_MS - world.ctx.now());
    await expect(requestRenewalCode(world.ctx, memberIds(code))).rejects.toThrow(DebitInProgress);
    expect(
      (await subscriptionChargesOf(world, code)).filter(
        ({ status }) => status === "awaiting_payment",
      ),
    ).toEqual([]);
  });

  test("unpaid through the grace days, the subscription expires and the mandate is canceled at the provider", async () => {
    const code = await mandateSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await world.env.PSP_DB.prepare("UPDATE instructions SET due_at = ? WHERE charge_id = ?")
      .bind(startsAt + 90 * DAY_MS, debit?.providerChargeId)
      .run();
    await goTo(code, 0.1, startsAt);
    expect((await subscriptionRowOf(world, code)).status).toBe("past_due");
    await goTo(code, 7.1, startsAt);
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "expired",
      recurringPixId: null,
    });
    expect(await mandateAtProvider(code)).toBe("canceled");
  });
});
