import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import {
  GiftClaimed,
  GiftNotClaimable,
  GiftNotFound,
  CannotClaimOwnGift,
  LeavingMemberCannotClaim,
  GiftAlreadySubscribed,
  TooManyGiftCodeAttempts,
} from "#app/domain/purchases/gifts/errors.ts";
import { giftCode } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import { reactivateSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { AlreadySubscribed, NotReactivable } from "#app/domain/subscriptions/errors.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { audiencePageOf } from "#app/domain/subscriptions/audience/queries.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift, giftRow, pendingPixGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { seatsLimit: 1 });
  bruno = await createPerson(world.ctx, "Bruno Reis");
  clara = await createPerson(world.ctx, "Clara Nunes");
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
const subscriptionNow = async (id: string) =>
  (await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0];

describe("the code of a gift", () => {
  test("is stored only as a hash, and accepted however people type it", async () => {
    const { gift, code } = await paidGift(world, bruno, ana);
    const row = await world.ctx.db.get<Record<string, unknown>>(
      sql`SELECT * FROM gifts WHERE id = ${gift.id}`,
    );
    expect(JSON.stringify(row)).not.toContain(code);
    await claim(
      clara,
      ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `,
    );
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({ claimedBy: clara.id });
  });

  test("opens the plan for its bearer once: one period, on the gift's seat, that ends by itself", async () => {
    const { gift, charge, code } = await paidGift(world, bruno, ana);
    const opened = await claim(clara, code);
    await world.drain();
    expect(await seatsTaken()).toBe(1);
    const view = await fanSubscription(world.ctx, { fanId: clara.id, subscriptionId: gift.id });
    expect(view).toMatchObject({
      status: "canceled",
      badge: expect.stringMatching(/^Presente · até /),
      accessUntil: opened.accessUntil,
      giftedBy: bruno.id,
    });
    expect(
      [
        await notificationsFor(bruno, "gift.claimed"),
        await notificationsFor(clara, "gift.claimed"),
        await notificationsFor(ana, "gift.claimed"),
      ].map(({ length }) => length),
    ).toEqual([1, 1, 1]);
    const { page } = await audiencePageOf(world.ctx, {
      creatorId: ana.id,
      filter: { status: null, planId: null, method: "gift", terms: [] },
      cursor: null,
      limit: 5,
    });
    expect(page.items).toMatchObject([
      { name: clara.name, method: "gift", paidCents: charge.amountCents, monthlyCents: 0 },
    ]);
    await expect(
      reactivateSubscription(world.ctx, { fanId: clara.id, subscriptionId: gift.id }),
    ).rejects.toThrow(NotReactivable);
    await world.advance(opened.accessUntil - world.ctx.now() + 1);
    await world.tick();
    expect(await subscriptionNow(gift.id)).toMatchObject({ status: "expired" });
    expect(await seatsTaken()).toBe(0);
    await deliverOutboxMessage(world.ctx, {
      outboxId: `subscription:${gift.id}:ended:${opened.accessUntil}`,
    });
    expect(await notificationsFor(clara, "subscription.ended")).toMatchObject([
      {
        body: expect.stringContaining("Quer continuar?"),
        path: `/settings/subscriptions/${gift.id}/again`,
      },
    ]);
    expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, clara.id))).toEqual(
      [],
    );
  });

  test("claimed by two people at once opens for one, and twice for one person gives the same result", async () => {
    const { gift, code } = await paidGift(world, bruno, ana);
    const davi = await createPerson(world.ctx, "Davi");
    const claims = await Promise.allSettled([
      claim(clara, code),
      claim(davi, code),
      claim(clara, code),
    ]);
    const now = await giftRow(world, { giftId: gift.id });
    expect(claims.filter(({ status }) => status === "fulfilled").length).toBe(
      now.claimedBy === clara.id ? 2 : 1,
    );
    for (const one of claims)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(GiftClaimed);
    expect(await seatsTaken()).toBe(1);
  });

  test("is accepted after its plan was archived", async () => {
    const { code } = await paidGift(world, bruno, ana);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await expect(claim(clara, code)).resolves.toMatchObject({ creatorUsername: ana.username });
  });

  test("is refused with a message to people who cannot use it, and stays claimable", async () => {
    await world.ctx.db.update(plans).set({ seatsLimit: null }).where(eq(plans.id, ana.planId));
    const { gift, code } = await paidGift(world, bruno, ana);
    await expect(claim(ana, code)).rejects.toThrow(CannotClaimOwnGift);
    const [blocked, leaving, subscriber] = [
      await createPerson(world.ctx, "Eva"),
      await createPerson(world.ctx, "Ivo"),
      await createPerson(world.ctx, "Lia"),
    ];
    await block(world.ctx, { personId: ana.id, otherId: blocked.id });
    await expect(claim(blocked, code)).rejects.toThrow(GiftNotClaimable);
    await requestDeletion(world.ctx, { personId: leaving.id });
    await expect(claim(leaving, code)).rejects.toThrow(LeavingMemberCannotClaim);
    await paidSubscription(world, subscriber, ana);
    await expect(claim(subscriber, code)).rejects.toThrow(GiftAlreadySubscribed);
    expect(await giftRow(world, { giftId: gift.id })).toMatchObject({
      claimedAt: null,
      endedAt: null,
      holdsSeat: true,
    });
    await claim(clara, code);
    await expect(
      startSubscription(world.ctx, {
        memberId: clara.id,
        memberName: clara.name,
        planPriceId: ana.priceId,
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(AlreadySubscribed);
  });

  test("cannot be guessed: ten wrong codes an hour", async () => {
    const { code } = await paidGift(world, bruno, ana);
    for (let tries = 0; tries < 10; tries += 1)
      await expect(claim(clara, code.replace(/^..../, "ZZZZ"))).rejects.toThrow(GiftNotFound);
    await expect(claim(clara, "0000-0000")).rejects.toThrow(TooManyGiftCodeAttempts);
    await expect(claim(clara, code)).resolves.toBeDefined();
  });

  test("of an unpaid gift opens nothing", async () => {
    const waiting = await pendingPixGift(world, bruno, ana);
    const code = await giftCode(world.ctx, waiting);
    expect(code).toMatch(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
    await expect(claim(clara, code)).rejects.toThrow(GiftNotFound);
  });
});
