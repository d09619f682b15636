import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startPrepaidPlan } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { PlanPriceChanged } from "#app/domain/subscriptions/errors.ts";
import { subscriptionPayingNext } from "#app/domain/subscriptions/overview/queries/next-payment.server.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { planChanges } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan, scheduledPlanChange, subscriptionOfId } from "#tests/support/plan-changes.ts";
import type { OtherPlan } from "#tests/support/plan-changes.ts";

const REFUSES = "4000000000000341";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let startsAt: number;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** Bruno's subscription with a plan change scheduled for the period that starts at `startsAt`. */
async function changing(
  method: "pix" | "card",
  to: { name: string; monthly: number; seatsLimit?: number },
): Promise<OtherPlan> {
  const started = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method,
    cardToken: method === "card" ? await cardToken(world, REFUSES) : null,
  });
  const charge = await chargeRow(world.ctx, started);
  if (method === "pix")
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
  startsAt = (await row()).currentPeriodEndsAt ?? 0;
  const plan = await otherPlan(world.ctx, ana.id, to);
  await scheduledPlanChange(world.ctx, {
    fanId: bruno.id,
    subscriptionId,
    planPriceId: plan.prices.monthly,
  });
  await world.drain();
  return plan;
}

const row = () => subscriptionOfId(world.ctx, subscriptionId);
const attempts = () =>
  world.ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.periodStartsAt, startsAt)))
    .orderBy(asc(charges.createdAt));
const emails = async (subjectPart: string) =>
  (
    await world.ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, bruno.email))
      .orderBy(asc(localMails.createdAt))
  )
    .filter(({ subject }) => subject.includes(subjectPart))
    .map(({ body }) => body);

async function goTo(days: number): Promise<void> {
  await world.advance(addDays(startsAt, days) + MINUTE_MS - world.ctx.now());
  await world.tick();
}

describe("a renewal with a scheduled plan change", () => {
  test("reminds of the new plan, retries the card at its price, and changes the plan when Pix pays it", async () => {
    const meia = await changing("card", { name: "Meia", monthly: 1_500, seatsLimit: 2 });
    await goTo(-3);
    const [reminder] = await emails("renova em");
    expect(reminder).toContain("assinatura Meia, de Ana Lira");
    expect(reminder).toContain("R$\u00a015,00, no cartão");
    await goTo(0);
    expect(await row()).toMatchObject({
      status: "past_due",
      planId: ana.planId,
      amountCents: 3_000,
    });
    await goTo(1);
    const asked = await attempts();
    expect(asked.map(({ status, amountCents }) => [status, amountCents])).toEqual([
      ["failed", 1_500],
      ["failed", 1_500],
    ]);
    expect(new Set(asked.map(({ planChangeId }) => planChangeId)).size).toBe(1);
    expect(asked[0]?.planChangeId).not.toBeNull();
    expect((await emails("não pagou"))[1]).toContain("R$\u00a015,00 da assinatura Meia");
    const now = { fanId: bruno.id, subscriptionId, method: "pix", savedMethodId: null } as const;
    expect(await subscriptionPayingNext(world.ctx, now)).toMatchObject({
      planName: "Camarim",
      amountCents: 3_000,
      next: { planName: "Meia", amountCents: 1_500, priceCents: 1_500 },
    });
    await expect(changeRenewalMethod(world.ctx, { ...now, amountCents: 3_000 })).rejects.toThrow(
      PlanPriceChanged,
    );
    expect(await row()).toMatchObject({ method: "card" });
    const { chargeId } = await changeRenewalMethod(world.ctx, { ...now, amountCents: 1_500 });
    const code = await chargeRow(world.ctx, { chargeId: chargeId ?? "" });
    expect(code).toMatchObject({
      status: "awaiting_payment",
      amountCents: 1_500,
      planChangeId: asked[0]?.planChangeId,
    });
    await payAtBank(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({
      status: "active",
      planId: meia.planId,
      amountCents: 1_500,
      method: "pix",
      currentPeriodStartsAt: startsAt,
    });
  });

  test("shows and charges the old price when the new plan is full, and refuses the price that was shown before", async () => {
    const meia = await changing("card", { name: "Meia", monthly: 1_500, seatsLimit: 1 });
    await goTo(0);
    await world.ctx.db.update(plans).set({ seatsTaken: 1 }).where(eq(plans.id, meia.planId));
    const now = { fanId: bruno.id, subscriptionId, method: "pix", savedMethodId: null } as const;
    expect(await subscriptionPayingNext(world.ctx, now)).toMatchObject({
      next: { planName: "Camarim", amountCents: 3_000 },
    });
    await expect(changeRenewalMethod(world.ctx, { ...now, amountCents: 1_500 })).rejects.toThrow(
      PlanPriceChanged,
    );
    const { chargeId } = await changeRenewalMethod(world.ctx, { ...now, amountCents: 3_000 });
    expect(await chargeRow(world.ctx, { chargeId: chargeId ?? "" })).toMatchObject({
      status: "awaiting_payment",
      amountCents: 3_000,
      planChangeId: null,
    });
  });

  test("is paid by Pix when the new plan is below the card minimum, with one code three days before", async () => {
    await changing("card", { name: "Janela", monthly: 900 });
    await goTo(-4);
    expect(await attempts()).toEqual([]);
    await goTo(-3);
    expect(await attempts()).toMatchObject([
      { method: "pix", amountCents: 900, status: "awaiting_payment" },
    ]);
    expect(await emails("Renove sua assinatura")).toHaveLength(1);
    await goTo(0);
    expect((await emails("está em atraso"))[0]).toContain(
      "Pix de R$\u00a09,00 da assinatura Janela",
    );
    for (const day of [1, 3, 5, 7, 8]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    expect(await row()).toMatchObject({ status: "expired", planId: ana.planId });
  });

  test("charges no outdated price when the plan change is scheduled again right before the write", async () => {
    await changing("pix", { name: "Janela", monthly: 900 });
    const set = (state: "over" | "scheduled") =>
      world.ctx.db
        .update(planChanges)
        .set({ state })
        .where(eq(planChanges.subscriptionId, subscriptionId));
    await set("over");
    await world.advance(addDays(startsAt, -3) + MINUTE_MS - world.ctx.now());
    await advanceSubscription(
      interleaveBeforeWrite(world.ctx, () => set("scheduled"), /insert into "charges"/i),
      { subscriptionId },
    );
    expect(await attempts()).toMatchObject([{ amountCents: 900 }]);
  });

  test("is due at once when the prepaid plan starts", async () => {
    const janela = await changing("pix", { name: "Janela", monthly: 900 });
    await goTo(-2);
    const [code] = await attempts();
    await payAtBank(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    await world.tick();
    expect((await row()).calendarAt).toBeGreaterThan(startsAt);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    const [change] = await world.ctx.db
      .select({ id: planChanges.id })
      .from(planChanges)
      .where(eq(planChanges.subscriptionId, subscriptionId));
    await startPrepaidPlan(world.ctx, { planChangeId: change?.id ?? "" });
    const startedRow = await row();
    expect(startedRow).toMatchObject({ planId: janela.planId, calendarAt: startedRow.updatedAt });
  });
});
