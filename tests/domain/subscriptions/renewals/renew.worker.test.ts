import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { NotCancelable, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { blocks, follows, profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
});
afterEach(() => expectInvariantsToHold(world.ctx));

const row = async () => {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
};
const renewals = async () =>
  await world.ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.status, "awaiting_payment")));
const isFollowing = async () =>
  (await world.ctx.db.$count(
    follows,
    and(eq(follows.followerId, bruno.id), eq(follows.creatorId, ana.id)),
  )) === 1;
const untilEnd = async (days: number) =>
  ((await row()).currentPeriodEndsAt ?? 0) + days * DAY_MS - world.ctx.now();

async function goTo(daysFromEnd: number): Promise<void> {
  await world.advance(await untilEnd(daysFromEnd));
  await world.tick();
  await world.tick();
}

const emails = async (subjectPart: string) =>
  (
    await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email))
  ).filter(({ subject }) => subject.includes(subjectPart));

test("one Pix is sent three days before the end, and paying it extends the period without drift", async () => {
  await goTo(-3.5);
  expect(await renewals()).toHaveLength(0);
  await goTo(-2.5);
  const [sent, ...more] = await renewals();
  expect(more).toEqual([]);
  const [email, ...others] = await emails("Renove sua assinatura");
  expect(others).toEqual([]);
  expect(email?.body).toContain(sent?.pixCode);
  expect(email?.body).toContain(`/checkout/${sent?.id}`);
  const before = await row();
  await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
  await world.drain();
  const after = await row();
  expect(after).toMatchObject({
    status: "active",
    currentPeriodStartsAt: before.currentPeriodEndsAt,
    accessUntil: after.currentPeriodEndsAt,
  });
  expect(
    await world.ctx.db
      .select()
      .from(chargePeriods)
      .where(eq(chargePeriods.subscriptionId, subscriptionId)),
  ).toHaveLength(2);
});

test("unpaid, the subscription keeps its access for seven days of grace and then expires", async () => {
  await goTo(-2);
  await goTo(0.1);
  expect((await row()).status).toBe("past_due");
  await goTo(6.9);
  expect((await row()).status).toBe("past_due");
  expect(await emails("em atraso")).toHaveLength(1);
  await goTo(7.1);
  expect((await row()).status).toBe("expired");
  const [profile] = await world.ctx.db.select().from(profiles).where(eq(profiles.personId, ana.id));
  expect(profile?.subscribersCount).toBe(0);
});

test("paid during the grace days, the new period starts where the last one ended", async () => {
  await goTo(-2);
  const before = await row();
  const [sent] = await renewals();
  await goTo(3);
  await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
  await world.drain();
  expect(await row()).toMatchObject({
    status: "active",
    currentPeriodStartsAt: before.currentPeriodEndsAt,
  });
});

test("canceled, the subscription keeps its access until the end, sends no Pix and then expires", async () => {
  const stranger = await createPerson(world.ctx);
  await expect(
    cancelSubscription(world.ctx, { fanId: stranger.id, subscriptionId }),
  ).rejects.toThrow(SubscriptionNotFound);
  await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  await expect(cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId })).rejects.toThrow(
    NotCancelable,
  );
  await goTo(-1);
  expect((await row()).status).toBe("canceled");
  expect(await renewals()).toHaveLength(0);
  expect(await isFollowing()).toBe(false);
  await goTo(0.1);
  expect((await row()).status).toBe("expired");
  expect(await isFollowing()).toBe(true);
});

test("an expired subscriber whom the creator blocked does not become a follower", async () => {
  await world.ctx.db
    .insert(blocks)
    .values({ blockerId: ana.id, blockedId: bruno.id, createdAt: world.ctx.now() });
  await goTo(0.1);
  expect((await row()).status).toBe("expired");
  expect(await isFollowing()).toBe(false);
});

test("a renewal that never reached the provider is requested again under its own id", async () => {
  await world.console("/sandbox/chaos", { api_errors: 1 });
  await goTo(-2.9);
  await world.console("/sandbox/chaos", {});
  const [lost] = await world.ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.status, "created")));
  expect(lost).toBeDefined();
  await goTo(-2.7);
  const [sent, ...more] = await renewals();
  expect(more).toEqual([]);
  expect(sent?.id).toBe(lost?.id);
  expect(sent?.pixCode).toMatch(/^000201/);
  expect(await world.ctx.db.$count(outbox, eq(outbox.id, `charge:${sent?.id}:renewal_due`))).toBe(
    1,
  );
});
