import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import {
  expireGift,
  requestGiftCoolingOffRefund,
} from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { GiftReturned, GiftUnclaimed } from "#app/domain/purchases/gifts/errors.ts";
import { PurchaseCoolingOffExpired } from "#app/domain/purchases/errors.ts";
import { purchasesAndGifts } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift, giftRow } from "#tests/support/gifts.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { transferTriesOf } from "#tests/support/refund-transfers.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
/** An address without an account. */
let email: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { seatsLimit: 1 });
  bruno = await createPerson(world.ctx, "Bruno Reis");
  clara = await createPerson(world.ctx, "Clara Nunes");
  email = `para-${clara.email}`;
});
afterEach(() => expectInvariantsToHold(world.ctx));

const seatsTaken = async () =>
  (
    await world.ctx.db
      .select({ taken: plans.seatsTaken })
      .from(plans)
      .where(eq(plans.id, ana.planId))
  )[0]?.taken;
const claim = (by: TestPerson, code: string) =>
  claimGift(world.ctx, { memberId: by.id, memberName: by.name, code });
const notificationsFor = (one: TestPerson, kind: string) =>
  world.ctx.db
    .select()
    .from(notifications)
    .where(sql`${notifications.personId} = ${one.id} AND ${notifications.kind} = ${kind}`);
const announcedTo = async (payerId: string, type: string) =>
  (
    await world.ctx.db
      .select({ payload: outbox.payload })
      .from(outbox)
      .where(
        sql`${outbox.type} = ${type} AND json_extract(${outbox.payload}, '$.payerId') = ${payerId}`,
      )
  ).map(({ payload }) => payload);
const subscriptionNow = async (id: string) =>
  (await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0];

describe("the money of a gift", () => {
  test("stays pending until the gift is claimed, however long that takes, and then follows the release rule", async () => {
    const { charge, code } = await paidGift(world, bruno, ana);
    await world.advance(100 * DAY_MS);
    await world.tick();
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: charge.netCents,
      availableCents: 0,
      releases: [],
    });
    await claim(clara, code);
    await world.tick();
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: charge.netCents,
    });
  });

  test("waits for the hold period of a first sale when claimed at once", async () => {
    // On a Monday a weekly payout would take what becomes available.
    await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
    const { charge, code } = await paidGift(world, bruno, ana);
    await claim(clara, code);
    await world.advance(7 * DAY_MS);
    await world.tick();
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: charge.netCents,
      availableCents: 0,
    });
    await world.advance(2 * DAY_MS);
    await world.tick();
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: charge.netCents,
    });
  });

  test.each([
    ["before", false],
    ["after", true],
  ])(
    "is refunded whole on the giver's cooling-off request within seven days, %s it was claimed",
    async (_, isClaimed) => {
      const { gift, charge, code } = await paidGift(world, bruno, ana);
      if (isClaimed) await claim(clara, code);
      await world.advance(6 * DAY_MS);
      await Promise.allSettled([
        requestGiftCoolingOffRefund(world.ctx, { personId: bruno.id, giftId: gift.id }),
        requestGiftCoolingOffRefund(world.ctx, { personId: bruno.id, giftId: gift.id }),
      ]);
      await world.drain();
      expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
        status: "refunded",
        refundedCents: charge.amountCents,
      });
      expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
        pendingCents: 0,
        availableCents: 0,
      });
      expect(await seatsTaken()).toBe(0);
      expect((await subscriptionNow(gift.id))?.status).toBe(isClaimed ? "expired" : undefined);
      expect(await notificationsFor(clara, "gift.taken_back")).toHaveLength(isClaimed ? 1 : 0);
      await expect(claim(await createPerson(world.ctx, "Davi"), code)).rejects.toThrow(
        GiftReturned,
      );
    },
  );

  test("is not refunded on request after seven days", async () => {
    const { gift } = await paidGift(world, bruno, ana);
    await world.advance(8 * DAY_MS);
    await expect(
      requestGiftCoolingOffRefund(world.ctx, { personId: bruno.id, giftId: gift.id }),
    ).rejects.toThrow(PurchaseCoolingOffExpired);
  });

  test("is refunded when nobody claims the gift within a year, and its code then opens nothing", async () => {
    const { gift, charge, code } = await paidGift(world, bruno, ana);
    await world.advance(364 * DAY_MS);
    await expireGift(world.ctx, { giftId: gift.id });
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ endedAt: null });
    await world.advance(2 * DAY_MS);
    await expect(claim(clara, code)).rejects.toThrow(GiftUnclaimed);
    await world.tick();
    await world.tick();
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({
      endedReason: "unclaimed",
      holdsSeat: false,
    });
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      refundedCents: charge.amountCents,
    });
    // No provider refunds a Pix of a year ago, so the giver is asked for a key.
    const [refund] = await world.ctx.db
      .select({ id: refunds.id })
      .from(refunds)
      .where(eq(refunds.chargeId, charge.id));
    expect(await transferTriesOf(world, refund?.id ?? "")).toMatchObject([
      { status: "awaiting_key", payerId: bruno.id, amountCents: charge.amountCents },
    ]);
    expect(
      (await chargeEntries(world.ctx, { chargeId: charge.id })).filter(
        ({ transactionKind }) => transactionKind === "charge.refunded",
      ),
    ).not.toEqual([]);
    expect(
      (
        await purchasesAndGifts(world.ctx, {
          personId: bruno.id,
          cursor: null,
          givenCursor: null,
          limit: 5,
        })
      ).given,
    ).toMatchObject({ items: [{ state: "unclaimed" }] });
  });

  test("of a banned seller is refunded whole if unclaimed, and for the unused days if claimed", async () => {
    await world.ctx.db.update(plans).set({ seatsLimit: null }).where(eq(plans.id, ana.planId));
    const waiting = await paidGift(world, bruno, ana);
    const opened = await paidGift(world, bruno, ana, {
      recipientName: "Davi",
      recipientEmail: email,
    });
    await claim(clara, opened.code);
    await world.advance(10 * DAY_MS);
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: ana.id,
      reason: "spam",
    });
    await world.advance(2 * DAY_MS);
    await world.tick();
    await world.tick();
    expect(await chargeRow(world.ctx, { chargeId: waiting.charge.id })).toMatchObject({
      status: "refunded",
    });
    const partly = await chargeRow(world.ctx, { chargeId: opened.charge.id });
    expect(partly?.status).toBe("partially_refunded");
    expect(partly?.refundedCents).toBeLessThan(opened.charge.amountCents);
    expect(await subscriptionNow(opened.gift.id)).toMatchObject({ status: "expired" });
  });

  test("of a claimer who leaves is refunded to the giver for the unused days", async () => {
    const { gift, charge, code } = await paidGift(world, bruno, ana);
    await claim(clara, code);
    await world.advance(10 * DAY_MS);
    await closeSubscription(world.ctx, { subscriptionId: gift.id, because: "fan_left" });
    await world.tick();
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      status: "partially_refunded",
      payerId: bruno.id,
    });
    expect(await announcedTo(bruno.id, "charge.refunded")).toMatchObject([
      {
        reason:
          "Quem resgatou o seu presente excluiu a conta: devolvemos os dias que não foram usados.",
      },
    ]);
    expect(await seatsTaken()).toBe(0);
  });

  test("lost in a dispute ends the subscription that it opened", async () => {
    const { gift, charge, code } = await paidGift(world, bruno, ana);
    await claim(clara, code);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    await world.console(`/sandbox/disputes/${String(opened.body["id"])}/lose`);
    await world.drain();
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      status: "dispute_lost",
    });
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({
      endedReason: "dispute_lost",
    });
    expect(await subscriptionNow(gift.id)).toMatchObject({ status: "expired" });
  });
});
