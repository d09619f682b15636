import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { NotLeaving } from "#app/domain/deletion/errors.ts";
import { lastPayoutCents } from "#app/domain/deletion/rules.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { LeavingIsPaidAtTheEnd } from "#app/domain/payouts/errors.ts";
import { balancesOf } from "#app/domain/payouts/queries.server.ts";
import { offerOf } from "#app/domain/plans/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { feedOf } from "#app/domain/posts/queries/feed.server.ts";
import { profileByUsername, profileFor } from "#app/domain/profiles/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { LeavingBuysNothing, PlanNotForSale } from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import {
  aMonth,
  annual,
  deletionsOf,
  expectErased,
  figuresOf,
  mailsOf,
  payoutsOf,
  reasonsOf,
  refundsOf,
  settle,
  statusOfSubscription,
} from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pay, pixCheckout, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectBooksToHold(world.ctx));

describe("somebody who pays", () => {
  test("reads what comes back, and after thirty days that is what came back", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    const figures = await figuresOf(world.ctx, bruno.id);
    // 365 days, of which 31 were used on the thirtieth day after.
    expect(figures).toMatchObject({
      refundToThemCents: 13_726,
      subscriptions: [{ planName: "Camarim", creatorName: "Ana Lira", refundCents: 13_726 }],
      subscribersCount: 0,
    });
    await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(29 * DAY_MS);
    await settle(world, 1);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    await world.advance(DAY_MS);
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([
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

  test("who changes their mind has everything as before", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: bruno.id });
    await cancelDeletion(world.ctx, { personId: bruno.id });
    await expect(cancelDeletion(world.ctx, { personId: bruno.id })).rejects.toThrow(NotLeaving);
    await aMonth(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([]);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled"]);
    expect(await mailsOf(world.ctx, bruno.email)).toContain("A sua conta do Coreto continua");
    await requestDeletion(world.ctx, { personId: bruno.id });
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled", "requested"]);
  });

  test("buys nothing new, renews nothing, and what is paid all the same comes back whole", async () => {
    const [ana, tiao, bruno] = [
      await seller(world.ctx),
      await seller(world.ctx),
      await person(world.ctx, "Bruno"),
    ];
    const charge = await subscribed(world, bruno, ana);
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
    ).rejects.toThrow(LeavingBuysNothing);
    await pay(world, waiting);
    await world.drain();
    expect(await refundsOf(world.ctx, waiting.chargeId)).toEqual([
      { status: "succeeded", amountCents: 1_990 },
    ]);
    await world.advance(29 * DAY_MS);
    await settle(world, 1);
    const { results } = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?")
      .bind(bruno.id)
      .all();
    expect(results).toHaveLength(2);
    await world.advance(2 * DAY_MS);
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });

  test("with a dispute open nothing ends, and after its decision everything does", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    await requestDeletion(world.ctx, { personId: bruno.id });
    await aMonth(world);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["closing"]);
    expect(await reasonsOf(world.ctx, bruno.id)).toEqual(["subscriptions", "disputes"]);
    await world.console(`/sandbox/disputes/${String(opened.body.id)}/win`);
    await world.drain();
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: 13_726 },
    ]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });
});

describe("somebody who creates", () => {
  test("reads what goes back to whom, and each side gets exactly that", async () => {
    const ana = await seller(world.ctx, annual);
    const [bruno, clara] = [await person(world.ctx, "Bruno"), await person(world.ctx, "Clara")];
    const charges = [await subscribed(world, bruno, ana), await subscribed(world, clara, ana)];
    const figures = await figuresOf(world.ctx, ana.id);
    expect(figures).toMatchObject({
      subscribersCount: 2,
      refundToSubscribersCents: 27_452,
      refundFromBalanceCents: 26_080,
      pendingCents: 28_500,
    });
    await requestDeletion(world.ctx, { personId: ana.id });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      LeavingIsPaidAtTheEnd,
    );
    await aMonth(world);
    for (const charge of charges)
      expect(await refundsOf(world.ctx, charge.id)).toEqual([
        { status: "succeeded", amountCents: 13_726 },
      ]);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual([`paid ${lastPayoutCents(figures)}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
    await expectErased(world.ctx, ana.id, ana.username);
    expect(await balancesOf(world.ctx, { creatorId: ana.id })).toMatchObject({
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

  test("is paid out under the minimum, and nothing is left behind", async () => {
    const ana = await seller(world.ctx, { amountCents: 9_000, interval: "annual" });
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    const expected = lastPayoutCents(await figuresOf(world.ctx, ana.id));
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(1_000);
    await requestDeletion(world.ctx, { personId: ana.id });
    await aMonth(world);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual([`paid ${expected}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("sells nothing and is found by nobody, while who pays goes on seeing everything", async () => {
    const [ana, bruno, stranger] = [
      await seller(world.ctx, annual),
      await person(world.ctx, "Bruno"),
      await person(world.ctx, "Clara"),
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
    await subscribed(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    const { ctx } = world;
    expect(await profileByUsername(ctx, { username: ana.username })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: stranger.id })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: bruno.id })).not.toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: ana.id })).not.toBeNull();
    expect((await offerOf(ctx, { planId: ana.planId }))?.availability).toBe("not_sold");
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
      (await feedOf(ctx, { viewerId, cursor: null, limit: 50 })).items.filter(
        ({ author }) => author.id === ana.id,
      ).length;
    expect(await seen(stranger.id)).toBe(0);
    await cancelDeletion(ctx, { personId: ana.id });
    expect(await profileByUsername(ctx, { username: ana.username })).not.toBeNull();
  });

  test("with no key the balance waits for one, and is paid the day there is", async () => {
    const ana = await seller(world.ctx);
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await world.ctx.db.delete(withdrawalMethods).where(eq(withdrawalMethods.creatorId, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await aMonth(world);
    await world.advance(DAY_MS);
    await settle(world);
    expect(await reasonsOf(world.ctx, ana.id)).toEqual(["balance"]);
    const now = world.ctx.now();
    await world.ctx.db.insert(withdrawalMethods).values({
      creatorId: ana.id,
      pixKeyKind: "email",
      pixKey: ana.email,
      schedule: "weekly",
      createdAt: now,
      updatedAt: now,
    });
    await settle(world);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["paid 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("whose payout fails is tried once a day, and loses nothing", async () => {
    const ana = await seller(world.ctx, { pixKey: { kind: "email", key: "falha@coreto.test" } });
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(31 * DAY_MS);
    await settle(world, 8);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["failed 1890"]);
    await world.advance(DAY_MS);
    await settle(world);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["failed 1890", "failed 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["closing"]);
  });

  test("who is banned may leave, and their balance waits for the moderation", async () => {
    const ana = await seller(world.ctx);
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settle(world);
    expect(await reasonsOf(world.ctx, ana.id)).toEqual(["balance"]);
    await world.ctx.db.update(people).set({ bannedAt: null }).where(eq(people.id, ana.id));
    await settle(world);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });
});
