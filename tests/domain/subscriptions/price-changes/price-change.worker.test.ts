import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RuleViolation } from "#app/db/errors.ts";
import { commit } from "#app/db/client.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { PlanNotFound } from "#app/domain/plans/errors.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { answerPriceChange } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { proposePriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  NoSubscribersToAsk,
  PriceChangeAlreadyProposed,
  PriceChangeClosed,
  PlanPriceNotOffered,
} from "#app/domain/subscriptions/price-changes/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, newPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000, interval: "quarterly" });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { memberIds, row, view, answer, nextCents, untilRenewal, renewals, asks, emails } =
  priceChangeHelpers(() => ({ world, fan: bruno, subscriptionId }));

/** Bruno subscribes for R$ 20,00 a quarter. */
async function subscribes(
  method: "pix" | "card" = "pix",
  more: { coupon?: string } = {},
): Promise<void> {
  const started = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method,
    cardToken: method === "card" ? await cardToken(world) : null,
    ...more,
  });
  const charge = await chargeRow(world.ctx, started);
  if (method === "pix")
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
}

describe("proposing a price change", () => {
  test("notifies each subscriber with an older price once, and changes no price by itself", async () => {
    await subscribes();
    const planPriceId = await proposedPrice(world, ana, 2_500);
    await world.drain();
    expect(await asks(ana.planId)).toMatchObject([
      {
        amountCents: 2_500,
        askedCount: 1,
        acceptedCount: 0,
        declinedCount: 0,
        loweredCount: 0,
        withdrawnAt: null,
      },
    ]);
    expect((await asks(ana.planId))[0]?.allNotifiedAt).not.toBeNull();
    expect(await row()).toMatchObject({ amountCents: 2_000, planPriceId: ana.priceId });
    expect(await nextCents()).toBe(2_000);
    const [email] = await emails("pede um preço novo");
    expect(email).toContain("R$\u00a025,00");
    expect(email).toMatch(/\/renewal\/price\//);
    await expect(
      proposePriceChange(world.ctx, {
        creatorId: ana.id,
        planId: ana.planId,
        planPriceId,
        amountCents: 2_500,
      }),
    ).rejects.toThrow(PriceChangeAlreadyProposed);
  });

  test("is refused for another creator's plan, a price not on sale, another amount, or a plan without older prices", async () => {
    await subscribes();
    const creator = { creatorId: ana.id, planId: ana.planId };
    await expect(
      proposePriceChange(world.ctx, { ...creator, planPriceId: ana.priceId, amountCents: 2_000 }),
    ).rejects.toThrow(NoSubscribersToAsk);
    const planPriceId = await newPrice(world, ana, 2_500);
    await expect(
      proposePriceChange(world.ctx, {
        ...creator,
        creatorId: bruno.id,
        planPriceId,
        amountCents: 2_500,
      }),
    ).rejects.toThrow(PlanNotFound);
    await expect(
      proposePriceChange(world.ctx, { ...creator, planPriceId: ana.priceId, amountCents: 2_000 }),
    ).rejects.toThrow(PlanPriceNotOffered);
    await expect(
      proposePriceChange(world.ctx, { ...creator, planPriceId, amountCents: 2_400 }),
    ).rejects.toThrow(PlanPriceNotOffered);
    await archivePlan(world.ctx, creator);
    await expect(
      proposePriceChange(world.ctx, { ...creator, planPriceId, amountCents: 2_500 }),
    ).rejects.toThrow(PlanPriceNotOffered);
  });

  test("a lower price needs no consent: it applies from the next period, and subscribers are notified", async () => {
    await subscribes("card");
    const planPriceId = await proposedPrice(world, ana, 1_500);
    await world.drain();
    expect(await row()).toMatchObject({ amountCents: 1_500, planPriceId });
    expect(await asks(ana.planId)).toMatchObject([{ askedCount: 0, loweredCount: 1 }]);
    expect(await emails("mais barata")).toHaveLength(1);
    await untilRenewal(0);
    expect(await renewals()).toMatchObject([{ amountCents: 1_500 }]);
  });
});

describe("a price change ends", () => {
  test("with the next price change: earlier answers no longer hold, and subscribers are asked again", async () => {
    await subscribes();
    await proposedPrice(world, ana, 3_000);
    const first = (await view()).askId;
    await answer("accepted");
    const planPriceId = await proposedPrice(world, ana, 2_500);
    expect(
      (await asks(ana.planId)).map(({ amountCents, withdrawnAt }) => [
        amountCents,
        withdrawnAt !== null,
      ]),
    ).toEqual([
      [3_000, true],
      [2_500, false],
    ]);
    expect(await nextCents()).toBe(2_000);
    await expect(
      answerPriceChange(world.ctx, {
        ...memberIds(),
        askId: first,
        answer: "accepted",
        by: "session",
      }),
    ).rejects.toThrow(PriceChangeClosed);
    await answer("accepted");
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_500 }]);
    expect(await row()).toMatchObject({ planPriceId });
  });

  test.each([
    ["another price change without an answer", () => newPrice(world, ana, 2_600)],
    ["an archived plan", () => archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId })],
  ])("with %s, also while the renewal is created", async (_what, ends) => {
    await subscribes();
    await proposedPrice(world, ana, 2_500);
    await answer("accepted");
    await world.advance(((await row()).currentPeriodEndsAt ?? 0) - DAY_MS - world.ctx.now());
    await advanceSubscription(interleaveBeforeWrite(world.ctx, ends), { subscriptionId });
    expect(await renewals()).toMatchObject([{ amountCents: 2_000 }]);
    expect(await row()).toMatchObject({ amountCents: 2_000, planPriceId: ana.priceId });
  });
});

describe("consent to a price", () => {
  test("can be given only for one's own subscription", async () => {
    await subscribes();
    await proposedPrice(world, ana, 2_500);
    const { askId } = await view();
    await expect(
      answerPriceChange(world.ctx, {
        subscriptionId,
        fanId: ana.id,
        askId,
        answer: "accepted",
        by: "session",
      }),
    ).rejects.toThrow(SubscriptionNotFound);
  });

  test("is enforced by the database: it refuses an unaccepted price, an early one, and an acceptance never asked for", async () => {
    await subscribes();
    const planPriceId = await proposedPrice(world, ana, 2_500);
    const { db } = world.ctx;
    const raised = db
      .update(subscriptions)
      .set({ planPriceId, amountCents: 2_500 })
      .where(eq(subscriptions.id, subscriptionId));
    await expect(commit(db, [raised])).rejects.toThrow(new RuleViolation("price_not_agreed"));
    await expect(
      commit(db, [
        db
          .update(priceConsents)
          .set({ appliedAt: 1 })
          .where(eq(priceConsents.subscriptionId, subscriptionId)),
      ]),
    ).rejects.toThrow(new RuleViolation("price_not_agreed"));
    await expect(
      commit(db, [
        db
          .update(priceConsents)
          .set({ toAmountCents: 9_000 })
          .where(eq(priceConsents.subscriptionId, subscriptionId)),
      ]),
    ).rejects.toThrow(new RuleViolation("immutable_price_ask"));
  });

  test("is checked by the invariants, which find a charge above the agreed price", async () => {
    const { id } = await paidSubscription(world, bruno, ana);
    const found = async () =>
      (await invariantFindings(world.ctx)).find(({ name }) => name === "prices_agreed")?.rows;
    expect(await found()).toEqual([]);
    const { purchaseId } = (await chargeRow(world.ctx, { chargeId: id })) ?? { purchaseId: "" };
    const chargeId = world.ctx.newId();
    const [paid] = await world.ctx.db.select().from(charges).where(eq(charges.id, id));
    if (!paid) throw new Error("no charge");
    subscriptionId = purchaseId;
    const { currentPeriodEndsAt: endsAt } = await row();
    await world.ctx.db.insert(charges).values({
      ...paid,
      id: chargeId,
      providerChargeId: null,
      purchaseId,
      status: "created",
      succeededAt: null,
      amountCents: 2_001,
      netCents: 2_001 - paid.feeCents,
      pendingCents: 0,
      periodStartsAt: endsAt,
      periodEndsAt: (endsAt ?? 0) + 1,
    });
    expect(await found()).toEqual([{ id: chargeId }]);
    await world.ctx.db.delete(charges).where(eq(charges.id, chargeId));
  });
});
