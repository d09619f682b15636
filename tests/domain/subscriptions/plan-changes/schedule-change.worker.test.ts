import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import {
  schedulePlanChange,
  cancelScheduledPlanChange,
} from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  PlanChangeNotFound,
  PlanChangeOutdated,
  PlanChangeRefused,
} from "#app/domain/subscriptions/plan-changes/errors.ts";
import { planChangeLines } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { subscriptionRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import {
  planChangeOfferNow,
  planChangeHelpers,
  otherPlan,
  createPlanChangeScenario,
  scheduledPlanChange,
  subscriptionOfId,
  paidUpgrade,
} from "#tests/support/plan-changes.ts";
import type { OtherPlan, PlanChangeScenario } from "#tests/support/plan-changes.ts";

let stage: PlanChangeScenario;
let world: World;
let ana: Seller;
let subscriptionId: string;
let palco: OtherPlan;
let janela: OtherPlan;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
  ({ world, ana, subscriptionId, palco, janela } = stage);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const {
  row,
  wait,
  chargesNow,
  memberIds,
  to,
  untilRenewal,
  renewal,
  statusOf,
  states,
  notified,
  seats,
} = planChangeHelpers(() => stage);

describe("a plan change scheduled for the next period", () => {
  test("is shown and notified without a charge; the renewal uses the new price and moves plan and seats", async () => {
    const { quote } = await planChangeOfferNow(world.ctx, to(janela.prices.monthly));
    expect(quote).toMatchObject({ happens: "next_period", because: "weighs_less", nextCents: 900 });
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await world.drain();
    expect(await notified("subscription.plan_change_scheduled")).toHaveLength(1);
    expect(await planChangeLines(world.ctx, { subscriptionId })).toMatchObject([
      { happens: "next_period", state: "scheduled", toPlanName: "Janela", chargeId: null },
    ]);
    expect(await chargesNow()).toHaveLength(1);
    expect(await seats()).toEqual([1, 0, 0]);
    await untilRenewal(-2 * DAY_MS);
    const sent = await renewal();
    expect(sent).toMatchObject({ amountCents: 900, description: "Assinatura Janela, de Ana Lira" });
    expect(await seats()).toEqual([1, 0, 1]);
    // The renewal is paid early. The current plan stays until its period ends.
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({
      planId: ana.planId,
      currentPeriodStartsAt: sent?.periodStartsAt,
    });
    expect(await states()).toEqual(["paid"]);
    await expect(cancelScheduledPlanChange(world.ctx, memberIds())).rejects.toThrow(
      PlanChangeRefused,
    );
    await wait(3 * DAY_MS);
    expect(await row()).toMatchObject({
      planId: janela.planId,
      amountCents: 900,
      status: "active",
    });
    expect(await seats()).toEqual([0, 0, 1]);
    expect(await states()).toEqual(["done"]);
    expect(await notified("subscription.plan_changed", ana.id)).toEqual([
      "Bruno mudou do plano Camarim para o Janela.",
    ]);
  });

  test("can be canceled until then, which replaces the renewal charge", async () => {
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await untilRenewal(-2 * DAY_MS);
    expect(await renewal()).toMatchObject({ amountCents: 900 });
    await cancelScheduledPlanChange(world.ctx, memberIds());
    await world.drain();
    expect(await renewal()).toMatchObject({ amountCents: 3_000 });
    expect(await seats()).toEqual([1, 0, 0]);
    await expect(cancelScheduledPlanChange(world.ctx, memberIds())).rejects.toThrow(
      PlanChangeNotFound,
    );
    await expect(
      cancelScheduledPlanChange(world.ctx, { ...memberIds(), fanId: ana.id }),
    ).rejects.toThrow(SubscriptionNotFound);
  });

  test("replaces a renewal code already sent; if that code is paid, the change waits for the following period", async () => {
    await untilRenewal(-2 * DAY_MS);
    const sent = await renewal();
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    expect(await statusOf(sent?.id)).toBe("canceled");
    const again = await renewal();
    expect(again).toMatchObject({ amountCents: 900, periodStartsAt: sent?.periodStartsAt });
    // The canceled code at the old price is paid. It buys a period of the old plan.
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({
      planId: ana.planId,
      currentPeriodStartsAt: sent?.periodStartsAt,
    });
    expect(await states()).toEqual(["scheduled"]);
  });

  test("is dropped with a notification when its plan is full or archived by then", async () => {
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await archivePlan(world.ctx, { creatorId: ana.id, planId: janela.planId });
    await untilRenewal(-2 * DAY_MS);
    expect(await renewal()).toMatchObject({
      amountCents: 3_000,
      description: "Assinatura Camarim, de Ana Lira",
    });
    expect(await notified("subscription.plan_change_dropped")).toEqual([
      "O plano Janela, de Ana Lira, saiu de venda: a sua assinatura continua em Camarim, por R$\u00a030,00 por mês.",
    ]);
    expect(await states()).toEqual(["over"]);
  });

  test("a pause keeps it, canceling ends it, and an unpaid renewal frees its seat", async () => {
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await pauseSubscription(world.ctx, memberIds());
    await resumeSubscription(world.ctx, memberIds());
    expect(await states()).toEqual(["scheduled"]);
    await untilRenewal(-2 * DAY_MS);
    expect(await seats()).toEqual([1, 0, 1]);
    await untilRenewal(8 * DAY_MS);
    expect((await row()).status).toBe("expired");
    expect(await seats()).toEqual([0, 0, 0]);
    expect(await states()).toEqual(["over"]);
  });

  test("canceling and reactivating continues with the current plan", async () => {
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await untilRenewal(-2 * DAY_MS);
    await cancelSubscription(world.ctx, memberIds());
    expect(await states()).toEqual(["over"]);
    expect(await seats()).toEqual([1, 0, 0]);
    await reactivateSubscription(world.ctx, memberIds());
    expect(await renewal()).toMatchObject({ amountCents: 3_000 });
  });

  test("is replaced by another change, and is refused when the page showed other terms", async () => {
    await scheduledPlanChange(world.ctx, to(janela.prices.monthly));
    await expect(
      schedulePlanChange(world.ctx, { ...to(janela.prices.monthly), beginsAt: 1, nextCents: 900 }),
    ).rejects.toThrow(PlanChangeOutdated);
    await paidUpgrade(world, to(palco.prices.monthly));
    expect(await states()).toEqual(["over", "done"]);
    await scheduledPlanChange(world.ctx, to(ana.priceId));
    expect(await states()).toEqual(["over", "done", "scheduled"]);
  });

  test("a card renewal moves to the new plan at once, on the renewal day", async () => {
    const carla = await createPerson(world.ctx, "Carla");
    await startSubscription(world.ctx, {
      memberId: carla.id,
      memberName: carla.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: await cardToken(world),
    });
    await world.drain();
    const [hers] = await world.ctx.db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.fanId, carla.id));
    if (!hers) throw new Error("no subscription");
    const cheaper = await otherPlan(world.ctx, ana.id, { name: "Meia", monthly: 1_500 });
    await scheduledPlanChange(world.ctx, {
      fanId: carla.id,
      subscriptionId: hers.id,
      planPriceId: cheaper.prices.monthly,
    });
    await wait((hers.currentPeriodEndsAt ?? 0) - world.ctx.now() + MINUTE_MS);
    expect(await subscriptionOfId(world.ctx, hers.id)).toMatchObject({
      planId: cheaper.planId,
      amountCents: 1_500,
      currentPeriodStartsAt: hers.currentPeriodEndsAt,
      method: "card",
    });
    const [, second] = await world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.purchaseId, hers.id))
      .orderBy(asc(charges.createdAt));
    expect(second).toMatchObject({ amountCents: 1_500, status: "succeeded" });
  });

  test.each([
    ["slightly more expensive", { monthly: 3_050 }],
    ["cheaper", { monthly: 900 }],
    ["paid weekly", { weekly: 600 }],
  ] as const)(
    "to a plan that is %s, is refunded when paid after the end: it would buy the previous plan",
    async (_, price) => {
      const other = await otherPlan(world.ctx, ana.id, { name: "Outro", ...price });
      const [planPriceId, amountCents] = [
        Object.values(other.prices)[0] ?? "",
        Object.values(price)[0],
      ];
      await scheduledPlanChange(world.ctx, to(planPriceId));
      await untilRenewal(-2 * DAY_MS);
      const sent = await renewal();
      expect(sent?.amountCents).toBe(amountCents);
      await untilRenewal(8 * DAY_MS);
      await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
      await world.drain();
      expect(await row()).toMatchObject({
        status: "expired",
        planId: ana.planId,
        amountCents: 3_000,
      });
      expect(
        await world.ctx.db
          .select()
          .from(charges)
          .where(eq(charges.id, sent?.id ?? "")),
      ).toMatchObject([{ status: "refunded", refundedCents: amountCents }]);
      expect(
        (
          await world.ctx.db
            .select()
            .from(refunds)
            .where(eq(refunds.chargeId, sent?.id ?? ""))
        ).map(({ reason }) => reason),
      ).toEqual([subscriptionRefundReasons.change_over]);
    },
  );
});
