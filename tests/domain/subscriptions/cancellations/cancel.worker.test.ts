import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  cancelSubscription,
  explainCancellation,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import {
  NotCancelable,
  NotReactivable,
  PageClosed,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { DAY_MS, formatDay } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
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

const memberIds = () => ({ fanId: bruno.id, subscriptionId });
async function row() {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
}
const cancellations = () =>
  world.ctx.db
    .select()
    .from(subscriptionCancellations)
    .where(eq(subscriptionCancellations.subscriptionId, subscriptionId))
    .orderBy(asc(subscriptionCancellations.createdAt));
const renewals = (status: string) =>
  world.ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.status, status)));
async function emailsSentTo(email: string): Promise<{ subject: string; body: string }[]> {
  return await world.ctx.db
    .select()
    .from(localMails)
    .where(eq(localMails.recipient, email))
    .orderBy(asc(localMails.createdAt));
}

async function goTo(daysFromEnd: number): Promise<void> {
  await world.advance(
    ((await row()).currentPeriodEndsAt ?? 0) + daysFromEnd * DAY_MS - world.ctx.now(),
  );
  await world.tick();
  await world.tick();
}

describe("canceling a subscription", () => {
  test("creates a protocol and emails it with the last day of access and a link to reactivate", async () => {
    await cancelSubscription(world.ctx, memberIds());
    await world.drain();
    const [cancellation] = await cancellations();
    expect(cancellation?.protocol).toMatch(/^\d{8}-[0-9A-F]{8}$/);
    const lastEmail = (await emailsSentTo(bruno.email)).at(-1);
    expect(lastEmail?.subject).toContain(cancellation?.protocol);
    expect(lastEmail?.body).toContain(formatDay((await row()).accessUntil ?? 0));
    expect(lastEmail?.body).toContain(`/renewal/reactivate/${subscriptionId}/`);
  });

  test("creates one cancellation and one email for twenty concurrent clicks", async () => {
    const clicks = await Promise.allSettled(
      Array.from({ length: 20 }, () => cancelSubscription(world.ctx, memberIds())),
    );
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await world.drain();
    expect(await cancellations()).toHaveLength(1);
    expect(
      (await emailsSentTo(bruno.email)).filter(({ subject }) => subject.includes("protocolo")),
    ).toHaveLength(1);
  });

  test("cancels the pending Pix renewal at the provider", async () => {
    await goTo(-2);
    const [sent] = await renewals("awaiting_payment");
    await cancelSubscription(world.ctx, memberIds());
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("canceled");
  });

  test("honours a Pix renewal that is paid meanwhile: access is extended and the subscription stays canceled", async () => {
    await goTo(-2);
    const [sent] = await renewals("awaiting_payment");
    await world.console("/sandbox/chaos", { api_errors: 1 });
    await cancelSubscription(world.ctx, memberIds());
    await world.console("/sandbox/chaos", {});
    const before = await row();
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({
      status: "canceled",
      currentPeriodStartsAt: before.currentPeriodEndsAt,
    });
    expect((await row()).accessUntil).toBeGreaterThan(before.accessUntil ?? 0);
  });

  test("does not retry a renewal charge that the provider never received", async () => {
    await world.console("/sandbox/chaos", { api_errors: 1 });
    await goTo(-2.9);
    await world.console("/sandbox/chaos", {});
    expect(await renewals("created")).toHaveLength(1);
    await cancelSubscription(world.ctx, memberIds());
    await goTo(-2);
    expect(await renewals("awaiting_payment")).toEqual([]);
  });

  test("saves the optional reason and accepts it only from the subscriber", async () => {
    await expect(
      explainCancellation(world.ctx, { fanId: ana.id, subscriptionId, reason: "price" }),
    ).rejects.toThrow(SubscriptionNotFound);
    await explainCancellation(world.ctx, { ...memberIds(), reason: "price" });
    expect(await cancellations()).toEqual([]);
    await cancelSubscription(world.ctx, memberIds());
    expect((await cancellations())[0]?.reason).toBeNull();
    await explainCancellation(world.ctx, { ...memberIds(), reason: "price" });
    expect((await cancellations())[0]?.reason).toBe("price");
  });
});

describe("reactivating a canceled subscription", () => {
  test("before the end of the period, keeps the renewal date and price and sends a new Pix code", async () => {
    await goTo(-2);
    const before = await row();
    const [old] = await renewals("awaiting_payment");
    await cancelSubscription(world.ctx, memberIds());
    await reactivateSubscription(world.ctx, memberIds());
    expect(await row()).toMatchObject({
      status: "active",
      canceledAt: null,
      currentPeriodEndsAt: before.currentPeriodEndsAt,
      amountCents: before.amountCents,
      method: "pix",
      holdsSeat: true,
    });
    const [sent, ...more] = await renewals("awaiting_payment");
    expect(more).toEqual([]);
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({
      status: "active",
      currentPeriodStartsAt: before.currentPeriodEndsAt,
    });
    const renewed = await row();
    // The Pix code from before the cancellation is paid late. No period is charged twice.
    await payAtBank(world, { providerChargeId: old?.providerChargeId ?? "" });
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: old?.id ?? "" }))?.status).toBe("refunded");
    expect(await row()).toEqual(renewed);
    expect(
      (await emailsSentTo(bruno.email)).some(({ subject }) => subject.includes("continua")),
    ).toBe(true);
  });

  test("allows another cancellation, with a new protocol", async () => {
    await cancelSubscription(world.ctx, memberIds());
    await reactivateSubscription(world.ctx, memberIds());
    await cancelSubscription(world.ctx, memberIds());
    const [first, second] = await cancellations();
    expect(first?.undoneAt).not.toBeNull();
    expect(second).toMatchObject({ undoneAt: null });
    expect(second?.protocol).not.toBe(first?.protocol);
  });

  test("renews by Pix when the card that paid it was removed", async () => {
    const carla = await createPerson(world.ctx, "Carla");
    const { chargeId } = await startSubscription(world.ctx, {
      memberId: carla.id,
      memberName: carla.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: await cardToken(world),
    });
    await world.drain();
    subscriptionId = (await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "";
    bruno = carla;
    const card = (await row()).savedMethodId ?? "";
    await cancelSubscription(world.ctx, memberIds());
    await reactivateSubscription(world.ctx, memberIds());
    expect(await row()).toMatchObject({ method: "card", savedMethodId: card });
    await cancelSubscription(world.ctx, memberIds());
    await removeMemberCard(world.ctx, { personId: carla.id, methodId: card, instead: null });
    await reactivateSubscription(world.ctx, memberIds());
    expect(await row()).toMatchObject({ status: "active", method: "pix", savedMethodId: null });
  });

  test("in the grace period, returns to past_due and creates a renewal charge at once", async () => {
    await goTo(-2);
    await goTo(1);
    expect((await row()).status).toBe("past_due");
    await cancelSubscription(world.ctx, memberIds());
    await reactivateSubscription(world.ctx, memberIds());
    expect((await row()).status).toBe("past_due");
    const [sent] = await renewals("awaiting_payment");
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await row()).status).toBe("active");
  });

  test("is refused to other members, after the end, while it still renews, and when the page is closed to the subscriber", async () => {
    await expect(reactivateSubscription(world.ctx, memberIds())).rejects.toThrow(NotReactivable);
    await cancelSubscription(world.ctx, memberIds());
    await expect(
      reactivateSubscription(world.ctx, { ...memberIds(), fanId: ana.id }),
    ).rejects.toThrow(SubscriptionNotFound);
    await world.ctx.db
      .insert(blocks)
      .values({ blockerId: ana.id, blockedId: bruno.id, createdAt: world.ctx.now() });
    await expect(reactivateSubscription(world.ctx, memberIds())).rejects.toThrow(PageClosed);
    await world.ctx.db.delete(blocks).where(eq(blocks.blockerId, ana.id));
    await goTo(0.1);
    await expect(reactivateSubscription(world.ctx, memberIds())).rejects.toThrow(NotReactivable);
    await expect(cancelSubscription(world.ctx, memberIds())).rejects.toThrow(NotCancelable);
  });
});
