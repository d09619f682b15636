import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { collectionPosts } from "#drizzle/schema/collections.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  paidPurchase,
  purchaseEndsOf,
  pendingPixPurchase,
  soldCollection,
  soldPost,
} from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

test("a collection emptied by moderation is refunded a day later, unless a post of it remains or is restored", async () => {
  const { ctx } = world;
  const [first, second, later] = [
    await soldPost(ctx, ana),
    await soldPost(ctx, ana),
    await soldPost(ctx, ana),
  ];
  const { collectionId } = await soldCollection(ctx, ana, [first.postId, second.postId]);
  const { charge } = await paidPurchase(world, bruno, collectionId, "collection");
  const daysPass = async () => {
    await world.advance(DAY_MS + HOUR_MS);
    await world.tick();
    return {
      status: (await chargeRow(ctx, { chargeId: charge.id }))?.status,
      ends: await purchaseEndsOf(ctx, bruno),
    };
  };
  const unchanged = { status: "succeeded", ends: [null] };
  await holdPost(ctx, first);
  expect(await daysPass()).toEqual(unchanged);
  await holdPost(ctx, second);
  await ctx.db.update(posts).set({ heldAt: null }).where(eq(posts.id, second.postId));
  expect(await daysPass()).toEqual(unchanged);
  // Something put in it is something to see; taken out again, it is not.
  await holdPost(ctx, second);
  await ctx.db.insert(collectionPosts).values({ collectionId, postId: later.postId, position: 3 });
  expect(await daysPass()).toEqual(unchanged);
  await ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, later.postId));
  // Undoing a ban does not make the collection whole again.
  const carla = await createModerator(ctx);
  await banPerson(ctx, { moderatorId: carla.id, personId: ana.id, reason: "Fraude" });
  await unbanPerson(ctx, { moderatorId: carla.id, personId: ana.id });
  expect(await daysPass()).toEqual({ status: "refunded", ends: ["removed"] });
  expect(await refundsOfCharge(ctx, charge.id)).toEqual([
    { status: "succeeded", amountCents: 4_000 },
  ]);
});

test("a collection emptied before its Pix arrived is refunded too", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const { collectionId } = await soldCollection(ctx, ana, [postId]);
  const waiting = await pendingPixPurchase(world, bruno, collectionId, "collection");
  await holdPost(ctx, { postId });
  await payAtBank(world, waiting);
  await world.drain();
  await world.advance(DAY_MS + HOUR_MS);
  await world.tick();
  expect((await chargeRow(ctx, waiting))?.status).toBe("refunded");
});
