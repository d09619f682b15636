import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { savedCardsOf } from "#app/domain/billing/queries/billing.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { cancelSubscription, reactivateSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/end.server.ts";
import { giveComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { startTrial } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import { forgetTrialCard, settleTrialSetup } from "#app/domain/subscriptions/commands/trial-setup.server.ts";
import type { TrialCheckout } from "#app/domain/subscriptions/commands/trial.server.ts";
import { AlreadySubscribed, MethodNotOffered, NoSeatLeft, PaymentDeclined, PlanNotForSale, PlanPriceChanged, RegretTooLate, SavedCardGone, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { CardNotTyped, CardUnclear, TooManyTrialCards, TooManyTrials, TrialChanged, TrialUsed } from "#app/domain/subscriptions/errors/trials.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { trialFor } from "#app/domain/subscriptions/queries/trials.server.ts";
import { badgeOf } from "#app/domain/subscriptions/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { TRIALS_A_DAY } from "#app/domain/subscriptions/rules/trial.ts";
import { addDays, addMonths, DAY_MS, formatDay } from "#app/domain/time.ts";
import { billingDetails, savedMethods } from "#drizzle/schema/billing.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { coupons, couponUses, plans } from "#drizzle/schema/plans.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { audienceTotals, subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { meanwhile } from "#tests/support/meanwhile.ts";
import { cardToken, pay, pixCheckout, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const ASKS_3DS = "4000000000003220";
const DECLINES = "4000000000000002";
const DECLINES_LATER = "4000000000000341";
const TRIAL_DAYS = 7;
const PRICE_CENTS = 1_990;

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx, { trialDays: TRIAL_DAYS });
  bruno = await person(world.ctx, "Bruno");
});
afterEach(() => expectBooksToHold(world.ctx));

const wish = (more: Partial<TrialCheckout> = {}): TrialCheckout => ({ memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "pix", cardToken: null, trialDays: TRIAL_DAYS, amountCents: PRICE_CENTS, ...more });
const withCard = async (number?: string): Promise<TrialCheckout> => wish({ method: "card", cardToken: await cardToken(world, number) });

async function began(checkout: TrialCheckout): Promise<string> {
  const started = await startTrial(world.ctx, checkout);
  if (started.kind !== "began") throw new Error(`the trial is ${started.kind}`);
  await world.drain();
  return started.subscriptionId;
}

async function row(id: string) {
  const [found] = await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!found) throw new Error("no subscription");
  return found;
}
const rows = () => world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, bruno.id));
const chargesOf = (subscriptionId: string) => world.ctx.db.select().from(charges).where(eq(charges.purchaseId, subscriptionId));
const mails = async (words: string) => (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email))).filter(({ subject }) => subject.includes(words));
const seatsTaken = async () => (await world.ctx.db.select({ taken: plans.seatsTaken }).from(plans).where(eq(plans.id, ana.planId)))[0]?.taken;
const setups = () => world.ctx.db.select().from(trialSetups).where(eq(trialSetups.personId, bruno.id));

/** To so many days from the end of the trial, with the calendar run as its cron does. */
async function goTo(subscriptionId: string, days: number): Promise<void> {
  await world.advance(((await row(subscriptionId)).trialEndsAt ?? 0) + days * DAY_MS - world.ctx.now());
  await world.tick();
  await world.tick();
}

describe("a trial begins", () => {
  test("without a card: everything opens, nothing is charged or worth money, and a letter says how it ends", async () => {
    const at = world.ctx.now();
    const id = await began(wish());
    const trial = await row(id);
    const endsAt = addDays(trial.createdAt, TRIAL_DAYS);
    expect(trial).toMatchObject({ status: "trialing", accessUntil: endsAt, trialEndsAt: endsAt, currentPeriodEndsAt: endsAt, savedMethodId: null, amountCents: PRICE_CENTS });
    expect(trial.createdAt).toBeGreaterThanOrEqual(at);
    expect(await chargesOf(id)).toEqual([]);
    expect(await seatsTaken()).toBe(1);
    expect(await world.ctx.db.select().from(audienceTotals).where(eq(audienceTotals.creatorId, ana.id))).toMatchObject([{ status: "trialing", count: 1, monthlyCents: 0 }]);
    const [letter] = await mails("período grátis");
    expect(letter?.body).toContain("hoje não pagou nada");
    expect(letter?.body).toContain("código Pix de R$\u00a019,90");
    expect(letter?.body).toContain(`/settings/subscriptions/${id}/cancellation`);
    expect(badgeOf({ ...trial, status: trial.status as SubscriptionStatus })).toMatch(/^Período grátis · até \d\d\/\d\d$/);
  });

  test("by a card that is typed: it is kept with consent and charged nothing", async () => {
    const id = await began(await withCard());
    const [card] = await savedCardsOf(world.ctx, { personId: bruno.id });
    expect(await row(id)).toMatchObject({ status: "trialing", method: "card", savedMethodId: card?.id });
    expect(await chargesOf(id)).toEqual([]);
    expect((await mails("período grátis"))[0]?.body).toMatch(/Em \d\d\/\d\d\/\d{4} cobramos R\$\u00a019,90 no cartão/);
  });

  test("a bank that asks its owner first begins nothing until they say yes, also for two tabs at once", async () => {
    const started = await startTrial(world.ctx, await withCard(ASKS_3DS));
    if (started.kind !== "confirm") throw new Error("no confirmation was asked for");
    expect(started.nextActionUrl).toContain("/save/");
    expect(await rows()).toEqual([]);
    const { setupId } = started;
    await expect(settleTrialSetup(world.ctx, { setupId })).resolves.toMatchObject({ kind: "confirm" });
    await confirmedBy("approve");
    const both = await Promise.all([settleTrialSetup(world.ctx, { setupId }), settleTrialSetup(world.ctx, { setupId })]);
    expect(new Set(both.map((one) => one.kind === "began" && one.subscriptionId)).size).toBe(1);
    expect(await rows()).toMatchObject([{ status: "trialing", method: "card" }]);
    expect(await seatsTaken()).toBe(1);
  });

  test("confirmed in a tab that was closed, it begins by the calendar; not confirmed, it runs out and begins nothing", async () => {
    await startTrial(world.ctx, await withCard(ASKS_3DS));
    await confirmedBy("approve");
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await rows()).toMatchObject([{ status: "trialing" }]);
    const carla = await person(world.ctx, "Carla");
    await startTrial(world.ctx, { ...(await withCard(ASKS_3DS)), memberId: carla.id });
    await world.advance(31 * 60_000);
    await world.tick();
    expect(await world.ctx.db.select().from(trialSetups).where(eq(trialSetups.personId, carla.id))).toMatchObject([{ status: "expired" }]);
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.fanId, carla.id))).toBe(0);
  });

  test("a card that its bank refuses, or that was never typed, begins nothing", async () => {
    await expect(startTrial(world.ctx, await withCard(DECLINES))).rejects.toThrow(PaymentDeclined);
    await expect(startTrial(world.ctx, wish({ method: "card" }))).rejects.toThrow(CardNotTyped);
    await startTrial(world.ctx, await withCard(ASKS_3DS));
    await confirmedBy("refuse");
    const [waiting] = (await setups()).filter(({ status }) => status === "requires_action");
    await expect(settleTrialSetup(world.ctx, { setupId: waiting?.id ?? "" })).rejects.toThrow(PaymentDeclined);
    expect(await rows()).toEqual([]);
    expect((await setups()).map(({ status }) => status)).toEqual(["failed", "failed"]);
  });

  test("a provider that does not answer begins nothing, and says so", async () => {
    const checkout = await withCard();
    await world.console("/sandbox/chaos", { api_errors: 1 });
    await expect(startTrial(world.ctx, checkout)).rejects.toThrow(CardUnclear);
    await world.console("/sandbox/chaos", {});
    await world.advance(31 * 60_000);
    await world.tick();
    expect(await setups()).toMatchObject([{ status: "expired" }]);
  });

  test("five cards may wait for their banks at once, on as many pages, and no sixth", async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => seller(world.ctx, { trialDays: TRIAL_DAYS })));
    const tries: Promise<unknown>[] = [];
    for (const page of pages) tries.push(startTrial(world.ctx, { ...(await withCard(ASKS_3DS)), planPriceId: page.priceId }));
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(TooManyOpenPayments);
  });

  test("cards are tried ten times an hour and no more", async () => {
    for (let tries = 0; tries < 10; tries += 1) await expect(startTrial(world.ctx, await withCard(DECLINES))).rejects.toThrow(PaymentDeclined);
    await expect(startTrial(world.ctx, await withCard())).rejects.toThrow(TooManyTrialCards);
    expect((await startTrial(world.ctx, wish())).kind).toBe("began");
  });

  async function confirmedBy(answer: "approve" | "refuse"): Promise<void> {
    const [setup] = (await setups()).filter(({ status }) => status === "requires_action");
    await world.browse(`/save/${setup?.providerMethodId ?? ""}`, { method: "POST", body: new URLSearchParams({ decision: answer }) });
  }
});

describe("who may not begin one", () => {
  test("somebody who had one under another account of the same CPF", async () => {
    const again = await person(world.ctx, "Bruno de novo");
    const taxId = `${Date.now()}`.slice(-11);
    const details = { taxKind: "cpf" as const, taxId, name: "Bruno Reis", cep: "", street: "", number: "", complement: "", district: "", city: "", state: "", createdAt: 1, updatedAt: 1 };
    for (const { id } of [bruno, again]) await world.ctx.db.insert(billingDetails).values({ ...details, personId: id });
    const plan = { creatorId: ana.id, trialDays: TRIAL_DAYS };
    expect(await trialFor(world.ctx, { memberId: again.id, plan })).toMatchObject({ days: TRIAL_DAYS });
    await began(wish());
    // What is offered to a number that anybody may type tells nothing of whose it is; only trying does, and tries are counted.
    expect(await trialFor(world.ctx, { memberId: again.id, plan })).toMatchObject({ days: TRIAL_DAYS });
    for (let tries = 0; tries < TRIALS_A_DAY.limit; tries += 1) await expect(startTrial(world.ctx, { ...wish(), memberId: again.id })).rejects.toThrow(TrialUsed);
    await expect(startTrial(world.ctx, { ...wish(), memberId: again.id })).rejects.toThrow(TooManyTrials);
    expect(await trialFor(world.ctx, { memberId: again.id, plan: { ...plan, creatorId: (await seller(world.ctx)).id } })).not.toBeNull();
  });

  test("a second one, for ever: of any plan, after the first ended, and by ten clicks at once", async () => {
    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => startTrial(world.ctx, wish())));
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const click of clicks) if (click.status === "rejected") expect(click.reason).toBeInstanceOf(AlreadySubscribed);
    const [trial] = await rows();
    await goTo(trial?.id ?? "", 1);
    expect((await row(trial?.id ?? "")).status).toBe("expired");
    expect(await trialFor(world.ctx, { memberId: bruno.id, plan: { creatorId: ana.id, trialDays: 30 } })).toBeNull();
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
    // What the command may overlook, the database does not.
    const now = world.ctx.now();
    const again = { ...(await row(trial?.id ?? "")), id: world.ctx.newId(), status: "trialing", startedAt: now, trialEndsAt: now + DAY_MS, accessUntil: now + DAY_MS, currentPeriodEndsAt: now + DAY_MS };
    await expect(world.ctx.db.insert(subscriptions).values(again)).rejects.toThrow(/subscriptions/);
    await expect(world.ctx.db.update(subscriptions).set({ trialEndsAt: null }).where(eq(subscriptions.id, trial?.id ?? ""))).rejects.toThrow(/subscriptions/);
  });

  test("who subscribed before; a courtesy does not count", async () => {
    await subscribed(world, bruno, ana);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: (await rows())[0]?.id ?? "" });
    await world.advance(40 * DAY_MS);
    await world.tick();
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
    const carla = await person(world.ctx, "Carla");
    await giveComp(world.ctx, { creatorId: ana.id, creatorName: ana.name, givenBy: ana.id, username: carla.username, planId: ana.planId, months: 1 });
    await world.advance(40 * DAY_MS);
    await world.tick();
    expect((await startTrial(world.ctx, wish({ memberId: carla.id }))).kind).toBe("began");
  });

  test("who paid in another tab between reading and writing", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    const late = meanwhile(world.ctx, async () => {
      await pay(world, waiting);
      await world.drain();
    }, /insert into "subscriptions"/i);
    // The open code is let go first, so that the payment in between is a late one.
    await expect(startTrial(late, wish())).rejects.toThrow(AlreadySubscribed);
    expect((await rows()).filter(({ status }) => status !== "expired")).toMatchObject([{ status: "active", trialEndsAt: null }]);
  });

  test("whoever may not buy: blocked, full, archived, changed, or with a card that is gone or too small a price for one", async () => {
    await expect(startTrial(world.ctx, wish({ trialDays: 30 }))).rejects.toThrow(TrialChanged);
    await expect(startTrial(world.ctx, wish({ amountCents: 1_000 }))).rejects.toThrow(PlanPriceChanged);
    await expect(startTrial(world.ctx, wish({ method: "card", savedMethodId: "card-of-nobody" }))).rejects.toThrow(SavedCardGone);
    const small = await seller(world.ctx, { trialDays: TRIAL_DAYS, amountCents: 600, seatsLimit: 1 });
    const cheap = { planPriceId: small.priceId, amountCents: 600 };
    await expect(startTrial(world.ctx, { ...(await withCard()), ...cheap })).rejects.toThrow(MethodNotOffered);
    await startTrial(world.ctx, wish(cheap));
    await expect(startTrial(world.ctx, wish({ ...cheap, memberId: (await person(world.ctx)).id }))).rejects.toThrow(NoSeatLeft);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(PlanNotForSale);
    const shut = await seller(world.ctx, { trialDays: TRIAL_DAYS });
    await world.ctx.db.insert(blocks).values({ blockerId: shut.id, blockedId: bruno.id, createdAt: world.ctx.now() });
    await expect(startTrial(world.ctx, wish({ planPriceId: shut.priceId }))).rejects.toThrow(PlanNotForSale);
  });
});

describe("a trial ends", () => {
  test("by card: charged on its day, the first period begins there, and the regret counts from that payment", async () => {
    const id = await began(await withCard());
    await goTo(id, -1);
    expect(await chargesOf(id)).toEqual([]);
    await expect(regretSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id })).rejects.toThrow(RegretTooLate);
    await goTo(id, 0.01);
    const paid = await row(id);
    const endsAt = paid.trialEndsAt ?? 0;
    expect(paid).toMatchObject({ status: "active", currentPeriodStartsAt: endsAt, currentPeriodEndsAt: addMonths(endsAt, 1), accessUntil: addMonths(endsAt, 1) });
    const [charge, ...more] = await chargesOf(id);
    expect(more).toEqual([]);
    expect(charge).toMatchObject({ status: "succeeded", amountCents: PRICE_CENTS, periodStartsAt: endsAt });
    expect(await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, id))).toBe(1);
    expect((await mails("começou")).some(({ body }) => body.includes("recebemos R$\u00a019,90"))).toBe(true);
    await goTo(id, 6.5);
    await regretSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id });
    await world.drain();
    expect(await row(id)).toMatchObject({ status: "expired" });
    expect((await chargesOf(id))[0]).toMatchObject({ status: "refunded", refundedCents: PRICE_CENTS });
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
  });

  test("a month later it renews from the end of the trial, as anything else", async () => {
    const id = await began(await withCard());
    await goTo(id, 0.01);
    const before = await row(id);
    await world.advance((before.currentPeriodEndsAt ?? 0) + 60_000 - world.ctx.now());
    await world.tick();
    expect(await row(id)).toMatchObject({ status: "active", currentPeriodStartsAt: before.currentPeriodEndsAt, currentPeriodEndsAt: addMonths(before.trialEndsAt ?? 0, 2) });
    await expect(regretSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id })).rejects.toThrow(RegretTooLate);
  });

  test("by a card that does not pay: in arrears with the grace of a renewal, then over", async () => {
    const id = await began(await withCard(DECLINES_LATER));
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({ status: "past_due", accessUntil: addDays((await row(id)).trialEndsAt ?? 0, 7) });
    await goTo(id, 8.5);
    expect(await row(id)).toMatchObject({ status: "expired", holdsSeat: false });
    expect(await seatsTaken()).toBe(0);
    expect((await chargesOf(id)).every(({ succeededAt }) => succeededAt === null)).toBe(true);
  });

  test("by Pix: a code three days before; unpaid it just ends, paid it goes on from the trial's end", async () => {
    const id = await began(wish());
    await goTo(id, -3.5);
    expect(await chargesOf(id)).toEqual([]);
    await goTo(id, -2.5);
    const [sent, ...more] = await chargesOf(id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ status: "awaiting_payment", expiresAt: (await row(id)).trialEndsAt });
    const [letter, ...others] = (await mails("dias grátis")).filter(({ body }) => body.includes(sent?.pixCode ?? "no code"));
    expect(others).toEqual([]);
    expect(letter?.body).toContain(`vão até ${formatDay((await row(id)).trialEndsAt ?? 0)}. Para continuar, pague o Pix de R$\u00a019,90.`);
    expect(letter?.body).toContain("os dias grátis só terminam, e nada é cobrado");
    expect(letter?.body).not.toMatch(/renova|Pausar/);
    expect(letter?.body).toContain("Cancelar: ");
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({ status: "expired", holdsSeat: false });
    const carla = await person(world.ctx, "Carla");
    const hers = await began(wish({ memberId: carla.id }));
    await goTo(hers, -2.5);
    const [code] = await chargesOf(hers);
    await pay(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    const paid = await row(hers);
    expect(paid).toMatchObject({ status: "active", currentPeriodStartsAt: paid.trialEndsAt, accessUntil: addMonths(paid.trialEndsAt ?? 0, 1) });
    // Regret counts from the payment, in the days that are still free.
    await regretSubscription(world.ctx, { fanId: carla.id, subscriptionId: hers });
    await world.drain();
    expect(await row(hers)).toMatchObject({ status: "expired" });
  });

  test("a code that is paid after the end begins a period on that day", async () => {
    const id = await began(wish());
    await goTo(id, -2);
    const [code] = await chargesOf(id);
    await goTo(id, 2);
    expect((await row(id)).status).toBe("expired");
    await pay(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    const late = await row(id);
    expect(late).toMatchObject({ status: "active", currentPeriodEndsAt: addMonths(late.startedAt ?? 0, 1), holdsSeat: true });
    expect(late.startedAt).toBeGreaterThan(late.trialEndsAt ?? 0);
  });

  test("where no Pix is sold, without a card it just ends, and nobody is asked for anything", async () => {
    const plain = { ...world, ctx: { ...world.ctx, settings: { ...world.ctx.settings, pixEnabled: false } } };
    const started = await startTrial(plain.ctx, wish());
    await world.drain();
    expect((await mails("período grátis"))[0]?.body).toContain("termina sozinho");
    const id = started.kind === "began" ? started.subscriptionId : "";
    await goTo(id, -1);
    await goTo(id, 0.01);
    expect(await chargesOf(id)).toEqual([]);
    expect((await row(id)).status).toBe("expired");
  });

  test("canceled, the free days stay and nothing is ever charged; taken back, it is charged on its day", async () => {
    const id = await began(await withCard());
    const mine = { fanId: bruno.id, subscriptionId: id };
    await cancelSubscription(world.ctx, mine);
    expect(await row(id)).toMatchObject({ status: "canceled", accessUntil: (await row(id)).trialEndsAt });
    await reactivateSubscription(world.ctx, mine);
    expect(await row(id)).toMatchObject({ status: "trialing" });
    await cancelSubscription(world.ctx, mine);
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({ status: "expired" });
    expect(await chargesOf(id)).toEqual([]);
  });

  test("an archived plan keeps its trials, as it keeps its subscribers", async () => {
    const id = await began(await withCard());
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await goTo(id, 0.01);
    expect((await row(id)).status).toBe("active");
  });

  test("canceled right before the calendar writes, it is not charged", async () => {
    const id = await began(await withCard());
    await world.advance(((await row(id)).trialEndsAt ?? 0) - world.ctx.now() + 60_000);
    const { advanceSubscription } = await import("#app/domain/subscriptions/commands/renew.server.ts");
    await advanceSubscription(meanwhile(world.ctx, () => cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id })), { subscriptionId: id });
    await world.tick();
    expect(await chargesOf(id)).toEqual([]);
    expect((await row(id)).status).toBe("expired");
  });
});

describe("a coupon of a trial", () => {
  const used = async () => (await world.ctx.db.select().from(coupons).where(eq(coupons.creatorId, ana.id)))[0]?.usesCount;
  beforeEach(async () => void (await createCoupon(world.ctx, { creatorId: ana.id, code: "VEM", percent: null, amountCents: 500, cycles: 2, usesLimit: 1, planIds: null, expiresAt: null })));

  test("discounts the first payments, not the free days, and is one use", async () => {
    const id = await began({ ...(await withCard()), coupon: "VEM", amountCents: 1_490 });
    expect(await used()).toBe(1);
    await goTo(id, 0.01);
    const [charge] = await chargesOf(id);
    expect(charge).toMatchObject({ status: "succeeded", amountCents: 1_490 });
    expect(await world.ctx.db.select().from(couponUses).where(eq(couponUses.subscriptionId, id))).toMatchObject([{ chargeId: charge?.id, cyclesLeft: 1, freedAt: null }]);
  });

  test("is free again when the trial ends without a payment", async () => {
    const id = await began(wish({ coupon: "VEM", amountCents: 1_490 }));
    await goTo(id, 0.01);
    expect((await row(id)).status).toBe("expired");
    expect(await used()).toBe(0);
  });
});

test("a process that dies at any point of a card's trial leaves one trial or none, and no charge", async () => {
  let at = 1;
  for (let finished = false; !finished; at += 1) {
    const points = crashPoints();
    const fan = await person(world.ctx, "Davi");
    const dying = { ...world.ctx, db: (await import("#app/db/client.server.ts")).openDatabase(points.database(world.env.DB)), payments: points.port(world.ctx.payments) };
    const checkout = { ...(await withCard()), memberId: fan.id };
    points.arm(at);
    finished = (await survives(points, () => startTrial(dying, checkout))) === "finished";
    points.disarm();
    await world.advance(31 * 60_000);
    await world.tick();
    const made = await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, fan.id));
    expect(made.length).toBeLessThanOrEqual(1);
    for (const one of made) expect(one).toMatchObject({ status: "trialing", holdsSeat: true });
    expect(await world.ctx.db.$count(charges, eq(charges.payerId, fan.id))).toBe(0);
    expect(await world.ctx.db.$count(trialSetups, and(eq(trialSetups.personId, fan.id), eq(trialSetups.status, "created")))).toBe(0);
  }
  expect(at).toBeGreaterThan(5);
});

test("a card that came too late for its trial is forgotten at the provider too", async () => {
  await startTrial(world.ctx, await withCard(ASKS_3DS));
  const [setup] = await setups();
  await world.browse(`/save/${setup?.providerMethodId ?? ""}`, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
  await began(wish());
  await expect(settleTrialSetup(world.ctx, { setupId: setup?.id ?? "" })).rejects.toThrow(AlreadySubscribed);
  await forgetTrialCard(world.ctx, { setupId: setup?.id ?? "" });
  expect(await setups()).toMatchObject([{ status: "failed", providerMethodId: null }]);
  await expect(world.ctx.payments.savedMethodById(setup?.providerMethodId ?? "")).resolves.toMatchObject({ status: "removed" });
  expect(await world.ctx.db.$count(savedMethods, eq(savedMethods.personId, bruno.id))).toBe(0);
});

test("its page says the trial to who has it", async () => {
  const id = await began(wish());
  expect(await subscriptionOf(world.ctx, { fanId: bruno.id, subscriptionId: id })).toMatchObject({ status: "trialing", trialEndsAt: (await row(id)).trialEndsAt });
});
