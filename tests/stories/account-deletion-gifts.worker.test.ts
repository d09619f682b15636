import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { loadDeletionBlockers } from "#app/domain/deletion/queries/blockers.server.ts";
import {
  deletionConsequenceLines,
  deletionDueAt,
  deletionWaitReasons,
} from "#app/domain/deletion/rules.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { GiftNotClaimable } from "#app/domain/purchases/gifts/errors.ts";
import { giftByCode } from "#app/domain/purchases/gifts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { deletionsOf, refundsOfCharge, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift, giftRow, pendingPixGift } from "#tests/support/gifts.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno Reis");
  clara = await createPerson(world.ctx, "Clara Nunes");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const claim = (by: TestPerson, code: string) =>
  claimGift(world.ctx, { memberId: by.id, memberName: by.name, code });

/** Moves thirty days and a minute ahead, and runs the crons of the last days. */
async function aMonth(): Promise<void> {
  await world.advance(27 * DAY_MS);
  await settleDeletion(world, 1);
  await world.advance(3 * DAY_MS);
  await settleDeletion(world);
}

test("a leaving seller refunds unclaimed gifts whole and once, and is told so before", async () => {
  const { ctx } = world;
  const { charge, gift, code } = await paidGift(world, bruno, ana);
  const figures = await deletionPreview(ctx, { personId: ana.id, dueAt: deletionDueAt(ctx.now()) });
  expect(figures).toMatchObject({
    giftsCount: 1,
    refundToGiversCents: charge.amountCents,
    refundFromBalanceCents: charge.netCents,
  });
  expect(deletionConsequenceLines(figures).join(" ")).toContain(
    "1 presente dos seus planos ainda não foi resgatado",
  );
  await requestDeletion(ctx, { personId: ana.id });
  await expect(claim(clara, code)).rejects.toThrow(GiftNotClaimable);
  expect(
    deletionWaitReasons(await loadDeletionBlockers(ctx, { personId: ana.id })).map(
      ({ kind }) => kind,
    ),
  ).toContain("purchases");
  await aMonth();
  expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ status: "refunded" });
  expect(await refundsOfCharge(ctx, charge.id)).toEqual([
    { status: "succeeded", amountCents: charge.amountCents },
  ]);
  expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ endedReason: "creator_left" });
  expect(await deletionsOf(ctx, ana.id)).toEqual(["done"]);
});

test("a leaving giver's data is erased from the gift, and its code still opens it", async () => {
  const { ctx } = world;
  const email = `para-${clara.email}`;
  const { gift, code } = await paidGift(world, bruno, ana, {
    recipientEmail: email,
    message: "Segredo nosso",
  });
  await requestDeletion(ctx, { personId: bruno.id });
  await aMonth();
  expect(await deletionsOf(ctx, bruno.id)).toEqual(["done"]);
  expect(await giftRow(world, { giftId: gift.id })).toMatchObject({
    recipientName: "",
    recipientEmail: "",
    message: "",
    endedAt: null,
  });
  expect(await giftByCode(ctx, { code, viewerId: null })).toMatchObject({
    giverName: "Conta excluída",
  });
  const kept = await ctx.db
    .select()
    .from(outbox)
    .where(
      sql`INSTR(${outbox.payload}, ${email}) > 0 OR INSTR(${outbox.payload}, 'Segredo nosso') > 0 OR (${outbox.id} LIKE ${`gift:${gift.id}:%`} AND INSTR(${outbox.payload}, 'Bruno Reis') > 0)`,
    );
  expect(kept).toEqual([]);
  await expect(claim(clara, code)).resolves.toMatchObject({ subscriptionId: gift.id });
});

test("a leaving claimer's unused days are refunded to the giver, and the claimer's name is erased", async () => {
  const { ctx } = world;
  ana = await createSeller(ctx, { interval: "annual", amountCents: 12_000 });
  const { charge, gift, code } = await paidGift(world, bruno, ana, {
    recipientName: "Clara Nunes",
  });
  await claim(clara, code);
  await world.drain();
  expect(
    await deletionPreview(ctx, { personId: clara.id, dueAt: deletionDueAt(ctx.now()) }),
  ).toMatchObject({ refundToThemCents: 0, subscriptions: [{ id: gift.id, refundCents: 0 }] });
  await requestDeletion(ctx, { personId: clara.id });
  await aMonth();
  expect(await deletionsOf(ctx, clara.id)).toEqual(["done"]);
  const back = await chargeRow(ctx, { chargeId: charge.id });
  expect(back).toMatchObject({ status: "partially_refunded", payerId: bruno.id });
  expect(back?.refundedCents).toBeGreaterThan(10_000);
  expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ recipientName: "" });
  const told = await ctx.db
    .select({ body: notifications.body })
    .from(notifications)
    .where(eq(notifications.personId, bruno.id));
  expect(told.filter(({ body }) => body.includes("Clara Nunes"))).toEqual([]);
});

test("a Pix that arrives from a giver whose account is being deleted is refunded, and frees the seat", async () => {
  const waiting = await pendingPixGift(world, bruno, ana);
  await requestDeletion(world.ctx, { personId: bruno.id });
  await payAtBank(world, waiting);
  await world.drain();
  expect(await chargeRow(world.ctx, waiting)).toMatchObject({ status: "refunded" });
  expect(await giftRow(world, waiting)).toMatchObject({
    endedReason: "given_back",
    holdsSeat: false,
  });
});
