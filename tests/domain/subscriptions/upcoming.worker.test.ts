import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deletionFigures } from "#app/domain/deletion/queries/figures.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { claimGift } from "#app/domain/purchases/commands/claim-gift.server.ts";
import { regretGift } from "#app/domain/purchases/commands/end-gift.server.ts";
import { SubscribesAlready } from "#app/domain/purchases/errors/gifts.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import type { Checkout } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { giveComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/end.server.ts";
import { AlreadySubscribed, BeginsOtherwise, MethodNotOffered } from "#app/domain/subscriptions/errors.ts";
import { NotPayableAhead } from "#app/domain/subscriptions/errors/ahead.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { actsOn } from "#app/domain/subscriptions/rules.ts";
import { addDays, addMonths, DAY_MS, formatDay, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { chargePeriods, chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { gifted } from "#tests/support/gifts.ts";
import { cardToken, pay } from "#tests/support/money.ts";
import { moderator, person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
  clara = await person(world.ctx, "Clara Nunes");
});
afterEach(() => expectBooksToHold(world.ctx));

const row = async (id: string) => {
  const [found] = await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!found) throw new Error("no subscription");
  return found;
};
/** Clara opens a gift of a month; gives it, and when it ends. */
async function given() {
  const { code, gift } = await gifted(world, await person(world.ctx, "Bruno Reis"), ana);
  const { subscriptionId, accessUntil } = await claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code });
  await world.drain();
  return { id: subscriptionId, endsAt: accessUntil, giverId: gift.giverId };
}
const wish = (more: Partial<Checkout> = {}): Checkout => ({ memberId: clara.id, memberName: clara.name, planPriceId: ana.priceId, method: "pix", cardToken: null, ...more });
/** Clara pays now for what comes after `endsAt`. */
async function followed(beginsAt: number) {
  const { chargeId } = await startSubscription(world.ctx, wish({ beginsAt }));
  const charge = await chargeRow(world.ctx, { chargeId });
  await pay(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  return { id: charge?.purchaseId ?? "", chargeId };
}
/** Its money, which goes back, or waits for its beginning. */
const heldOf = async (chargeId: string) => (await world.ctx.db.select().from(chargeReleases).where(eq(chargeReleases.chargeId, chargeId)))[0];
async function goTo(at: number): Promise<void> {
  await world.advance(at - world.ctx.now());
  await world.tick();
  await world.tick();
}
const badge = async (id: string) => (await subscriptionOf(world.ctx, { fanId: clara.id, subscriptionId: id }))?.badge;
const acts = async (id: string) => {
  const view = await subscriptionOf(world.ctx, { fanId: clara.id, subscriptionId: id });
  return view ? actsOn(view, world.ctx.now()) : [];
};
const subjects = async () => (await world.ctx.db.select({ subject: localMails.subject }).from(localMails).where(eq(localMails.recipient, clara.email))).map(({ subject }) => subject);
const letter = async (about: RegExp) => (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, clara.email))).find(({ subject }) => about.test(subject))?.body;
const counted = async () => (await world.ctx.db.select({ count: profiles.subscribersCount }).from(profiles).where(eq(profiles.personId, ana.id)))[0]?.count;
const seats = async () => (await world.ctx.db.select({ taken: plans.seatsTaken }).from(plans).where(eq(plans.id, ana.planId)))[0]?.taken;

describe("paid while a gift runs", () => {
  test("it opens nothing, begins as the gift ends without a day between, and renews from there; its money waits out the regret of then", async () => {
    const gift = await given();
    expect(await acts(gift.id)).toContain("follow");
    const { id, chargeId } = await followed(gift.endsAt);
    const next = addMonths(gift.endsAt, 1);
    expect(await row(id)).toMatchObject({ status: "upcoming", startedAt: gift.endsAt, currentPeriodStartsAt: gift.endsAt, currentPeriodEndsAt: next, accessUntil: null, beginsAfter: gift.id });
    expect(await badge(id)).toMatch(/^Começa em \d\d\/\d\d$/);
    expect(await acts(gift.id)).not.toContain("follow");
    expect([await counted(), await seats()]).toEqual([1, 2]);
    expect((await subjects()).some((subject) => /^Sua assinatura de .* começa em \d\d\/\d\d\/\d{4}$/.test(subject))).toBe(true);
    const [part] = await world.ctx.db.select().from(chargeReleases).where(eq(chargeReleases.chargeId, chargeId));
    expect(part?.beginsAt).toBe(gift.endsAt);
    expect(part?.releaseAt).toBeGreaterThanOrEqual(gift.endsAt + 7 * DAY_MS);
    await expectBooksToHold(world.ctx);

    await goTo(gift.endsAt - HOUR_MS);
    expect((await row(id)).status).toBe("upcoming");
    await goTo(gift.endsAt + MINUTE_MS);
    expect((await row(gift.id)).status).toBe("expired");
    expect(await row(id)).toMatchObject({ status: "active", accessUntil: next });
    expect([await counted(), await seats()]).toEqual([1, 1]);
    const told = await subjects();
    expect(told.some((subject) => subject.endsWith("começou"))).toBe(true);
    expect(await letter(/começou$/)).toContain("escreveu para você: Que bom que você veio!");
    expect(told.some((subject) => subject.startsWith("O seu presente") && subject.endsWith("terminou"))).toBe(false);
    await goTo(addDays(next, -2));
    expect((await subscriptionOf(world.ctx, { fanId: clara.id, subscriptionId: id }))?.openChargeId).not.toBeNull();
  });

  test("canceled before it begins all of it goes back, the gift goes on, and another may be paid", async () => {
    const gift = await given();
    const { id, chargeId } = await followed(gift.endsAt);
    expect(await acts(id)).toContain("cancel");
    await world.advance(10 * DAY_MS);
    await regretSubscription(world.ctx, { fanId: clara.id, subscriptionId: id });
    await world.drain();
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "refunded", refundedCents: 1_990 });
    expect((await row(id)).status).toBe("expired");
    expect(await row(gift.id)).toMatchObject({ status: "canceled", accessUntil: gift.endsAt });
    expect((await row((await followed(gift.endsAt)).id)).status).toBe("upcoming");
  });

  test("by card too; and not by what counts from today: several periods, Pix Automático", async () => {
    const gift = await given();
    await expect(startSubscription(world.ctx, wish({ beginsAt: gift.endsAt, periods: 3 }))).rejects.toThrow(NotPayableAhead);
    await expect(startSubscription(world.ctx, wish({ beginsAt: gift.endsAt, isAutomatic: true }))).rejects.toThrow(MethodNotOffered);
    const { chargeId } = await startSubscription(world.ctx, wish({ beginsAt: gift.endsAt, method: "card", cardToken: await cardToken(world) }));
    await world.drain();
    const id = (await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "";
    expect(await row(id)).toMatchObject({ status: "upcoming", method: "card", savedMethodId: expect.any(String) });
  });

  test("whoever was not shown the day pays nothing: it is the gift's end, and no other", async () => {
    const gift = await given();
    await expect(startSubscription(world.ctx, wish())).rejects.toThrow(AlreadySubscribed);
    await expect(startSubscription(world.ctx, wish({ beginsAt: gift.endsAt + DAY_MS }))).rejects.toThrow(BeginsOtherwise);
    await followed(gift.endsAt);
    await expect(startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }))).rejects.toThrow(AlreadySubscribed);
    const { code } = await gifted(world, await person(world.ctx, "Davi"), ana);
    await expect(claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code })).rejects.toThrow(SubscribesAlready);
    const elsewhere = await seller(world.ctx);
    await expect(startSubscription(world.ctx, wish({ planPriceId: elsewhere.priceId, beginsAt: gift.endsAt }))).rejects.toThrow(BeginsOtherwise);
  });

  test("two codes, and the gift taken back meanwhile: paid after that it begins at once, and the day of one that was paid before stays", async () => {
    const gift = await given();
    const { chargeId } = await startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }));
    expect((await startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }))).chargeId).toBe(chargeId);
    await regretGift(world.ctx, { personId: gift.giverId, giftId: gift.id });
    await world.drain();
    expect(await letter(/^O seu presente terminou$/)).toContain("é só assinar");
    const charge = await chargeRow(world.ctx, { chargeId });
    await pay(world, { providerChargeId: charge?.providerChargeId ?? "" });
    await world.drain();
    const at = await row(charge?.purchaseId ?? "");
    expect(at.status).toBe("active");
    expect(at.startedAt).toBeLessThan(gift.endsAt);
  });

  test("ended by who sells, all of it goes back", async () => {
    const gift = await given();
    const { id, chargeId } = await followed(gift.endsAt);
    await banPerson(world.ctx, { moderatorId: (await moderator(world.ctx)).id, personId: ana.id, reason: "Fraude" });
    await world.advance(DAY_MS + HOUR_MS);
    await world.tick();
    await world.tick();
    expect((await row(id)).status).toBe("expired");
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "refunded" });
  });
});

test("after a courtesy it begins as that ends", async () => {
  const { endsAt } = await giveComp(world.ctx, { creatorId: ana.id, creatorName: ana.name, givenBy: ana.id, username: clara.username, planId: ana.planId, months: 1 });
  const { id } = await followed(endsAt);
  expect(await row(id)).toMatchObject({ status: "upcoming", startedAt: endsAt });
  await goTo(endsAt + MINUTE_MS);
  expect(await row(id)).toMatchObject({ status: "active", accessUntil: addMonths(endsAt, 1) });
});

describe("behind a shut door", () => {
  const weekly = async () => {
    ana = await seller(world.ctx, { interval: "weekly" });
    const { endsAt } = await giveComp(world.ctx, { creatorId: ana.id, creatorName: ana.name, givenBy: ana.id, username: clara.username, planId: ana.planId, months: 1 });
    await world.advance(25 * DAY_MS);
    return { endsAt, ...(await followed(endsAt)) };
  };

  test.each(["creator", "fan"] as const)("what was paid waits while the %s leaves: regretted any day, figured and given back whole as they are gone", async (who) => {
    const { endsAt, chargeId, id } = await weekly();
    const { id: personId } = who === "creator" ? ana : clara;
    const { deletionId, dueAt } = await requestDeletion(world.ctx, { personId });
    const figures = async () => await deletionFigures(world.ctx, { personId, dueAt });
    expect(await figures()).toMatchObject({ [who === "creator" ? "refundToSubscribersCents" : "refundToThemCents"]: 1_990 });
    await goTo(endsAt + 10 * DAY_MS);
    expect(await row(id)).toMatchObject({ status: "upcoming", accessUntil: null });
    expect((await heldOf(chargeId))?.releasedAt).toBeNull();
    expect(await acts(id)).toContain("cancel");
    await world.advance(dueAt - world.ctx.now() + HOUR_MS);
    await advanceDeletion(world.ctx, { deletionId });
    await world.drain();
    expect((await row(id)).status).toBe("expired");
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "refunded", refundedCents: 1_990 });
  });

  test("and as it opens again it begins with all of its days, and is charged once", async () => {
    const { endsAt, id } = await weekly();
    await requestDeletion(world.ctx, { personId: ana.id });
    await goTo(endsAt + 12 * DAY_MS);
    await cancelDeletion(world.ctx, { personId: ana.id });
    await goTo(world.ctx.now() + DAY_MS);
    const begun = await row(id);
    expect(begun.status).toBe("active");
    expect((begun.accessUntil ?? 0) - (begun.startedAt ?? 0)).toBe(7 * DAY_MS);
    expect(begun.startedAt).toBeGreaterThanOrEqual(endsAt + 12 * DAY_MS);
    expect(await world.ctx.db.$count(charges, eq(charges.purchaseId, id))).toBe(1);
  });
});

test("a calendar that was late takes none of its days", async () => {
  const gift = await given();
  const { id } = await followed(gift.endsAt);
  await goTo(gift.endsAt + 3 * DAY_MS);
  const begun = await row(id);
  expect(begun).toMatchObject({ status: "active", accessUntil: begun.currentPeriodEndsAt });
  expect(begun.startedAt).toBeGreaterThanOrEqual(gift.endsAt + 3 * DAY_MS);
  expect((begun.accessUntil ?? 0) - (begun.startedAt ?? 0)).toBeGreaterThanOrEqual(28 * DAY_MS);
});

test("a vacation puts off what follows a courtesy, which it does not move; cut short, it begins at once", async () => {
  const { endsAt } = await giveComp(world.ctx, { creatorId: ana.id, creatorName: ana.name, givenBy: ana.id, username: clara.username, planId: ana.planId, months: 1 });
  await world.advance(endsAt - world.ctx.now() - 5 * DAY_MS);
  const { id } = await followed(endsAt);
  const vacation = await startVacation(world.ctx, { creatorId: ana.id, days: 60 });
  await world.drain();
  await world.tick();
  expect((await row(id)).startedAt).toBe(vacation.endsAt);
  await goTo(endsAt + 5 * DAY_MS);
  expect((await row(id)).status).toBe("upcoming");
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.tick();
  expect(await row(id)).toMatchObject({ status: "active" });
  expect((await row(id)).startedAt).toBeLessThan(endsAt + 6 * DAY_MS);
});

test("a gift that was taken back in a vacation leaves the day that it had without the days nobody took", async () => {
  const gift = await given();
  const { id } = await followed(gift.endsAt);
  await startVacation(world.ctx, { creatorId: ana.id, days: 60 });
  await world.drain();
  await world.tick();
  expect((await row(id)).startedAt).toBe(gift.endsAt + 60 * DAY_MS);
  await regretGift(world.ctx, { personId: gift.giverId, giftId: gift.id });
  await world.drain();
  expect(await letter(/^O seu presente terminou$/)).toContain("A sua assinatura, já paga, começa no dia dela");
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.tick();
  const { status, startedAt } = await row(id);
  expect(status).toBe("upcoming");
  expect(startedAt).toBeGreaterThanOrEqual(gift.endsAt + 2 * DAY_MS);
  expect(startedAt).toBeLessThan(gift.endsAt + 3 * DAY_MS);
});

test("a vacation that makes the gift longer moves its beginning with what is paid of it, and back again as it is cut short", async () => {
  const gift = await given();
  const { id, chargeId } = await followed(gift.endsAt);
  const before = await row(id);
  const moment = async () => {
    await world.drain();
    await world.tick();
    const [{ startedAt, currentPeriodEndsAt, status }, { accessUntil }] = [await row(id), await row(gift.id)];
    const [period] = await world.ctx.db.select().from(chargePeriods).where(eq(chargePeriods.chargeId, chargeId));
    const [part] = await world.ctx.db.select().from(chargeReleases).where(eq(chargeReleases.chargeId, chargeId));
    expect({ status, startedAt: accessUntil, lasts: (before.currentPeriodEndsAt ?? 0) - gift.endsAt }).toEqual({ status: "upcoming", startedAt, lasts: (currentPeriodEndsAt ?? 0) - (startedAt ?? 0) });
    expect([period?.startsAt, part?.beginsAt]).toEqual([startedAt, startedAt]);
    return startedAt;
  };
  await startVacation(world.ctx, { creatorId: ana.id, days: 14 });
  expect(await moment()).toBe(gift.endsAt + 14 * DAY_MS);
  expect(await letter(/agora começa em/)).toContain(`mudou para ${formatDay(gift.endsAt + 14 * DAY_MS)}`);
  await expectBooksToHold(world.ctx);
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  const back = await moment();
  expect(back).toBeLessThan(gift.endsAt + 4 * DAY_MS);
  await goTo((back ?? 0) + MINUTE_MS);
  const begun = await row(id);
  expect(begun).toMatchObject({ status: "active", accessUntil: begun.currentPeriodEndsAt, anchorAt: begun.currentPeriodEndsAt });
});
