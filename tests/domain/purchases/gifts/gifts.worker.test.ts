import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { deliverGift, resendGift } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import type { GiftCheckout } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import {
  GiftDeliveryDayInvalid,
  GiftNotFound,
  CannotGiftOwnPlan,
  UnnamedGiftAlreadyOpen,
  GiftDeliveryNotPossible,
  TooManyGiftEmails,
} from "#app/domain/purchases/gifts/errors.ts";
import { giverGift } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { NoSeatLeft } from "#app/domain/subscriptions/errors.ts";
import { addDays, DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift, giftRow, giftCheckoutInput, pendingPixGift } from "#tests/support/gifts.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

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
      link: { to: `/checkout/${forAna.chargeId}`, text: "Ver o presente que espera" },
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
