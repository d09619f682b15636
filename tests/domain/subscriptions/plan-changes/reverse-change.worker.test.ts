import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  SubscriptionUnderDispute,
  SubscriptionCoolingOffExpired,
} from "#app/domain/subscriptions/errors.ts";
import { PlanChangeRefused } from "#app/domain/subscriptions/plan-changes/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  planChangeHelpers,
  otherPlan,
  createPlanChangeScenario,
  openUpgrade,
  paidUpgrade,
} from "#tests/support/plan-changes.ts";
import type { OtherPlan, PlanChangeScenario } from "#tests/support/plan-changes.ts";

let stage: PlanChangeScenario;
let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let palco: OtherPlan;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
  ({ world, ana, bruno, subscriptionId, palco } = stage);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const {
  row,
  wait,
  chargesNow,
  memberIds,
  to,
  untilRenewal,
  statusOf,
  states,
  notified,
  seats,
  heldCents,
} = planChangeHelpers(() => stage);

describe("refunding the difference of a plan change", () => {
  test("a cooling-off refund within seven days returns all of it and restores the previous plan and period", async () => {
    await wait(10 * DAY_MS);
    const before = await row();
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    await wait(3 * DAY_MS);
    await requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id });
    await world.drain();
    expect(await statusOf(difference.id)).toBe("refunded");
    expect(await row()).toMatchObject({
      status: "active",
      planId: ana.planId,
      amountCents: 3_000,
      currentPeriodEndsAt: before.currentPeriodEndsAt,
      accessUntil: before.accessUntil,
    });
    expect(await seats()).toEqual([1, 0, 0]);
    expect(await states()).toEqual(["reversed"]);
    expect(await notified("subscription.plan_changed")).toContain(
      "A sua assinatura de Ana Lira voltou para Camarim: R$\u00a030,00 por mês.",
    );
    await expect(
      requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id }),
    ).rejects.toThrow(SubscriptionCoolingOffExpired);
    // The change can be made again.
    await paidUpgrade(world, to(palco.prices.monthly));
    expect((await row()).planId).toBe(palco.planId);
  });

  test("a cooling-off refund of the subscription is not offered while one of its payments is under dispute", async () => {
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    const [first] = await chargesNow();
    const { providerDisputeId } = await openDisputeOn(world, difference);
    const canBeReversed = async () =>
      (
        await transactionForViewer(world.ctx, {
          chargeId: first?.id ?? "",
          personId: bruno.id,
          isOwn: true,
          isModerator: false,
        })
      )?.isInCoolingOff;
    expect(await canBeReversed()).toBe(false);
    await expect(requestSubscriptionCoolingOffRefund(world.ctx, memberIds())).rejects.toThrow(
      SubscriptionUnderDispute,
    );
    expect([await statusOf(first?.id ?? ""), (await row()).status]).toEqual([
      "succeeded",
      "active",
    ]);
    await decideDisputeAtProvider(world, providerDisputeId, "win");
    expect(await canBeReversed()).toBe(true);
    await requestSubscriptionCoolingOffRefund(world.ctx, memberIds());
    await world.drain();
    expect([await statusOf(first?.id ?? ""), await statusOf(difference.id)]).toEqual([
      "refunded",
      "refunded",
    ]);
  });

  test("a dispute that opens during a cooling-off refund stops the refund", async () => {
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    const [first] = await chargesNow();
    const disputes = async () => void (await openDisputeOn(world, difference));
    await expect(
      requestSubscriptionCoolingOffRefund(
        interleaveBeforeWrite(world.ctx, disputes, /^update "subscriptions"/i),
        memberIds(),
      ),
    ).rejects.toThrow(SubscriptionUnderDispute);
    expect([await statusOf(first?.id ?? ""), (await row()).status]).toEqual([
      "succeeded",
      "active",
    ]);
  });

  test("a cooling-off refund after seven days is refused", async () => {
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    await wait(8 * DAY_MS);
    await expect(
      requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id }),
    ).rejects.toThrow(SubscriptionCoolingOffExpired);
  });

  test("for a change of interval, restores the old period and its full value", async () => {
    await wait(10 * DAY_MS);
    const before = await row();
    const periods = () =>
      world.ctx.db
        .select()
        .from(chargePeriods)
        .where(eq(chargePeriods.subscriptionId, subscriptionId));
    const covered = await periods();
    const difference = await paidUpgrade(world, to(palco.prices.annual));
    await wait(2 * DAY_MS);
    await requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id });
    await world.drain();
    expect(await row()).toMatchObject({
      planId: ana.planId,
      interval: "monthly",
      currentPeriodStartsAt: before.currentPeriodStartsAt,
      currentPeriodEndsAt: before.currentPeriodEndsAt,
      accessUntil: before.accessUntil,
      anchorAt: before.anchorAt,
    });
    expect(await periods()).toEqual(covered);
    expect(await heldCents()).toBe(3_000);
  });

  test("for a change of interval, ends the subscription when the old period is over", async () => {
    await untilRenewal(-5 * DAY_MS);
    const difference = await paidUpgrade(world, to(palco.prices.annual));
    await wait(6 * DAY_MS);
    await requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id });
    await world.drain();
    expect((await row()).status).toBe("expired");
    expect(await seats()).toEqual([0, 0, 0]);
  });

  test.each([
    ["during it", 4, false],
    ["after it", 8, false],
    ["after an early return", 4, true],
  ])(
    "for a change of interval that a vacation moved, %s: restores the old period, moved by as much",
    async (_what, waitedDays, isCutShort) => {
      await wait(10 * DAY_MS);
      const before = await row();
      const periods = async () =>
        (
          await world.ctx.db
            .select()
            .from(chargePeriods)
            .where(eq(chargePeriods.subscriptionId, subscriptionId))
        ).map(({ chargeId, startsAt, endsAt }) => ({ chargeId, ms: endsAt - startsAt }));
      const covered = await periods();
      const difference = await paidUpgrade(world, to(palco.prices.annual));
      await wait(DAY_MS);
      await startVacation(world.ctx, { creatorId: ana.id, days: 7 });
      await world.drain();
      const annualEndsAt = (await row()).currentPeriodEndsAt ?? 0;
      await wait(waitedDays * DAY_MS);
      if (isCutShort) {
        await returnFromVacation(world.ctx, { creatorId: ana.id });
        await world.drain();
      }
      const cutMs = annualEndsAt - ((await row()).currentPeriodEndsAt ?? 0);
      const movedMs =
        (
          await world.ctx.db
            .select()
            .from(vacationShifts)
            .where(eq(vacationShifts.subscriptionId, subscriptionId))
        )[0]?.movedMs ?? 0;
      expect([movedMs > DAY_MS, cutMs > 0]).toEqual([true, isCutShort]);
      await refundCharge(world.ctx, {
        chargeId: difference.id,
        sellerId: ana.id,
        decidedBy: ana.id,
        refundId: world.ctx.newId(),
        amountCents: difference.amountCents,
        reason: "",
      });
      await world.drain();
      const endsAt = (before.currentPeriodEndsAt ?? 0) + movedMs;
      expect(await row()).toMatchObject({
        status: "active",
        planId: ana.planId,
        interval: "monthly",
        currentPeriodStartsAt: before.currentPeriodStartsAt,
        currentPeriodEndsAt: endsAt,
        accessUntil: endsAt,
        anchorAt: endsAt,
      });
      const after = await periods();
      expect([...new Set(after.map(({ chargeId }) => chargeId))]).toEqual(
        covered.map(({ chargeId }) => chargeId),
      );
      expect(after.reduce((sum, { ms }) => sum + ms, 0)).toBe(covered[0]?.ms);
      expect(await heldCents()).toBe(3_000);
    },
  );

  test("for a change of interval on the day of another change, restores the coverage of the other difference", async () => {
    const periods = () =>
      world.ctx.db
        .select()
        .from(chargePeriods)
        .where(eq(chargePeriods.subscriptionId, subscriptionId));
    await wait(10 * DAY_MS);
    const first = await paidUpgrade(world, to(palco.prices.monthly));
    const covered = await periods();
    const second = await paidUpgrade(world, to(palco.prices.annual));
    await requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: second.id });
    await world.drain();
    expect(await periods()).toEqual(covered);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual([
      "succeeded",
      "refunded",
    ]);
    expect(await row()).toMatchObject({ planId: palco.planId, interval: "monthly" });
  });

  test("refunding the first of two plan changes refunds both", async () => {
    const top = await otherPlan(world.ctx, ana.id, { name: "Varanda", monthly: 9_000 });
    const first = await paidUpgrade(world, to(palco.prices.monthly));
    const second = await paidUpgrade(world, to(top.prices.monthly));
    await requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: first.id });
    await world.drain();
    expect(await Promise.all([first, second].map(async ({ id }) => await statusOf(id)))).toEqual([
      "refunded",
      "refunded",
    ]);
    expect(await row()).toMatchObject({ planId: ana.planId, amountCents: 3_000 });
    expect(await seats()).toEqual([1, 0, 0]);
  });

  test("a full refund by the creator restores the previous plan; a partial one changes nothing", async () => {
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    const back = (amountCents: number) =>
      refundCharge(world.ctx, {
        chargeId: difference.id,
        sellerId: ana.id,
        decidedBy: ana.id,
        refundId: world.ctx.newId(),
        amountCents,
        reason: "",
      });
    await back(100);
    expect((await row()).planId).toBe(palco.planId);
    await back(difference.amountCents - 100);
    await world.drain();
    expect(await row()).toMatchObject({ planId: ana.planId, status: "active" });
    expect(await states()).toEqual(["reversed"]);
  });

  test("a lost dispute restores the previous plan, and the subscription continues", async () => {
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    const { body } = await world.console(
      `/sandbox/charges/${difference.providerChargeId ?? ""}/dispute`,
    );
    await world.drain();
    await expect(openUpgrade(world.ctx, to(palco.prices.annual))).rejects.toThrow(
      PlanChangeRefused,
    );
    await expect(
      requestPaymentCoolingOffRefund(world.ctx, { payerId: bruno.id, chargeId: difference.id }),
    ).rejects.toThrow(PlanChangeRefused);
    expect(
      (
        await world.console(
          `/sandbox/disputes/${String(body["id"] ?? (body["dispute"] as { id: string } | undefined)?.id)}/lose`,
        )
      ).status,
    ).toBe(200);
    await world.drain();
    expect(await row()).toMatchObject({ planId: ana.planId, status: "active", amountCents: 3_000 });
  });

  test("a cooling-off refund of the whole subscription refunds both payments", async () => {
    await paidUpgrade(world, to(palco.prices.monthly));
    await requestSubscriptionCoolingOffRefund(world.ctx, memberIds());
    await world.drain();
    expect(await heldCents()).toBe(0);
    expect((await row()).status).toBe("expired");
    expect(await seats()).toEqual([0, 0, 0]);
  });

  test("closing the page refunds the unused days of both payments, and no more than was paid", async () => {
    await wait(10 * DAY_MS);
    const difference = await paidUpgrade(world, to(palco.prices.monthly));
    await wait(5 * DAY_MS);
    await closeSubscription(world.ctx, { subscriptionId, because: "creator_left" });
    await world.drain();
    const [base, more] = await chargesNow();
    expect(more?.id).toBe(difference.id);
    expect([base?.status, more?.status]).toEqual(["partially_refunded", "partially_refunded"]);
    expect(await seats()).toEqual([0, 0, 0]);
  });
});
