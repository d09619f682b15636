import { afterEach, beforeEach, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { loadDeletionBlockers } from "#app/domain/deletion/queries/blockers.server.ts";
import { deletionDueAt, deletionWaitReasons } from "#app/domain/deletion/rules.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { NotForSale } from "#app/domain/purchases/errors.ts";
import { LeavingMemberCannotSubscribe } from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { deletionsOf, refundsOfCharge, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  paidPurchase,
  purchaseEndsOf,
  pendingPixPurchase,
  canSeePost,
  soldCollection,
  soldPost,
  purchaseCheckoutInput,
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

const figuresOf = (personId: string) =>
  deletionPreview(world.ctx, { personId, dueAt: deletionDueAt(world.ctx.now()) });

/** Moves thirty days and a minute ahead, and runs the crons of the last days. */
async function aMonth(): Promise<void> {
  await world.advance(27 * DAY_MS);
  await settleDeletion(world, 1);
  await world.advance(3 * DAY_MS);
  await settleDeletion(world);
}

test("a leaving seller's account is deleted only after each purchase is refunded once; buyers have access until then", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const { collectionId } = await soldCollection(ctx, ana, [(await soldPost(ctx, ana)).postId]);
  const clara = await createPerson(ctx, "Clara");
  const one = await paidPurchase(world, bruno, postId);
  const other = await paidPurchase(world, clara, collectionId, "collection");
  await world.advance(60 * DAY_MS);
  await settleDeletion(world, 1);
  expect(await figuresOf(ana.id)).toMatchObject({
    buyersCount: 2,
    refundToBuyersCents: 5_500,
    refundFromBalanceCents: 5_225,
    purchasesCount: 0,
    seatsCount: 0,
    eventsCount: 0,
  });
  await requestDeletion(ctx, { personId: ana.id });
  expect(await canSeePost(ctx, bruno, postId)).toBe(true);
  expect(await canSeePost(ctx, clara, postId)).toBe(false);
  await expect(startPurchase(ctx, purchaseCheckoutInput(clara, postId))).rejects.toThrow(
    NotForSale,
  );
  expect(
    deletionWaitReasons(await loadDeletionBlockers(ctx, { personId: ana.id })).map(
      ({ kind }) => kind,
    ),
  ).toContain("purchases");
  await aMonth();
  for (const { charge } of [one, other]) {
    expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("refunded");
    expect(await refundsOfCharge(ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: charge.amountCents },
    ]);
  }
  expect([...(await purchaseEndsOf(ctx, bruno)), ...(await purchaseEndsOf(ctx, clara))]).toEqual([
    "creator_left",
    "creator_left",
  ]);
  expect(await deletionsOf(ctx, ana.id)).toEqual(["done"]);
});

test("a leaving buyer is told what they lose; nothing is refunded, and nobody owns the purchase any more", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const { charge } = await paidPurchase(world, bruno, postId);
  expect(await figuresOf(bruno.id)).toMatchObject({
    purchasesCount: 1,
    buyersCount: 0,
    refundToBuyersCents: 0,
  });
  await requestDeletion(ctx, { personId: bruno.id });
  await expect(
    startPurchase(ctx, purchaseCheckoutInput(bruno, (await soldPost(ctx, ana)).postId)),
  ).rejects.toThrow(LeavingMemberCannotSubscribe);
  await aMonth();
  expect(await deletionsOf(ctx, bruno.id)).toEqual(["done"]);
  expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("succeeded");
  expect(await purchaseEndsOf(ctx, bruno)).toEqual(["buyer_left"]);
});

test("a Pix that arrives from a buyer whose account is being deleted is refunded", async () => {
  const { ctx } = world;
  const { postId } = await soldPost(ctx, ana);
  const waiting = await pendingPixPurchase(world, bruno, postId);
  await requestDeletion(ctx, { personId: bruno.id });
  await payAtBank(world, waiting);
  await world.drain();
  expect((await chargeRow(ctx, waiting))?.status).toBe("refunded");
  expect(await purchaseEndsOf(ctx, bruno)).toEqual(["given_back"]);
});
