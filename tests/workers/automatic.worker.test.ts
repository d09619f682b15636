import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { authoriseAutomatic, endAutomatic, payRenewalByCode } from "#app/domain/subscriptions/commands/automatic.server.ts";
import { cancelSubscription, reactivateSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/commands/pause.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/end.server.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { AutomaticAlready, DebitUnderWay, NoAutomatic, NothingToPay } from "#app/domain/subscriptions/errors/automatic.ts";
import { debitDayOf } from "#app/domain/subscriptions/rules/automatic.ts";
import { DAY_MS, HOUR_MS, instantOfIsoDay, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { atBank, atProvider, authorisationOf, automaticCheckout, automaticSubscriber, chargesOf, codeOf, debitsOf, ordersOf, rowOf } from "#tests/support/automatic.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { refundsOf } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pay, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { sweepOutbox } from "#workers/notifications/sweep.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
  bruno = await person(world.ctx, "Bruno");
});
afterEach(() => expectBooksToHold(world.ctx));

type Of = { subscriptionId: string };
const mine = ({ subscriptionId }: Of) => ({ fanId: bruno.id, subscriptionId });
const letters = async (words: string) => (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email))).filter(({ subject }) => subject.includes(words));
const startsNext = async (of: Of) => (await rowOf(world, of)).currentPeriodEndsAt ?? 0;

/** To a moment counted from the next period's beginning, in days. */
async function goTo(of: Of, days: number, from?: number): Promise<void> {
  await world.advance((from ?? (await startsNext(of))) + days * DAY_MS - world.ctx.now());
  await world.tick();
  await world.tick();
}

describe("one code for the payment and the authorisation", () => {
  test("approved, the subscription is active and its renewals are debited", async () => {
    const code = await automaticCheckout(world, bruno, ana);
    expect(await chargeRow(world.ctx, code)).toMatchObject({ status: "awaiting_payment", amountCents: 1_990, recurringPixId: code.authorisationId, debitOn: null });
    expect((await chargeRow(world.ctx, code))?.pixCode).toMatch(/^000201/);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    const row = await rowOf(world, code);
    expect(row).toMatchObject({ status: "active", method: "pix", recurringPixId: code.authorisationId });
    expect(await authorisationOf(world, code.authorisationId)).toMatchObject({ status: "active", amountCents: 1_990, ceilingCents: 1_990, startsOn: debitDayOf(row.currentPeriodEndsAt ?? 0), endingAt: null });
    expect(world.news).toContain(`charge:${code.chargeId}`);
    await world.tick();
    expect(await letters("Pix Automático autorizado")).toHaveLength(1);
  });

  test("paid but not authorised, it is active and renews by codes, and its person is told so", async () => {
    const code = await automaticCheckout(world, bruno, ana);
    await atBank(world, `recurring/${code.recurringPixId}/pay-only`);
    await world.drain();
    expect(await rowOf(world, code)).toMatchObject({ status: "active", recurringPixId: null });
    expect(await authorisationOf(world, code.authorisationId)).toMatchObject({ status: "rejected", attachedAt: null });
    await world.tick();
    expect(await letters("está ativa, sem o Pix Automático")).toHaveLength(1);
    await goTo(code, -2.9);
    expect((await chargesOf(world, code)).at(-1)).toMatchObject({ status: "awaiting_payment", debitOn: null, recurringPixId: null });
  });

  test("authorised but not paid, nothing is active and the authorisation is ended at the provider", async () => {
    const code = await automaticCheckout(world, bruno, ana);
    await atBank(world, `recurring/${code.recurringPixId}/approve-only`);
    await world.drain();
    expect(await rowOf(world, code)).toMatchObject({ status: "expired", recurringPixId: null, holdsSeat: false });
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await atProvider(code)).toBe("canceled");
    expect(await authorisationOf(world, code.authorisationId)).toMatchObject({ status: "canceled" });
  });

  test.each(["reject", "expire"])("%s at the bank, nothing is active and nothing is charged", async (act) => {
    const code = await automaticCheckout(world, bruno, ana);
    await atBank(world, `recurring/${code.recurringPixId}/${act}`);
    await world.drain();
    expect(await rowOf(world, code)).toMatchObject({ status: "expired", recurringPixId: null });
    expect((await chargeRow(world.ctx, code))?.status).toBe("failed");
    expect(await authorisationOf(world, code.authorisationId)).toMatchObject({ status: act === "reject" ? "rejected" : "expired" });
  });

  test("nobody answers: at its time both run out", async () => {
    const code = await automaticCheckout(world, bruno, ana);
    await world.advance(31 * 60_000);
    await world.tick();
    await world.tick();
    expect(await rowOf(world, code)).toMatchObject({ status: "expired" });
    expect(["expired", "canceled"]).toContain((await authorisationOf(world, code.authorisationId)).status);
  });

  test.each([
    ["the payment first", (paid: string, agreed: string) => [paid, agreed]],
    ["the authorisation first", (paid: string, agreed: string) => [agreed, paid]],
    ["the payment alone, the other lost", (paid: string) => [paid]],
    ["the authorisation alone, the other lost", (_paid: string, agreed: string) => [agreed]],
    ["each twice", (paid: string, agreed: string) => [agreed, paid, paid, agreed]],
  ])("news of %s end alike", async (_what, order) => {
    const quiet = await testContext({ webhooks: false });
    const code = await automaticCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    for (const [index, objectId] of order(code.providerChargeId, code.recurringPixId).entries()) {
      const id = quiet.ctx.newId();
      await quiet.ctx.db.insert(inbox).values({ id, provider: "sandbox", providerEventId: `${id}-${index}`, type: objectId === code.recurringPixId ? "recurring_pix" : "charge", objectId, body: "{}", receivedAt: 0 });
      await quiet.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
      await quiet.drain();
    }
    expect(await rowOf(quiet, code)).toMatchObject({ status: "active", recurringPixId: code.authorisationId });
    expect(await quiet.ctx.db.$count(inbox, eq(inbox.objectId, code.recurringPixId))).toBe(order("", code.recurringPixId).filter((id) => id === code.recurringPixId).length);
  });

  test("news that are all lost are found by asking", async () => {
    const quiet = await testContext({ webhooks: false });
    const code = await automaticCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    await quiet.advance(31 * 60_000);
    await quiet.tick();
    await quiet.tick();
    expect(await rowOf(quiet, code)).toMatchObject({ status: "active", recurringPixId: code.authorisationId });
  });

  test("news of an authorisation that is not ours are set aside with the reason", async () => {
    const id = world.ctx.newId();
    const code = await automaticCheckout(world, bruno, ana);
    await world.env.DB.prepare("DELETE FROM recurring_pix WHERE id = ?").bind(code.authorisationId).run();
    await world.ctx.db.insert(inbox).values({ id, provider: "sandbox", providerEventId: id, type: "recurring_pix", objectId: code.recurringPixId, body: "{}", receivedAt: 0 });
    await world.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
    await world.drain();
    const [event] = await world.ctx.db.select().from(inbox).where(eq(inbox.id, id));
    expect(event).toMatchObject({ quarantineReason: "unknown_recurring_pix", handledAt: null });
  });

  test("a second tab joins the code; another way to pay lets it go, at the provider too", async () => {
    const code = await automaticCheckout(world, bruno, ana);
    const wish = { memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "pix" as const, cardToken: null };
    expect((await startSubscription(world.ctx, { ...wish, isAutomatic: true })).chargeId).toBe(code.chargeId);
    const other = await startSubscription(world.ctx, wish);
    expect(other.chargeId).not.toBe(code.chargeId);
    expect(await atProvider(code)).toBe("canceled");
    expect((await chargeRow(world.ctx, code))?.status).toBe("failed");
    expect(await chargeRow(world.ctx, other)).toMatchObject({ status: "awaiting_payment", recurringPixId: null });
  });
});

describe("renewals", () => {
  test("one debit is ordered five days before, for the eve, and moves the period on without drift", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const before = await rowOf(world, code);
    await goTo(code, -5.5);
    expect(await debitsOf(world, code)).toEqual([]);
    await goTo(code, -4.5);
    await goTo(code, -2);
    const [debit, ...more] = await debitsOf(world, code);
    expect(more).toEqual([]);
    expect(debit).toMatchObject({ status: "processing", amountCents: 1_990, debitOn: debitDayOf(before.currentPeriodEndsAt ?? 0), periodStartsAt: before.currentPeriodEndsAt });
    expect(await ordersOf(debit as never)).toMatchObject([{ status: "scheduled", due_on: debit?.debitOn }]);
    // Not a code beside it.
    expect(await chargesOf(world, code)).toHaveLength(2);
    await goTo(code, -0.1);
    expect(await rowOf(world, code)).toMatchObject({ status: "active", currentPeriodStartsAt: before.currentPeriodEndsAt });
    expect(await letters("em atraso")).toEqual([]);
  });

  test("refused, the bank tries three times more while the access stays; then it is paid by hand and the authorisation goes on", { timeout: 90_000 }, async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    for (const [index, days] of [-0.9, 1.1, 3.1, 5.1].entries()) {
      await world.advance(startsAt + (days - 0.5) * DAY_MS - world.ctx.now() - 12 * HOUR_MS);
      const orders = await ordersOf(debit as never);
      expect(orders).toHaveLength(index + 1);
      await atBank(world, `instructions/${orders.at(-1)?.id}/refuse`);
      await world.drain();
      await world.tick();
    }
    expect(await ordersOf(debit as never)).toHaveLength(4);
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({ status: "failed", failureCode: "insufficient_funds" });
    expect(await rowOf(world, code)).toMatchObject({ status: "past_due", recurringPixId: code.authorisationId });
    await sweepOutbox({ ...world.ctx, realNow: () => Date.now() + MINUTE_MS });
    expect(await letters("não passou")).toHaveLength(1);
    const { chargeId } = await payRenewalByCode(world.ctx, mine(code));
    expect((await payRenewalByCode(world.ctx, mine(code))).chargeId).toBe(chargeId);
    await pay(world, { providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "" });
    await world.drain();
    expect(await rowOf(world, code)).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt, recurringPixId: code.authorisationId });
    // The next one is debited again.
    await goTo(code, -4.5);
    expect((await debitsOf(world, code)).at(-1)).toMatchObject({ status: "processing" });
  });

  test("a refused debit that the bank pays at its next try renews, and a code paid beside it goes back", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await atBank(world, `instructions/${(await ordersOf(debit as never))[0]?.id}/refuse`);
    await world.drain();
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({ status: "processing", failureCode: "insufficient_funds" });
    const { chargeId } = await payRenewalByCode(world.ctx, mine(code));
    expect((await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.status).toBe("failed");
    // The bank takes it all the same.
    await world.env.PSP_DB.prepare("UPDATE charges SET status = 'succeeded', succeeded_at = ?, settles_at = ? WHERE id = ?").bind(world.ctx.now(), world.ctx.now(), debit?.providerChargeId).run();
    await pay(world, { providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "" });
    await world.drain();
    const id = world.ctx.newId();
    await world.ctx.db.insert(inbox).values({ id, provider: "sandbox", providerEventId: id, type: "charge", objectId: debit?.providerChargeId ?? "", body: "{}", receivedAt: 0 });
    await world.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
    await world.drain();
    await world.tick();
    expect(await rowOf(world, code)).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "succeeded" });
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({ status: "refunded" });
  });

  test("with an order at the bank that is past taking back, no code is given beside it", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    await expect(payRenewalByCode(world.ctx, mine(code))).rejects.toThrow(NothingToPay);
    const [debit] = await debitsOf(world, code);
    // The night before its day, whatever time the test runs at: banks debit in the morning.
    await world.advance(instantOfIsoDay(debit?.debitOn ?? "") - HOUR_MS - world.ctx.now());
    await atBank(world, `instructions/${(await ordersOf(debit as never))[0]?.id}/refuse`);
    await world.drain();
    await goTo(code, 0.1, startsAt);
    const again = (await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.debitOn ?? "";
    expect(await rowOf(world, code)).toMatchObject({ status: "past_due" });
    await world.advance(instantOfIsoDay(again) - HOUR_MS - world.ctx.now());
    await expect(payRenewalByCode(world.ctx, mine(code))).rejects.toThrow(DebitUnderWay);
    expect((await chargesOf(world, code)).filter(({ status }) => status === "awaiting_payment")).toEqual([]);
  });

  test("unpaid to the end, it expires and the authorisation is ended at the provider", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await world.env.PSP_DB.prepare("UPDATE instructions SET due_at = ? WHERE charge_id = ?").bind(startsAt + 90 * DAY_MS, debit?.providerChargeId).run();
    await goTo(code, 0.1, startsAt);
    expect((await rowOf(world, code)).status).toBe("past_due");
    await goTo(code, 7.1, startsAt);
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await rowOf(world, code)).toMatchObject({ status: "expired", recurringPixId: null });
    expect(await atProvider(code)).toBe("canceled");
  });
});

describe("stopping", () => {
  test("canceled, the debit is taken back; taken up again, it is ordered once more", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await cancelSubscription(world.ctx, mine(code));
    expect((await chargeRow(world.ctx, { chargeId: debit?.id ?? "" }))?.status).toBe("canceled");
    expect(await ordersOf(debit as never)).toMatchObject([{ status: "canceled" }]);
    expect(await rowOf(world, code)).toMatchObject({ status: "canceled", recurringPixId: code.authorisationId });
    await reactivateSubscription(world.ctx, mine(code));
    expect((await debitsOf(world, code)).map(({ status }) => status)).toEqual(["canceled", "processing"]);
  });

  test.each([
    ["canceled", cancelSubscription],
    ["paused", pauseSubscription],
  ])("%s too late for the bank, what it takes goes back at once", async (status, stop) => {
    const code = await automaticSubscriber(world, bruno, ana);
    const startsAt = await startsNext(code);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await world.advance(instantOfIsoDay(debit?.debitOn ?? "") - HOUR_MS - world.ctx.now());
    await stop(world.ctx, mine(code));
    expect(await chargeRow(world.ctx, { chargeId: debit?.id ?? "" })).toMatchObject({ status: "processing" });
    await goTo(code, -0.2, startsAt);
    expect(await rowOf(world, code)).toMatchObject({ status });
    expect(await refundsOf(world.ctx, debit?.id ?? "")).toEqual([{ status: "succeeded", amountCents: 1_990 }]);
  });

  test("a crash between the cancellation and the provider is mended by the calendar", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    const [debit] = await debitsOf(world, code);
    await world.ctx.db.run(`UPDATE subscriptions SET status = 'canceled' WHERE id = '${code.subscriptionId}'`);
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await ordersOf(debit as never)).toMatchObject([{ status: "canceled" }]);
  });

  test("regretted, everything goes back and the authorisation is ended at the provider", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    await regretSubscription(world.ctx, mine(code));
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await rowOf(world, code)).toMatchObject({ status: "expired", recurringPixId: null });
    expect(await atProvider(code)).toBe("canceled");
    expect(await letters("foi encerrado")).toEqual([]);
  });

  test("ended at the bank, its debit is over, a code comes in its place and its person is told", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    await goTo(code, -4.5);
    await atBank(world, `recurring/${code.recurringPixId}/cancel`);
    await world.drain();
    await world.tick();
    expect(await rowOf(world, code)).toMatchObject({ status: "active", recurringPixId: null });
    expect((await debitsOf(world, code)).map(({ status }) => status)).toEqual(["failed"]);
    expect(await letters("foi encerrado")).toHaveLength(1);
    await goTo(code, -2.9);
    expect((await chargesOf(world, code)).at(-1)).toMatchObject({ status: "awaiting_payment", debitOn: null });
  });

  test("ended here, nothing more is debited and a code comes in its place", async () => {
    const code = await automaticSubscriber(world, bruno, ana);
    const stranger = await person(world.ctx);
    await expect(endAutomatic(world.ctx, { fanId: stranger.id, subscriptionId: code.subscriptionId })).rejects.toThrow(SubscriptionNotFound);
    await goTo(code, -4.5);
    await endAutomatic(world.ctx, mine(code));
    expect(await atProvider(code)).toBe("canceled");
    expect(await rowOf(world, code)).toMatchObject({ status: "active", recurringPixId: null });
    await expect(endAutomatic(world.ctx, mine(code))).rejects.toThrow(NoAutomatic);
    await goTo(code, -2.9);
    const [, debit, sent] = await chargesOf(world, code);
    expect(debit).toMatchObject({ status: "canceled" });
    expect(sent).toMatchObject({ status: "awaiting_payment", debitOn: null });
  });

  test("a silent end at the bank is found within a day", async () => {
    const quiet = await testContext({ webhooks: false });
    const code = await automaticCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    await quiet.advance(31 * 60_000);
    await quiet.tick();
    await quiet.tick();
    await atBank(quiet, `recurring/${code.recurringPixId}/cancel`);
    await quiet.advance(DAY_MS + 60_000);
    await quiet.tick();
    expect(await rowOf(quiet, code)).toMatchObject({ status: "active", recurringPixId: null });
  });
});

describe("moving to it", () => {
  test("one code pays the next period now, and debits the ones after", async () => {
    const subscriptionId = (await subscribed(world, bruno, ana)).purchaseId;
    const startsAt = await startsNext({ subscriptionId });
    const { chargeId } = await authoriseAutomatic(world.ctx, mine({ subscriptionId }));
    expect((await authoriseAutomatic(world.ctx, mine({ subscriptionId }))).chargeId).toBe(chargeId);
    const code = await codeOf(world, chargeId);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    const row = await rowOf(world, code);
    expect(row).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt, recurringPixId: code.authorisationId });
    await expect(authoriseAutomatic(world.ctx, mine({ subscriptionId }))).rejects.toThrow(AutomaticAlready);
    await goTo(code, -4.5);
    expect(await debitsOf(world, code)).toMatchObject([{ status: "processing", periodStartsAt: row.currentPeriodEndsAt }]);
  });

  test("a code that nobody paid leaves everything as it was: the renewal is sent on its day", async () => {
    const subscriptionId = (await subscribed(world, bruno, ana)).purchaseId;
    const { chargeId } = await authoriseAutomatic(world.ctx, mine({ subscriptionId }));
    const code = await codeOf(world, chargeId);
    await world.advance(31 * 60_000);
    await world.tick();
    await world.tick();
    expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("expired");
    expect(["expired", "canceled"]).toContain((await authorisationOf(world, code.authorisationId)).status);
    await goTo({ subscriptionId }, -2.9);
    expect((await chargesOf(world, { subscriptionId })).at(-1)).toMatchObject({ status: "awaiting_payment", recurringPixId: null });
  });

  test("late, the code pays what is late", async () => {
    const subscriptionId = (await subscribed(world, bruno, ana)).purchaseId;
    const startsAt = await startsNext({ subscriptionId });
    await goTo({ subscriptionId }, -2.9);
    await goTo({ subscriptionId }, 1, startsAt);
    expect((await rowOf(world, { subscriptionId })).status).toBe("past_due");
    const code = await codeOf(world, (await authoriseAutomatic(world.ctx, mine({ subscriptionId }))).chargeId);
    expect((await chargesOf(world, { subscriptionId })).map(({ status }) => status)).toEqual(["succeeded", "canceled", "awaiting_payment"]);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    expect(await rowOf(world, code)).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt, recurringPixId: code.authorisationId });
  });
});
