import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import {
  expireGift,
  deliverGift,
  requestGiftCoolingOffRefund,
  resendGift,
} from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import type { GiftCheckout } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import {
  GiftDeliveryDayInvalid,
  GiftClaimed,
  GiftNotClaimable,
  GiftNotFound,
  CannotGiftOwnPlan,
  GiftReturned,
  CannotClaimOwnGift,
  GiftUnclaimed,
  UnnamedGiftAlreadyOpen,
  LeavingMemberCannotClaim,
  GiftDeliveryNotPossible,
  GiftAlreadySubscribed,
  TooManyGiftEmails,
  TooManyGiftCodeAttempts,
} from "#app/domain/purchases/gifts/errors.ts";
import { PurchaseCoolingOffExpired } from "#app/domain/purchases/errors.ts";
import {
  purchasesAndGifts,
  giftCode,
  giverGift,
} from "#app/domain/purchases/gifts/queries.server.ts";
import { reactivateSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { AlreadySubscribed, NoSeatLeft, NotReactivable } from "#app/domain/subscriptions/errors.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { audiencePageOf } from "#app/domain/subscriptions/audience/queries.server.ts";
import { addDays, DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift, giftRow, giftCheckoutInput, pendingPixGift } from "#tests/support/gifts.ts";

import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
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
const mailsTo = (to: string) =>
  world.ctx.db.select().from(localMails).where(eq(localMails.recipient, to));
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

describe("buying a gift", () => {
  test("takes its seat at checkout; an expired code frees it, and a late payment is accepted while a seat is left", async () => {
    const waiting = await pendingPixGift(world, bruno, ana);
    expect(await seatsTaken()).toBe(1);
    await expect(startGift(world.ctx, giftCheckoutInput(clara, ana))).rejects.toThrow(NoSeatLeft);
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await seatsTaken()).toBe(0);
    expect(await giftRow(world, waiting)).toMatchObject({
      endedReason: "unpaid",
      holdsSeat: false,
    });
    await payAtBank(world, waiting);
    await world.drain();
    expect(await giftRow(world, waiting)).toMatchObject({
      endedAt: null,
      holdsSeat: true,
      paidAt: expect.any(Number),
    });
    expect(await seatsTaken()).toBe(1);
  });

  test("refunds a late payment at once when no seat is left", async () => {
    const waiting = await pendingPixGift(world, bruno, ana);
    await world.advance(HOUR_MS);
    await world.tick();
    await paidSubscription(world, clara, ana);
    await payAtBank(world, waiting);
    await world.drain();
    expect(await chargeRow(world.ctx, waiting)).toMatchObject({ status: "refunded" });
    expect(await giftRow(world, waiting)).toMatchObject({ paidAt: null, endedReason: "unpaid" });
    expect(await seatsTaken()).toBe(1);
  });

  test("from two tabs makes one charge, with the last message", async () => {
    const [one, other] = await Promise.all([
      startGift(world.ctx, giftCheckoutInput(bruno, ana)),
      startGift(world.ctx, giftCheckoutInput(bruno, ana)),
    ]);
    expect(other.chargeId).toBe(one.chargeId);
    const third = await startGift(
      world.ctx,
      giftCheckoutInput(bruno, ana, { message: "Feliz aniversário" }),
    );
    expect(third.chargeId).toBe(one.chargeId);
    expect(
      await world.ctx.db
        .select({ message: gifts.message })
        .from(gifts)
        .where(eq(gifts.giverId, bruno.id)),
    ).toEqual([{ message: "Feliz aniversário" }]);
  });

  test("without an e-mail keeps both checkouts separate: the second tells about the open one", async () => {
    const other = await createSeller(world.ctx);
    const forAna = await startGift(
      world.ctx,
      giftCheckoutInput(bruno, other, { recipientName: "Ana", message: "Feliz aniversário" }),
    );
    const forBia = (more: Partial<GiftCheckout> = {}) =>
      startGift(world.ctx, giftCheckoutInput(bruno, other, { recipientName: "Bia", ...more }));
    const refused = expect.objectContaining({
      message:
        "Já há um presente seu à espera do pagamento, para Ana. Pague esse primeiro e depois este, ou diga o e-mail de quem recebe este.",
      link: { to: `/checkout/${forAna.chargeId}`, words: "Ver o presente que espera" },
    });
    await expect(forBia()).rejects.toEqual(refused);
    await expect(forBia({ method: "card", cardToken: "tok_visa" })).rejects.toEqual(refused);
    await expect(forBia({ recipientName: "" })).rejects.toThrow(UnnamedGiftAlreadyOpen);
    expect(
      await world.ctx.db
        .select({ name: gifts.recipientName, message: gifts.message, endedAt: gifts.endedAt })
        .from(gifts)
        .where(eq(gifts.giverId, bruno.id)),
    ).toEqual([{ name: "Ana", message: "Feliz aniversário", endedAt: null }]);
    // An e-mail makes it another recipient, and an expired checkout blocks nothing.
    expect((await forBia({ recipientEmail: email })).chargeId).not.toBe(forAna.chargeId);
    expect(
      (await startGift(world.ctx, giftCheckoutInput(bruno, other, { recipientName: " ana " })))
        .chargeId,
    ).toBe(forAna.chargeId);
    await world.advance(HOUR_MS);
    expect((await forBia()).chargeId).not.toBe(forAna.chargeId);
  });

  test("for two people at once from two tabs tells one tab about the other", async () => {
    const other = await createSeller(world.ctx);
    const both = await Promise.allSettled(
      ["Ana", "Bia"].map((recipientName) =>
        startGift(world.ctx, giftCheckoutInput(bruno, other, { recipientName })),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: expect.any(UnnamedGiftAlreadyOpen),
    });
  });

  test("is refused for one's own page and for a past day", async () => {
    await expect(startGift(world.ctx, giftCheckoutInput(ana, ana))).rejects.toThrow(
      CannotGiftOwnPlan,
    );
    await expect(
      startGift(
        world.ctx,
        giftCheckoutInput(bruno, ana, { deliverOn: addDays(world.ctx.now(), -2) }),
      ),
    ).rejects.toThrow(GiftDeliveryDayInvalid);
    expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id))).toEqual(
      [],
    );
  });

  test("sends the gift's address to the giver at once, and to the recipient on the chosen day", async () => {
    const deliverOn = addDays(world.ctx.now(), 3);
    const { gift, code } = await paidGift(world, bruno, ana, {
      recipientEmail: email,
      message: "Com carinho",
      deliverOn,
    });
    const [giftEmail] = await mailsTo(bruno.email);
    expect(giftEmail?.body).toContain(`/gift/${code}`);
    await deliverGift(world.ctx, { giftId: gift.id });
    await world.drain();
    expect(await mailsTo(email)).toEqual([]);
    expect(await giverGift(world.ctx, { giverId: bruno.id, giftId: gift.id })).toMatchObject({
      state: "scheduled",
    });
    await world.advance(4 * DAY_MS);
    await world.tick();
    await world.tick();
    const sent = await mailsTo(email);
    expect(sent.map(({ subject }) => subject)).toEqual(["Bruno Reis deu um presente a você"]);
    expect(sent[0]?.body).toContain("“Com carinho”");
    expect(sent[0]?.body).toContain(`/gift/${code}`);
  });

  test("lets the giver resend it to another e-mail, a few times a day, until it is claimed", async () => {
    const { gift, code } = await paidGift(world, bruno, ana);
    const again = () =>
      resendGift(world.ctx, { giverId: bruno.id, giftId: gift.id, recipientEmail: email });
    await expect(
      resendGift(world.ctx, { giverId: clara.id, giftId: gift.id, recipientEmail: email }),
    ).rejects.toThrow(GiftNotFound);
    for (let time = 0; time < 5; time += 1) await again();
    await expect(again()).rejects.toThrow(TooManyGiftEmails);
    await world.drain();
    expect(await mailsTo(email)).toHaveLength(5);
    await claim(clara, code);
    await expect(again()).rejects.toThrow(GiftDeliveryNotPossible);
  });
});

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
      filter: { status: null, planId: null, method: "gift", words: [] },
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
