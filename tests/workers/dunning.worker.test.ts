import { and, asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isWaiting } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { confirmCharge, reconcileCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/commands/change-method.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renew.server.ts";
import { MethodNotOffered, SavedCardGone, SubscriptionNotFound, TooManyMethods } from "#app/domain/subscriptions/errors.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import * as confirmationRoute from "#app/routes/checkout/confirmation.ts";
import type { ChosenMethod } from "#app/domain/payments/schema.ts";
import { doorsAs } from "#tests/support/acting.ts";
import { addDays, formatDay, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { cardToken, pay } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const REFUSES = "4000000000000341";
const STOLEN = "4000000000009979";
const ASKS = "4000002760003184";
const GOOD = "4242424242424242";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let startsAt: number;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
  bruno = await person(world.ctx, "Bruno");
});
afterEach(() => expectBooksToHold(world.ctx));

/** Bruno subscribes with a card; the period that it is to renew into begins at `startsAt`. */
async function subscribe(number: string): Promise<void> {
  const started = await startSubscription(world.ctx, { memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "card", cardToken: await cardToken(world, number) });
  const charge = await chargeRow(world.ctx, started);
  if (charge?.status === "requires_action") await pay(world, { providerChargeId: charge.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
  startsAt = (await row()).currentPeriodEndsAt ?? 0;
}

async function row() {
  const [found] = await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
}
const attempts = () => world.ctx.db.select().from(charges).where(and(eq(charges.purchaseId, subscriptionId), eq(charges.periodStartsAt, startsAt))).orderBy(asc(charges.createdAt));
async function letters(words: string) {
  return (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email)).orderBy(asc(localMails.createdAt))).filter(({ subject }) => subject.includes(words));
}
const told = async (kind: "subscription.renewal_failed" | "subscription.renewal_to_confirm") => await world.ctx.db.$count(notifications, and(eq(notifications.personId, bruno.id), eq(notifications.kind, kind)));

async function goTo(days: number, ms = MINUTE_MS): Promise<void> {
  await world.advance(addDays(startsAt, days) + ms - world.ctx.now());
  await world.tick();
}

describe("a card that refuses", () => {
  test("is asked again on D+1, D+3, D+5 and D+7, each told once with what to do, and then it ends", async () => {
    await subscribe(REFUSES);
    const made: number[] = [];
    for (let day = -1; day <= 10; day += 1) {
      await goTo(day);
      if (day === 1) await goTo(day, 12 * HOUR_MS);
      made.push((await attempts()).length);
      if (day >= 0 && day < 7) expect(await row()).toMatchObject({ status: "past_due", accessUntil: addDays(startsAt, 7) });
    }
    // From the day before to D+10.
    expect(made).toEqual([0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5]);
    expect((await row()).status).toBe("expired");
    const sent = await letters("não pagou");
    expect(sent).toHaveLength(4);
    expect(await told("subscription.renewal_failed")).toBe(4);
    expect(sent[0]?.body).toContain(`Tentamos de novo em ${formatDay(addDays(startsAt, 1))}`);
    expect(sent[1]?.body).toContain(`Tentamos de novo em ${formatDay(addDays(startsAt, 3))}`);
    for (const { body } of sent) {
      expect(body).toContain(`até ${formatDay(addDays(startsAt, 7))}`);
      expect(body).toContain(`/settings/subscriptions/${subscriptionId}/payment-method`);
    }
    expect(await letters("terminou")).toHaveLength(1);
    expect(await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, subscriptionId))).toBe(1);
  });

  test("for good is not asked again: the letter asks for another way to pay", async () => {
    await subscribe(STOLEN);
    for (const day of [0, 1, 3, 5, 6]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    const [letter, ...more] = await letters("Escolha outra forma");
    expect(more).toEqual([]);
    expect(letter?.body).toContain("não vamos tentar nele de novo");
    expect((await row()).status).toBe("past_due");
    await goTo(7);
    expect((await row()).status).toBe("expired");
    expect(await attempts()).toHaveLength(1);
  });

  test("is not asked again once its renewal was canceled", async () => {
    await subscribe(REFUSES);
    await goTo(0);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    for (const day of [1, 3, 5, 7, 8]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    expect((await row()).status).toBe("expired");
  });

  test("makes one charge a day however many look at it at once", async () => {
    await subscribe(REFUSES);
    for (const [day, count] of [[0, 1], [1, 2], [3, 3]] as const) {
      await world.advance(addDays(startsAt, day) + MINUTE_MS - world.ctx.now());
      await Promise.all(Array.from({ length: 12 }, () => advanceSubscription(world.ctx, { subscriptionId })));
      await world.drain();
      expect(await attempts()).toHaveLength(count);
    }
    await world.tick();
    expect(await letters("não pagou")).toHaveLength(3);
  });
});

describe("a card of which the bank says nothing", () => {
  test("is not charged again while that is so, its access lasts, and nobody is told that it refused", async () => {
    await subscribe(GOOD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await advanceSubscription(world.ctx, { subscriptionId });
    const [unknown] = await attempts();
    expect(unknown?.status).toBe("created");
    expect(await row()).toMatchObject({ status: "past_due", accessUntil: addDays(startsAt, 7) });
    await world.advance(addDays(startsAt, 1) + MINUTE_MS - world.ctx.now());
    await advanceSubscription(world.ctx, { subscriptionId });
    expect(await attempts()).toHaveLength(1);
    await world.console("/sandbox/chaos", {});
    await world.tick();
    expect(await attempts()).toMatchObject([{ id: unknown?.id, status: "succeeded" }]);
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
    expect(await letters("não pagou")).toEqual([]);
    expect(await letters("em atraso")).toEqual([]);
  });
});

describe("a card of which the bank says nothing, whose owner moves to Pix", () => {
  const toPix = () => changeRenewalMethod(world.ctx, { fanId: bruno.id, subscriptionId, method: "pix", savedMethodId: null });
  const charged = (asked: "reached" | "lost") => ({
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      createCardCharge: async (request: Parameters<typeof world.ctx.payments.createCardCharge>[0]) => {
        if (asked === "reached") await world.ctx.payments.createCardCharge(request);
        throw new ProviderUnclear("no answer");
      },
    },
  });

  test("is asked about first: refused, the code is made at once", async () => {
    await subscribe(REFUSES);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("reached"), { subscriptionId });
    world.queued.splice(0);
    expect((await attempts()).map(({ status }) => status)).toEqual(["created"]);
    const { chargeId } = await toPix();
    expect((await attempts()).map(({ id, method, status }) => [id === chargeId, method, status])).toEqual([
      [false, "card", "failed"],
      [true, "pix", "awaiting_payment"],
    ]);
  });

  test("is asked about first: paid, nothing more is asked for", async () => {
    await subscribe(GOOD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("reached"), { subscriptionId });
    world.queued.splice(0);
    expect(await toPix()).toEqual({ chargeId: null });
    expect((await attempts()).map(({ method, status }) => [method, status])).toEqual([["card", "succeeded"]]);
    expect(await row()).toMatchObject({ status: "active", method: "pix" });
  });

  test("never reached, it is let go of after some minutes and the code is made; what arrives late all the same goes back", async () => {
    await subscribe(GOOD);
    const savedMethodId = (await row()).savedMethodId;
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("lost"), { subscriptionId });
    expect(await toPix()).toEqual({ chargeId: null });
    await world.advance(2 * MINUTE_MS);
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["created"]);
    await world.advance(10 * MINUTE_MS);
    await world.tick();
    await world.tick();
    const [card, pix, ...more] = await attempts();
    expect(more).toEqual([]);
    expect(card).toMatchObject({ method: "card", status: "expired", failureCode: "never_reached", askedWith: null });
    expect(pix).toMatchObject({ method: "pix", status: "awaiting_payment" });
    expect(await letters("não pagou")).toEqual([]);
    await pay(world, { providerChargeId: pix?.providerChargeId ?? "" });
    await world.drain();
    await world.ctx.payments.createCardCharge({ chargeId: card?.id ?? "", amountCents: card?.amountCents ?? 0, description: "d", payerName: "Bruno", cardToken: null, savedMethodId, saveMethod: false, expiresAt: card?.expiresAt ?? 0, returnUrl: world.ctx.settings.appOrigin });
    await world.drain();
    await world.tick();
    expect((await attempts()).map(({ method, status }) => [method, status])).toEqual([["card", "refunded"], ["pix", "succeeded"]]);
  });

  test("asked again, it is asked for with what was sent first, whatever its payer calls themselves now", async () => {
    await subscribe(GOOD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("lost"), { subscriptionId });
    await world.ctx.db.update(profiles).set({ name: "Outro Nome" }).where(eq(profiles.personId, bruno.id));
    const [waiting] = await attempts();
    const asked: { payerName: string; savedMethodId: string | null; saveMethod: boolean }[] = [];
    const listening = { ...world.ctx, payments: { ...world.ctx.payments, createCardCharge: (request: Parameters<typeof world.ctx.payments.createCardCharge>[0]) => (asked.push(request), world.ctx.payments.createCardCharge(request)) } };
    await reconcileCharge(listening, { chargeId: waiting?.id ?? "" });
    expect(asked).toMatchObject([{ payerName: "Bruno", savedMethodId: (await row()).savedMethodId, saveMethod: false }]);
    expect(await attempts()).toMatchObject([{ status: "succeeded", askedWith: null }]);
  });
});

describe("a card whose bank asks for its owner", () => {
  test("keeps everything open, says how to confirm, and is active once it is", async () => {
    await subscribe(ASKS);
    await goTo(0);
    expect(await row()).toMatchObject({ status: "requires_action", accessUntil: addDays(startsAt, 7) });
    const [waiting] = await attempts();
    expect(waiting?.status).toBe("requires_action");
    const [letter, ...more] = await letters("Confirme o pagamento");
    expect(more).toEqual([]);
    expect(letter?.body).toContain(`/checkout/${waiting?.id}`);
    expect(await told("subscription.renewal_to_confirm")).toBe(1);
    for (const day of [1, 3, 5]) await goTo(day);
    expect(await attempts()).toHaveLength(1);
    await pay(world, { providerChargeId: waiting?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
    expect(await letters("Confirme o pagamento")).toHaveLength(1);
  });

  test("ends with the days of grace when nobody confirms, and its charge is let go", async () => {
    await subscribe(ASKS);
    for (const day of [0, 3, 6.9]) await goTo(day);
    expect((await row()).status).toBe("requires_action");
    await goTo(7);
    await goTo(7, HOUR_MS);
    expect((await row()).status).toBe("expired");
    await goTo(9);
    expect((await attempts()).map(({ status }) => status)).toEqual(["canceled"]);
  });

  test("falls into arrears when the bank says no, and is asked again on the next day of the calendar", async () => {
    await subscribe(ASKS);
    await goTo(0);
    const [waiting] = await attempts();
    await world.console(`/sandbox/charges/${waiting?.providerChargeId}/decline`);
    await world.drain();
    await world.tick();
    expect((await row()).status).toBe("past_due");
    expect(await letters("não pagou")).toHaveLength(1);
    await goTo(1);
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "requires_action"]);
    expect((await row()).status).toBe("requires_action");
  });

  test("may be canceled meanwhile, and is asked for no more", async () => {
    await subscribe(ASKS);
    await goTo(0);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    expect((await attempts()).map(({ status }) => status)).toEqual(["canceled"]);
    await goTo(3);
    expect((await row()).status).toBe("canceled");
    await goTo(7);
    expect((await row()).status).toBe("expired");
    expect(await attempts()).toHaveLength(1);
  });
});

describe("another way to pay", () => {
  /** Keeps a second card, by a subscription to somebody else that it pays. */
  async function keptCard(number: string): Promise<string> {
    const bia = await seller(world.ctx);
    const started = await startSubscription(world.ctx, { memberId: bruno.id, memberName: bruno.name, planPriceId: bia.priceId, method: "card", cardToken: await cardToken(world, number) });
    await world.drain();
    return (await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: bia.id }))?.savedMethodId ?? started.chargeId;
  }
  const change = (to: ChosenMethod) => changeRenewalMethod(world.ctx, { fanId: bruno.id, subscriptionId, ...to });
  const PIX = { method: "pix", savedMethodId: null } as const;

  test("by card takes what is owed at once, also after one that was stolen", async () => {
    await subscribe(STOLEN);
    await goTo(0);
    const { chargeId } = await change({ method: "card", savedMethodId: await keptCard(GOOD) });
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    expect((await attempts())[1]?.id).toBe(chargeId);
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
  });

  test("by Pix gives the code at once, and takes back what waited for its owner", async () => {
    await subscribe(ASKS);
    await goTo(0);
    const { chargeId } = await change(PIX);
    expect((await attempts()).map(({ status, method }) => [method, status])).toEqual([["card", "canceled"], ["pix", "awaiting_payment"]]);
    expect(await row()).toMatchObject({ status: "past_due", method: "pix" });
    // Asked again, it is the code that waits.
    expect(await change(PIX)).toEqual({ chargeId });
    await pay(world, { providerChargeId: (await attempts())[1]?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
  });

  test("is charged by the calendar where the process died after it was chosen", async () => {
    await subscribe(STOLEN);
    await goTo(0);
    const card = await keptCard(GOOD);
    await world.ctx.db.update(subscriptions).set({ savedMethodId: card, updatedAt: world.ctx.now() }).where(eq(subscriptions.id, subscriptionId));
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });

  test("is not charged beside what the bank still answers about", async () => {
    await subscribe(GOOD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.console("/sandbox/chaos", {});
    expect(await change(PIX)).toEqual({ chargeId: null });
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["succeeded"]);
  });

  test("before anything is due only changes how it renews", async () => {
    await subscribe(REFUSES);
    expect(await change(PIX)).toEqual({ chargeId: null });
    expect(await row()).toMatchObject({ status: "active", method: "pix", savedMethodId: null });
    expect(await attempts()).toEqual([]);
  });

  test("is refused to anyone else, with a card that is not theirs, and too often", async () => {
    await subscribe(REFUSES);
    const { savedMethodId } = await row();
    await goTo(0);
    await expect(changeRenewalMethod(world.ctx, { fanId: ana.id, subscriptionId, ...PIX })).rejects.toThrow(SubscriptionNotFound);
    await expect(change({ method: "card", savedMethodId: "pm_of_nobody" })).rejects.toThrow(SavedCardGone);
    await expect(change({ method: "card", savedMethodId: null })).rejects.toThrow(MethodNotOffered);
    expect(await attempts()).toHaveLength(1);
    for (let tries = 0; tries < 8; tries += 1) await change({ method: "card", savedMethodId });
    expect(await attempts()).toHaveLength(9);
    await expect(change({ method: "card", savedMethodId })).rejects.toThrow(TooManyMethods);
    expect(await attempts()).toHaveLength(9);
  });
});

describe("a confirmation (3DS)", () => {
  const doors = doorsAs([{ path: "checkout/:chargeId/confirmation", module: confirmationRoute }]);

  test("is taken up by a fresh address after a closed tab, at the first checkout and at a renewal, and by nobody else", async () => {
    const first = await startSubscription(world.ctx, { memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "card", cardToken: await cardToken(world, ASKS) });
    expect(await confirmCharge(world.ctx, first)).toMatchObject({ status: "requires_action", nextActionUrl: expect.stringContaining("/3ds/") });
    const clara = await person(world.ctx, "Clara");
    expect((await doors.get({ person: clara }, `/checkout/${first.chargeId}/confirmation`)).status).toBe(404);
    // The door's own provider is out of reach here: its page says so, and the payment is not lost.
    expect((await doors.get({ person: bruno }, `/checkout/${first.chargeId}/confirmation`)).headers.get("Location")).toBe(`/checkout/${first.chargeId}`);
    const charge = await chargeRow(world.ctx, first);
    await pay(world, { providerChargeId: charge?.providerChargeId ?? "" });
    // Confirmed meanwhile in the other tab: whoever asks is told, and nothing is asked of them.
    expect(await confirmCharge(world.ctx, first)).toEqual({ status: "succeeded", nextActionUrl: null });
    await world.drain();
    subscriptionId = charge?.purchaseId ?? "";
    startsAt = (await row()).currentPeriodEndsAt ?? 0;
    await goTo(0);
    const [renewal] = await attempts();
    expect(await confirmCharge(world.ctx, { chargeId: renewal?.id ?? "" })).toMatchObject({ status: "requires_action", nextActionUrl: expect.stringContaining("/3ds/") });
    expect(await letters("Confirme o pagamento")).toHaveLength(1);
  });
});

test("killed anywhere on the day of a retry, it charges once and tells once", { timeout: 120_000 }, async () => {
  for (let at = 1; ; at += 1) {
    bruno = await person(world.ctx, "Bruno");
    await subscribe(REFUSES);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.advance(addDays(startsAt, 1) + MINUTE_MS - world.ctx.now());
    const points = crashPoints();
    const dying = { ...world.ctx, db: openDatabase(points.database(testEnv.DB)), payments: points.port(world.ctx.payments), queues: { ...world.ctx.queues, notifications: points.port(world.ctx.queues.notifications) } };
    points.arm(at);
    const outcome = await survives(points, () => advanceSubscription(dying, { subscriptionId }));
    points.disarm();
    await world.advance(5 * MINUTE_MS);
    for (const { id, status } of await attempts()) if (isWaiting(status as ChargeStatus)) await reconcileCharge(world.ctx, { chargeId: id });
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.drain();
    // The sweeper of the outbox tells what nobody was asked to tell.
    for (const { id } of await world.ctx.db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.handledAt))) await deliverMessage(world.ctx, { outboxId: id });
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(await letters("não pagou")).toHaveLength(2);
    expect((await row()).status).toBe("past_due");
    if (outcome === "finished") break;
  }
});
