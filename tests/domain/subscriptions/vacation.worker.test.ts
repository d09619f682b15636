import { and, asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { AwayAlready, CreatorAway, NotAway, NothingToRest, VacationTooSoon } from "#app/domain/plans/errors/vacations.ts";
import { payAhead } from "#app/domain/subscriptions/commands/ahead.server.ts";
import { cancelSubscription, reactivateSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { giveComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { pauseSubscription, resumeSubscription } from "#app/domain/subscriptions/commands/pause.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renew.server.ts";
import { startTrial } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import { sweepVacation } from "#app/domain/subscriptions/commands/vacations.server.ts";
import { subscriptionOf, subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { actsOn, givesAccess } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { chargePeriods, chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { subscriptions, vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { automaticSubscriber, debitsOf } from "#tests/support/automatic.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, pay, pixCheckout, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx, { amountCents: 3_000 });
  bruno = await person(world.ctx, "Bruno");
});
afterEach(() => expectBooksToHold(world.ctx));

async function row(subscriptionId: string): Promise<Subscription & { currentPeriodEndsAt: number; accessUntil: number }> {
  const found = await subscriptionRow(world.ctx, { subscriptionId });
  if (!found || found.currentPeriodEndsAt === null || found.accessUntil === null) throw new Error("no subscription");
  return { ...found, currentPeriodEndsAt: found.currentPeriodEndsAt, accessUntil: found.accessUntil };
}
const chargesOf = (subscriptionId: string) => world.ctx.db.select().from(charges).where(eq(charges.purchaseId, subscriptionId)).orderBy(asc(charges.createdAt));
const open = async (subscriptionId: string) => (await chargesOf(subscriptionId)).filter(({ status }) => status === "awaiting_payment");
const coveredMs = async (subscriptionId: string) => (await world.ctx.db.select().from(chargePeriods).where(eq(chargePeriods.subscriptionId, subscriptionId))).reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
const told = async (personId: string, kind: string) => (await world.ctx.db.select({ body: notifications.body }).from(notifications).where(and(eq(notifications.personId, personId), eq(notifications.kind, kind)))).map(({ body }) => body);

/** To the minute: the clock goes on while a test runs. */
const near = (at: number) => ({ asymmetricMatch: (other: unknown) => typeof other === "number" && Math.abs(other - at) < MINUTE_MS, toAsymmetricMatcher: () => `about ${at}` });

/** On vacation for `days`, everybody moved. */
async function away(days: number): Promise<{ vacationId: string; endsAt: number }> {
  const begun = await startVacation(world.ctx, { creatorId: ana.id, days });
  await world.drain();
  return begun;
}
async function back(): Promise<void> {
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
}
async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
}
async function byCard(fan: TestPerson): Promise<string> {
  const { chargeId } = await startSubscription(world.ctx, { memberId: fan.id, memberName: fan.name, planPriceId: ana.priceId, method: "card", cardToken: await cardToken(world) });
  await world.drain();
  return (await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "";
}

describe("by Pix, with the code of the next period sent", () => {
  test("it is moved by the same days and taken back; nothing is asked for until the return, and then everything is as it was", async () => {
    const { purchaseId: id } = await subscribed(world, bruno, ana);
    await wait((await row(id)).currentPeriodEndsAt - world.ctx.now() - 2 * DAY_MS);
    const [[sent], before, paidMs] = [await open(id), await row(id), await coveredMs(id)];
    const { endsAt } = await away(14);
    expect(await row(id)).toMatchObject({ status: "active", currentPeriodEndsAt: before.currentPeriodEndsAt + 14 * DAY_MS, accessUntil: before.accessUntil + 14 * DAY_MS, anchorAt: before.currentPeriodEndsAt + 14 * DAY_MS });
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("canceled");
    expect(await coveredMs(id)).toBe(paidMs);
    expect(await told(bruno.id, "vacation.began")).toHaveLength(1);
    // Paid all the same, it goes back, and nothing moves.
    await pay(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("refunded");
    // What nobody does meanwhile.
    const mine = { fanId: bruno.id, subscriptionId: id };
    await expect(pauseSubscription(world.ctx, mine)).rejects.toThrow(CreatorAway);
    await expect(payAhead(world.ctx, { ...mine, periods: 3 })).rejects.toThrow(CreatorAway);
    await expect(pixCheckout(world, await person(world.ctx), ana)).rejects.toThrow(CreatorAway);
    const view = await subscriptionOf(world.ctx, mine);
    expect(view).toMatchObject({ awayUntil: endsAt, vacationMs: 14 * DAY_MS });
    expect(view && actsOn(view, world.ctx.now())).toEqual(["payment_method", "cancel"]);
    await wait(13 * DAY_MS);
    expect([await open(id), (await chargesOf(id)).length]).toEqual([[], 2]);
    await wait(DAY_MS + MINUTE_MS);
    const [again] = await open(id);
    await pay(world, { providerChargeId: again?.providerChargeId ?? "" });
    await world.drain();
    expect(await row(id)).toMatchObject({ status: "active", currentPeriodStartsAt: before.currentPeriodEndsAt + 14 * DAY_MS });
    await expect(returnFromVacation(world.ctx, { creatorId: ana.id })).rejects.toThrow(NotAway);
    await expect(startVacation(world.ctx, { creatorId: ana.id, days: 7 })).rejects.toThrow(VacationTooSoon);
  });

  test("cut short, it is moved back once by the days that were not taken, whoever comes to it first and however often", async () => {
    const { purchaseId: id } = await subscribed(world, bruno, ana);
    await world.advance(10 * DAY_MS);
    const before = await row(id);
    const { vacationId } = await away(30);
    await world.advance(5 * DAY_MS);
    await returnFromVacation(world.ctx, { creatorId: ana.id });
    await Promise.all([advanceSubscription(world.ctx, { subscriptionId: id }), sweepVacation(world.ctx, { vacationId }), sweepVacation(world.ctx, { vacationId })]);
    await world.drain();
    await sweepVacation(world.ctx, { vacationId });
    expect(await row(id)).toMatchObject({ currentPeriodEndsAt: near(before.currentPeriodEndsAt + 5 * DAY_MS), accessUntil: near(before.accessUntil + 5 * DAY_MS) });
    expect(await told(bruno.id, "vacation.cut_short")).toEqual([expect.stringContaining("5 dias mais longa")]);
    expect(await subscriptionOf(world.ctx, { fanId: bruno.id, subscriptionId: id })).toMatchObject({ awayUntil: null, vacationMs: near(5 * DAY_MS) });
    expect((await subscribed(world, await person(world.ctx), ana)).status).toBe("succeeded");
  });
});

test("a card is not charged in a vacation, even when the worker that moves everybody never came; after an early return not before its reminder", async () => {
  const id = await byCard(bruno);
  const before = await row(id);
  await world.advance(before.currentPeriodEndsAt - world.ctx.now() - HOUR_MS);
  await startVacation(world.ctx, { creatorId: ana.id, days: 20 });
  world.queued.length = 0;
  await world.advance(2 * HOUR_MS);
  await advanceSubscription(world.ctx, { subscriptionId: id });
  expect(await row(id)).toMatchObject({ status: "active", currentPeriodEndsAt: before.currentPeriodEndsAt + 20 * DAY_MS });
  await wait(6 * DAY_MS);
  expect(await chargesOf(id)).toHaveLength(1);
  await back();
  expect((await row(id)).currentPeriodEndsAt).toEqual(near(addDays(world.ctx.now(), 3)));
  await world.tick();
  expect([(await chargesOf(id)).length, await told(bruno.id, "subscription.reminded")]).toEqual([1, [expect.stringContaining("renova em")]]);
  await wait(3 * DAY_MS + MINUTE_MS);
  expect((await chargesOf(id)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

test("arrears keep their days of grace and are asked for anew after the return; what was canceled keeps its days", async () => {
  const carla = await person(world.ctx, "Carla");
  const { purchaseId: late } = await subscribed(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const { purchaseId: left } = await subscribed(world, carla, ana);
  await cancelSubscription(world.ctx, { fanId: carla.id, subscriptionId: left });
  await wait((await row(late)).currentPeriodEndsAt - world.ctx.now() - HOUR_MS);
  await wait(2 * DAY_MS);
  const canceled = await row(left);
  const before = await row(late);
  expect(before.status).toBe("past_due");
  const [due] = await open(late);
  await away(10);
  expect(await row(late)).toMatchObject({ status: "past_due", accessUntil: before.accessUntil + 10 * DAY_MS });
  expect((await row(left)).accessUntil).toBe(canceled.accessUntil + 10 * DAY_MS);
  expect((await chargeRow(world.ctx, { chargeId: due?.id ?? "" }))?.status).toBe("canceled");
  await expect(reactivateSubscription(world.ctx, { fanId: carla.id, subscriptionId: left })).rejects.toThrow(CreatorAway);
  await wait(9 * DAY_MS);
  expect([(await row(late)).status, await open(late), givesAccess(await row(late), world.ctx.now())]).toEqual(["past_due", [], true]);
  await wait(DAY_MS + MINUTE_MS);
  const [again] = await open(late);
  await pay(world, { providerChargeId: again?.providerChargeId ?? "" });
  await world.drain();
  expect(await row(late)).toMatchObject({ status: "active", currentPeriodStartsAt: before.currentPeriodEndsAt + 10 * DAY_MS });
});

test("free days without a card have three days to be paid after the return; none begin meanwhile", async () => {
  ana = await seller(world.ctx, { amountCents: 3_000, trialDays: 7 });
  const trial = (fan: TestPerson) => startTrial(world.ctx, { memberId: fan.id, memberName: fan.name, planPriceId: ana.priceId, method: "pix", cardToken: null, trialDays: 7 });
  const begun = await trial(bruno);
  if (begun.kind !== "began") throw new Error("no trial");
  await wait(6 * DAY_MS);
  const { endsAt } = await away(7);
  expect(await row(begun.subscriptionId)).toMatchObject({ status: "trialing", currentPeriodEndsAt: addDays(endsAt, 3), accessUntil: addDays(endsAt, 3) });
  await expect(trial(await person(world.ctx))).rejects.toThrow(CreatorAway);
  await wait(7 * DAY_MS + MINUTE_MS);
  const [sent] = await open(begun.subscriptionId);
  expect(sent?.expiresAt).toBe(addDays(endsAt, 3));
  await pay(world, { providerChargeId: sent?.providerChargeId ?? "" });
  await world.drain();
  expect(await row(begun.subscriptionId)).toMatchObject({ status: "active", currentPeriodStartsAt: addDays(endsAt, 3) });
});

test("what rests is moved when it goes on, with every day that it kept; canceled then, too", async () => {
  const carla = await person(world.ctx, "Carla");
  const [{ purchaseId: resumed }, { purchaseId: canceled }] = [await subscribed(world, bruno, ana), await subscribed(world, carla, ana)];
  await world.advance(10 * DAY_MS);
  const [kept, keptToo] = [(await row(resumed)).accessUntil - world.ctx.now(), (await row(canceled)).accessUntil - world.ctx.now()];
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: resumed });
  await pauseSubscription(world.ctx, { fanId: carla.id, subscriptionId: canceled });
  await world.advance(DAY_MS);
  const { endsAt } = await away(20);
  expect(await world.ctx.db.$count(vacationShifts, eq(vacationShifts.subscriptionId, resumed))).toBe(0);
  await world.advance(5 * DAY_MS);
  await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId: resumed });
  await cancelSubscription(world.ctx, { fanId: carla.id, subscriptionId: canceled });
  await world.drain();
  expect(await row(resumed)).toMatchObject({ status: "active", accessUntil: near(endsAt + kept) });
  expect(await row(canceled)).toMatchObject({ status: "canceled", accessUntil: near(endsAt + keptToo) });
  await world.advance(5 * DAY_MS);
  await back();
  expect((await row(resumed)).accessUntil).toEqual(near(world.ctx.now() + kept));
  expect((await row(canceled)).accessUntil).toEqual(near(world.ctx.now() + keptToo));
});

test("a debit of Pix Automático that the bank has already is taken back", async () => {
  const code = await automaticSubscriber(world, bruno, ana);
  await wait((await row(code.subscriptionId)).currentPeriodEndsAt - world.ctx.now() - 4 * DAY_MS);
  const [ordered] = await debitsOf(world, code);
  expect(ordered?.status).toBe("processing");
  await away(7);
  const status = async () => (await chargeRow(world.ctx, { chargeId: ordered?.id ?? "" }))?.status;
  await wait(2 * MINUTE_MS);
  expect(await status()).toBe("canceled");
  await wait(7 * DAY_MS);
  expect((await debitsOf(world, code)).filter((one) => one.status === "processing" && one.periodStartsAt !== ordered?.periodStartsAt)).toHaveLength(1);
});

test("what is paid ahead begins later, and waits to be released until it does", async () => {
  const { purchaseId: id } = await subscribed(world, bruno, ana);
  const { chargeId } = await payAhead(world.ctx, { fanId: bruno.id, subscriptionId: id, periods: 3 });
  await pay(world, { providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "" });
  await world.drain();
  const parts = () => world.ctx.db.select({ beginsAt: chargeReleases.beginsAt }).from(chargeReleases).where(eq(chargeReleases.chargeId, chargeId)).orderBy(asc(chargeReleases.position));
  const [before, releases, paidMs] = [await row(id), await parts(), await coveredMs(id)];
  await world.advance(DAY_MS);
  await away(10);
  expect((await row(id)).currentPeriodEndsAt).toBe(before.currentPeriodEndsAt + 10 * DAY_MS);
  expect((await parts()).map(({ beginsAt }) => beginsAt)).toEqual(releases.map(({ beginsAt }) => (beginsAt ?? 0) + 10 * DAY_MS));
  expect(await coveredMs(id)).toBe(paidMs);
  await world.advance(4 * DAY_MS);
  await back();
  expect((await row(id)).currentPeriodEndsAt).toEqual(near(before.currentPeriodEndsAt + 4 * DAY_MS));
  expect((await parts()).map(({ beginsAt }) => beginsAt)).toEqual(releases.map(({ beginsAt }) => near((beginsAt ?? 0) + 4 * DAY_MS)));
});

test("a checkout that was open is given back when it is paid in a vacation, and begins nothing; a courtesy may begin and stays as it is", async () => {
  const waiting = await pixCheckout(world, bruno, ana);
  await away(7);
  await pay(world, waiting);
  await world.drain();
  expect((await chargeRow(world.ctx, waiting))?.status).toBe("refunded");
  const carla = await person(world.ctx, "Carla");
  await giveComp(world.ctx, { creatorId: ana.id, creatorName: ana.name, givenBy: ana.id, username: carla.username, planId: ana.planId, months: 1 });
  expect(await world.ctx.db.$count(vacationShifts, sql`${vacationShifts.subscriptionId} IN (SELECT id FROM subscriptions WHERE creator_id = ${ana.id})`)).toBe(0);
  await back();
});

test("after an early return who is not moved back yet may pause, and who begins then is not moved", async () => {
  const { purchaseId: id } = await subscribed(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const leftMs = (await row(id)).accessUntil - world.ctx.now();
  await startVacation(world.ctx, { creatorId: ana.id, days: 30 });
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  const [sweep] = world.queued.splice(0).filter(({ type }) => type === "vacation.sweep");
  const { purchaseId: later } = await subscribed(world, await person(world.ctx), ana);
  const begun = await row(later);
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id });
  await sweepVacation(world.ctx, { vacationId: sweep?.id ?? "" });
  await world.drain();
  expect((await row(later)).accessUntil).toBe(begun.accessUntil);
  await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id });
  expect((await row(id)).accessUntil).toEqual(near(world.ctx.now() + leftMs));
});

test("after an early return what is paid ahead begins where the days end that were given back, swept or not", async () => {
  const { purchaseId: id } = await subscribed(world, bruno, ana);
  const before = await row(id);
  await away(60);
  await world.advance(10 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  const { chargeId } = await payAhead(world.ctx, { fanId: bruno.id, subscriptionId: id, periods: 3 });
  expect((await row(id)).currentPeriodEndsAt).toEqual(near(before.currentPeriodEndsAt + 10 * DAY_MS));
  expect((await chargeRow(world.ctx, { chargeId }))?.periodStartsAt).toBe((await row(id)).currentPeriodEndsAt);
  await pay(world, { providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "" });
  await world.drain();
  const { currentPeriodEndsAt, accessUntil, anchorAt } = await row(id);
  await world.tick();
  expect(await row(id)).toMatchObject({ currentPeriodEndsAt, accessUntil, anchorAt });
});

test("one subscriber who cannot be moved keeps nobody behind them, and is named by the checks", async () => {
  const { purchaseId: stuck } = await subscribed(world, bruno, ana);
  const { purchaseId: other } = await subscribed(world, await person(world.ctx, "Carla"), ana);
  await world.ctx.db.run(sql.raw(`CREATE TRIGGER stuck BEFORE INSERT ON vacation_shifts WHEN NEW.subscription_id = '${stuck}' BEGIN SELECT RAISE(ABORT, 'stuck'); END`));
  await away(14);
  const left = async () => (await invariantFindings(world.ctx)).find(({ name }) => name === "vacations_move_once")?.rows.map((found) => found["id"]);
  expect([await world.ctx.db.$count(vacationShifts, eq(vacationShifts.subscriptionId, other)), await left()]).toEqual([1, [stuck]]);
  expect(world.logged.filter(({ event }) => event === "subscriptions.vacation_move_failed")).toHaveLength(1);
  await world.ctx.db.run(sql.raw("DROP TRIGGER stuck"));
  await back();
});

test("one vacation at a time, by who has a page; the database refuses whatever would be charged in it", async () => {
  await expect(startVacation(world.ctx, { creatorId: bruno.id, days: 7 })).rejects.toThrow(NothingToRest);
  await expect(returnFromVacation(world.ctx, { creatorId: ana.id })).rejects.toThrow(NotAway);
  const { purchaseId: id } = await subscribed(world, bruno, ana);
  await world.advance(MINUTE_MS);
  const starts = await Promise.allSettled(Array.from({ length: 6 }, () => startVacation(world.ctx, { creatorId: ana.id, days: 7 })));
  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of starts) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(AwayAlready);
  await world.drain();
  const [paid] = await chargesOf(id);
  if (!paid) throw new Error("no charge");
  await expect(world.ctx.db.insert(charges).values({ ...paid, id: world.ctx.newId(), providerChargeId: null, createdAt: world.ctx.now() + 1 })).rejects.toMatchObject({ cause: { message: expect.stringContaining("immutable_vacation") } });
  await expect(world.ctx.db.update(subscriptions).set({ status: "paused", pausedAt: 1, resumesAt: 2, updatedAt: world.ctx.now() }).where(eq(subscriptions.id, id))).rejects.toMatchObject({ cause: { message: expect.stringContaining("immutable_vacation") } });
  // What the night looks for: somebody who was left out.
  const [moved] = await world.ctx.db.select().from(vacationShifts).where(eq(vacationShifts.subscriptionId, id));
  if (!moved) throw new Error("not moved");
  await world.ctx.db.delete(vacationShifts).where(eq(vacationShifts.subscriptionId, id));
  expect((await invariantFindings(world.ctx)).filter(({ rows }) => rows.length > 0)).toMatchObject([{ name: "vacations_move_once", rows: [{ id }] }]);
  await world.ctx.db.insert(vacationShifts).values(moved);
  const returns = await Promise.allSettled(Array.from({ length: 6 }, () => returnFromVacation(world.ctx, { creatorId: ana.id })));
  expect(returns.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await world.drain();
});
