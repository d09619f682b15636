import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { DeletionNotRequested } from "#app/domain/deletion/errors.ts";
import { lastPayoutCents } from "#app/domain/deletion/rules.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { PaidOnAccountDeletion } from "#app/domain/payouts/errors.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { homeFeed } from "#app/domain/posts/queries/feed.server.ts";
import { profileByUsername, profileFor } from "#app/domain/profiles/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { LeavingMemberCannotSubscribe, PlanNotForSale } from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import {
  passDeletionGrace,
  annualPlan,
  deletionsOf,
  expectErased,
  deletionPreviewOf,
  mailsOf,
  payoutsOfCreator,
  deletionWaitReasonsOf,
  refundsOfCharge,
  settleDeletion,
  statusOfSubscription,
} from "#tests/support/account-deletion.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  // The clock starts at noon: refunds count days, and a minute before midnight would cost one.
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe("a paying member who deletes their account", () => {
  test("sees the refund in advance, and gets that amount after thirty days", async () => {
    const [ana, bruno] = [
      await createSeller(world.ctx, annualPlan),
      await createPerson(world.ctx, "Bruno"),
    ];
    const charge = await paidSubscription(world, bruno, ana);
    const figures = await deletionPreviewOf(world.ctx, bruno.id);
    // Of 365 days, 31 are used on the thirtieth day.
    expect(figures).toMatchObject({
      refundToThemCents: 13_726,
      subscriptions: [{ planName: "Camarim", creatorName: "Ana Lira", refundCents: 13_726 }],
      subscribersCount: 0,
    });
    await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(29 * DAY_MS);
    await settleDeletion(world, 1);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    await world.advance(DAY_MS);
    await settleDeletion(world);
    expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: 13_726 },
    ]);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("expired");
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
    await expectErased(world.ctx, bruno.id, bruno.username);
    expect(await mailsOf(world.ctx, bruno.email)).toEqual([
      expect.stringContaining("assinatura de Ana Lira começou"),
      expect.stringMatching(/^A sua conta será excluída em/),
      expect.stringMatching(/^Faltam 3 dias/),
      expect.stringContaining("Devolvemos"),
      "A sua conta do Coreto foi excluída",
    ]);
  });

  test("keeps everything when they cancel the deletion", async () => {
    const [ana, bruno] = [
      await createSeller(world.ctx, annualPlan),
      await createPerson(world.ctx, "Bruno"),
    ];
    const charge = await paidSubscription(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: bruno.id });
    await cancelDeletion(world.ctx, { personId: bruno.id });
    await expect(cancelDeletion(world.ctx, { personId: bruno.id })).rejects.toThrow(
      DeletionNotRequested,
    );
    await passDeletionGrace(world);
    expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([]);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled"]);
    expect(await mailsOf(world.ctx, bruno.email)).toContain("A sua conta do Coreto continua");
    await requestDeletion(world.ctx, { personId: bruno.id });
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled", "requested"]);
  });

  test("can buy and renew nothing, and a late payment is refunded whole", async () => {
    const [ana, tiao, bruno] = [
      await createSeller(world.ctx),
      await createSeller(world.ctx),
      await createPerson(world.ctx, "Bruno"),
    ];
    const charge = await paidSubscription(world, bruno, ana);
    const waiting = await pixCheckout(world, bruno, tiao);
    await requestDeletion(world.ctx, { personId: bruno.id });
    await expect(
      startSubscription(world.ctx, {
        memberId: bruno.id,
        memberName: "Bruno",
        planPriceId: tiao.priceId,
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(LeavingMemberCannotSubscribe);
    await payAtBank(world, waiting);
    await world.drain();
    expect(await refundsOfCharge(world.ctx, waiting.chargeId)).toEqual([
      { status: "succeeded", amountCents: 1_990 },
    ]);
    await world.advance(29 * DAY_MS);
    await settleDeletion(world, 1);
    const { results } = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?")
      .bind(bruno.id)
      .all();
    expect(results).toHaveLength(2);
    await world.advance(2 * DAY_MS);
    await settleDeletion(world);
    expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });

  test("with an open dispute waits for its decision, and is then deleted", async () => {
    const [ana, bruno] = [
      await createSeller(world.ctx, annualPlan),
      await createPerson(world.ctx, "Bruno"),
    ];
    const charge = await paidSubscription(world, bruno, ana);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    await requestDeletion(world.ctx, { personId: bruno.id });
    await passDeletionGrace(world);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["closing"]);
    expect(await deletionWaitReasonsOf(world.ctx, bruno.id)).toEqual(["subscriptions", "disputes"]);
    await world.console(`/sandbox/disputes/${String(opened.body.id)}/win`);
    await world.drain();
    await settleDeletion(world);
    expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: 13_726 },
    ]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });
});

/** Another creator's sale. Without it the provider, after its costs, holds less than the payout. */
async function fundProvider(): Promise<void> {
  const seller = await createSeller(world.ctx, annualPlan);
  await paidSubscription(world, await createPerson(world.ctx, "Dora"), seller);
}

describe("a creator who deletes their account", () => {
  test("sees the refunds and the payout in advance, and each side gets exactly that", async () => {
    await fundProvider();
    const ana = await createSeller(world.ctx, annualPlan);
    const [bruno, clara] = [
      await createPerson(world.ctx, "Bruno"),
      await createPerson(world.ctx, "Clara"),
    ];
    const charges = [
      await paidSubscription(world, bruno, ana),
      await paidSubscription(world, clara, ana),
    ];
    const figures = await deletionPreviewOf(world.ctx, ana.id);
    expect(figures).toMatchObject({
      subscribersCount: 2,
      refundToSubscribersCents: 27_452,
      refundFromBalanceCents: 26_080,
      pendingCents: 28_500,
    });
    await requestDeletion(world.ctx, { personId: ana.id });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      PaidOnAccountDeletion,
    );
    await passDeletionGrace(world);
    for (const charge of charges)
      expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
        { status: "succeeded", amountCents: 13_726 },
      ]);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual([`paid ${lastPayoutCents(figures)}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
    await expectErased(world.ctx, ana.id, ana.username);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      availableCents: 0,
      pendingCents: 0,
      reservedCents: 0,
      owedCents: 0,
      inTransitCents: 0,
    });
    expect(await mailsOf(world.ctx, bruno.email)).toContainEqual(
      expect.stringContaining("Devolvemos"),
    );
  });

  test("is paid out below the minimum, with nothing left", async () => {
    await fundProvider();
    const ana = await createSeller(world.ctx, { amountCents: 9_000, interval: "annual" });
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    const expected = lastPayoutCents(await deletionPreviewOf(world.ctx, ana.id));
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(1_000);
    await requestDeletion(world.ctx, { personId: ana.id });
    await passDeletionGrace(world);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual([`paid ${expected}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("sells nothing and is hidden from others, while subscribers keep their access", async () => {
    const [ana, bruno, stranger] = [
      await createSeller(world.ctx, annualPlan),
      await createPerson(world.ctx, "Bruno"),
      await createPerson(world.ctx, "Clara"),
    ];
    await publishPost(world.ctx, {
      authorId: ana.id,
      title: "Ensaio",
      content: "Tudo.",
      audience: "subscribers",
      planIds: [],
      teaser: "",
      image: null,
    });
    await paidSubscription(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    const { ctx } = world;
    expect(await profileByUsername(ctx, { username: ana.username })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: stranger.id })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: bruno.id })).not.toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: ana.id })).not.toBeNull();
    expect((await planOffer(ctx, { planId: ana.planId }))?.availability).toBe("not_sold");
    await expect(
      startSubscription(ctx, {
        memberId: stranger.id,
        memberName: "Clara",
        planPriceId: ana.priceId,
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(PlanNotForSale);
    const seen = async (viewerId: string) =>
      (await homeFeed(ctx, { viewerId, cursor: null, limit: 50 })).items.filter(
        ({ author }) => author.id === ana.id,
      ).length;
    expect(await seen(stranger.id)).toBe(0);
    await cancelDeletion(ctx, { personId: ana.id });
    expect(await profileByUsername(ctx, { username: ana.username })).not.toBeNull();
  });

  test("without a Pix key has a waiting balance, which is paid once there is a key", async () => {
    const ana = await createSeller(world.ctx);
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await world.ctx.db.delete(withdrawalMethods).where(eq(withdrawalMethods.creatorId, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await passDeletionGrace(world);
    await world.advance(DAY_MS);
    await settleDeletion(world);
    expect(await deletionWaitReasonsOf(world.ctx, ana.id)).toEqual(["balance"]);
    const now = world.ctx.now();
    await world.ctx.db.insert(withdrawalMethods).values({
      creatorId: ana.id,
      pixKeyKind: "email",
      pixKey: ana.email,
      schedule: "weekly",
      createdAt: now,
      updatedAt: now,
    });
    await settleDeletion(world);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual(["paid 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("has a failed payout retried once a day, and loses nothing", async () => {
    const ana = await createSeller(world.ctx, {
      pixKey: { kind: "email", key: "falha@coreto.test" },
    });
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(31 * DAY_MS);
    await settleDeletion(world, 8);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual(["failed 1890"]);
    await world.advance(DAY_MS);
    await settleDeletion(world);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual(["failed 1890", "failed 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["closing"]);
  });

  test("can be banned: the balance waits for the moderators", async () => {
    const ana = await createSeller(world.ctx);
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world);
    expect(await deletionWaitReasonsOf(world.ctx, ana.id)).toEqual(["balance"]);
    await world.ctx.db.update(people).set({ bannedAt: null }).where(eq(people.id, ana.id));
    await settleDeletion(world);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });
});
