import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deletionFigures } from "#app/domain/deletion/queries/figures.server.ts";
import { deletionStanding } from "#app/domain/deletion/queries/standing.server.ts";
import { consequenceLines, deletionDueAt, waitReasons } from "#app/domain/deletion/rules.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/commands/claim-gift.server.ts";
import { GiftNotForThem } from "#app/domain/purchases/errors/gifts.ts";
import { presentedGift } from "#app/domain/purchases/queries/gifts.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { deletionsOf, refundsOf, settle } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { gifted, giftNow, pixGift } from "#tests/support/gifts.ts";
import { pay } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
  bruno = await person(world.ctx, "Bruno Reis");
  clara = await person(world.ctx, "Clara Nunes");
});
afterEach(() => expectBooksToHold(world.ctx));

const claim = (by: TestPerson, code: string) =>
  claimGift(world.ctx, { memberId: by.id, memberName: by.name, code });

/** The thirty days and a minute, with the crons of their last days. */
async function aMonth(): Promise<void> {
  await world.advance(27 * DAY_MS);
  await settle(world, 1);
  await world.advance(3 * DAY_MS);
  await settle(world);
}

test("who sells and leaves gives back what nobody claimed, whole and once, and is told of it before", async () => {
  const { ctx } = world;
  const { charge, gift, code } = await gifted(world, bruno, ana);
  const figures = await deletionFigures(ctx, { personId: ana.id, dueAt: deletionDueAt(ctx.now()) });
  expect(figures).toMatchObject({
    giftsCount: 1,
    refundToGiversCents: charge.amountCents,
    refundFromBalanceCents: charge.netCents,
  });
  expect(consequenceLines(figures).join(" ")).toContain(
    "1 presente dos seus planos ainda não foi resgatado",
  );
  await requestDeletion(ctx, { personId: ana.id });
  await expect(claim(clara, code)).rejects.toThrow(GiftNotForThem);
  expect(
    waitReasons(await deletionStanding(ctx, { personId: ana.id })).map(({ kind }) => kind),
  ).toContain("purchases");
  await aMonth();
  expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ status: "refunded" });
  expect(await refundsOf(ctx, charge.id)).toEqual([
    { status: "succeeded", amountCents: charge.amountCents },
  ]);
  expect(await giftNow(world, { giftId: gift.id })).toMatchObject({ endedReason: "creator_left" });
  expect(await deletionsOf(ctx, ana.id)).toEqual(["done"]);
});

test("who gave and leaves is forgotten in it, and it still opens for who bears its code", async () => {
  const { ctx } = world;
  const email = `para-${clara.email}`;
  const { gift, code } = await gifted(world, bruno, ana, {
    recipientEmail: email,
    message: "Segredo nosso",
  });
  await requestDeletion(ctx, { personId: bruno.id });
  await aMonth();
  expect(await deletionsOf(ctx, bruno.id)).toEqual(["done"]);
  expect(await giftNow(world, { giftId: gift.id })).toMatchObject({
    recipientName: "",
    recipientEmail: "",
    message: "",
    endedAt: null,
  });
  expect(await presentedGift(ctx, { code, viewerId: null })).toMatchObject({
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

test("who claimed and leaves gives nothing to themselves: the days that were not used go back to who gave, and their name goes", async () => {
  const { ctx } = world;
  ana = await seller(ctx, { interval: "annual", amountCents: 12_000 });
  const { charge, gift, code } = await gifted(world, bruno, ana, { recipientName: "Clara Nunes" });
  await claim(clara, code);
  await world.drain();
  expect(
    await deletionFigures(ctx, { personId: clara.id, dueAt: deletionDueAt(ctx.now()) }),
  ).toMatchObject({ refundToThemCents: 0, subscriptions: [{ id: gift.id, refundCents: 0 }] });
  await requestDeletion(ctx, { personId: clara.id });
  await aMonth();
  expect(await deletionsOf(ctx, clara.id)).toEqual(["done"]);
  const back = await chargeRow(ctx, { chargeId: charge.id });
  expect(back).toMatchObject({ status: "partially_refunded", payerId: bruno.id });
  expect(back?.refundedCents).toBeGreaterThan(10_000);
  expect(await giftNow(world, { giftId: gift.id })).toMatchObject({ recipientName: "" });
  const told = await ctx.db
    .select({ body: notifications.body })
    .from(notifications)
    .where(eq(notifications.personId, bruno.id));
  expect(told.filter(({ body }) => body.includes("Clara Nunes"))).toEqual([]);
});

test("a Pix that comes from a giver who is leaving goes back, and frees the seat", async () => {
  const waiting = await pixGift(world, bruno, ana);
  await requestDeletion(world.ctx, { personId: bruno.id });
  await pay(world, waiting);
  await world.drain();
  expect(await chargeRow(world.ctx, waiting)).toMatchObject({ status: "refunded" });
  expect(await giftNow(world, waiting)).toMatchObject({
    endedReason: "given_back",
    holdsSeat: false,
  });
});
