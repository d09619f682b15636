import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { requestGiftCoolingOffRefund } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { GiftAlreadySubscribed } from "#app/domain/purchases/gifts/errors.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  AlreadySubscribed,
  StartDateChanged,
  SubscriptionMethodNotOffered,
} from "#app/domain/subscriptions/errors.ts";
import { CannotPrepay } from "#app/domain/subscriptions/prepayments/errors.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { addDays, addMonths, DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { upcomingHelpers } from "#tests/support/upcoming.ts";

let world: World;
let ana: Seller;
let clara: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  clara = await createPerson(world.ctx, "Clara Nunes");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const {
  wish,
  row,
  given,
  comped,
  followed,
  goTo,
  badge,
  acts,
  subjects,
  email,
  notices,
  counted,
  seats,
} = upcomingHelpers(() => ({ world, seller: ana, fan: clara }));

describe("a subscription paid while a gift is active", () => {
  test("gives no access until the gift ends, then starts and renews; its funds wait for the cooling-off period of the start", async () => {
    const gift = await given();
    expect(await acts(gift.id)).toContain("follow");
    const { id, chargeId } = await followed(gift.endsAt);
    const next = addMonths(gift.endsAt, 1);
    expect(await row(id)).toMatchObject({
      status: "upcoming",
      startedAt: gift.endsAt,
      currentPeriodStartsAt: gift.endsAt,
      currentPeriodEndsAt: next,
      accessUntil: null,
      beginsAfter: gift.id,
    });
    expect(await badge(id)).toMatch(/^Começa em \d\d\/\d\d$/);
    expect(await acts(gift.id)).not.toContain("follow");
    expect([await counted(), await seats()]).toEqual([1, 2]);
    expect(
      (await subjects()).some((subject) =>
        /^Sua assinatura de .* começa em \d\d\/\d\d\/\d{4}$/.test(subject),
      ),
    ).toBe(true);
    const [part] = await world.ctx.db
      .select()
      .from(chargeReleases)
      .where(eq(chargeReleases.chargeId, chargeId));
    expect(part?.beginsAt).toBe(gift.endsAt);
    expect(part?.releaseAt).toBeGreaterThanOrEqual(gift.endsAt + 7 * DAY_MS);
    await expectInvariantsToHold(world.ctx);

    await goTo(gift.endsAt - HOUR_MS);
    expect((await row(id)).status).toBe("upcoming");
    await goTo(gift.endsAt + MINUTE_MS);
    expect((await row(gift.id)).status).toBe("expired");
    expect(await row(id)).toMatchObject({ status: "active", accessUntil: next });
    expect([await counted(), await seats()]).toEqual([1, 1]);
    const notified = await subjects();
    expect(notified.some((subject) => subject.endsWith("começou"))).toBe(true);
    expect(await email(/começou$/)).toContain("escreveu para você: Que bom que você veio!");
    expect(
      (await notices(clara.id)).some((body) =>
        body.endsWith("começou. Ana Lira escreveu para você: Que bom que você veio!"),
      ),
    ).toBe(true);
    expect(
      notified.some(
        (subject) => subject.startsWith("O seu presente") && subject.endsWith("terminou"),
      ),
    ).toBe(false);
    await goTo(addDays(next, -2));
    expect(
      (await fanSubscription(world.ctx, { fanId: clara.id, subscriptionId: id }))?.openChargeId,
    ).not.toBeNull();
  });

  test("is refunded in full when canceled before its start; the gift continues, and another can be paid", async () => {
    const gift = await given();
    const { id, chargeId } = await followed(gift.endsAt);
    expect(await acts(id)).toContain("cancel");
    await world.advance(10 * DAY_MS);
    await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: clara.id, subscriptionId: id });
    await world.drain();
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
      status: "refunded",
      refundedCents: 1_990,
    });
    expect((await row(id)).status).toBe("expired");
    expect(await row(gift.id)).toMatchObject({ status: "canceled", accessUntil: gift.endsAt });
    expect((await row((await followed(gift.endsAt)).id)).status).toBe("upcoming");
  });

  test("can be paid by card, and not with prepaid periods or Pix Automático", async () => {
    const gift = await given();
    await expect(
      startSubscription(world.ctx, wish({ beginsAt: gift.endsAt, periods: 3 })),
    ).rejects.toThrow(CannotPrepay);
    await expect(
      startSubscription(world.ctx, wish({ beginsAt: gift.endsAt, isAutomatic: true })),
    ).rejects.toThrow(SubscriptionMethodNotOffered);
    const { chargeId } = await startSubscription(
      world.ctx,
      wish({ beginsAt: gift.endsAt, method: "card", cardToken: await cardToken(world) }),
    );
    await world.drain();
    const id = (await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "";
    expect(await row(id)).toMatchObject({
      status: "upcoming",
      method: "card",
      savedMethodId: expect.any(String),
    });
  });

  test("is refused unless the start date shown is the end of the gift", async () => {
    const gift = await given();
    await expect(startSubscription(world.ctx, wish())).rejects.toThrow(AlreadySubscribed);
    await expect(
      startSubscription(world.ctx, wish({ beginsAt: gift.endsAt + DAY_MS })),
    ).rejects.toThrow(StartDateChanged);
    await followed(gift.endsAt);
    await expect(startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }))).rejects.toThrow(
      AlreadySubscribed,
    );
    const { code } = await paidGift(world, await createPerson(world.ctx, "Davi"), ana);
    await expect(
      claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code }),
    ).rejects.toThrow(GiftAlreadySubscribed);
    const elsewhere = await createSeller(world.ctx);
    await expect(
      startSubscription(world.ctx, wish({ planPriceId: elsewhere.priceId, beginsAt: gift.endsAt })),
    ).rejects.toThrow(StartDateChanged);
  });

  test("starts at once when paid after the gift was refunded, and keeps its date when paid before", async () => {
    const gift = await given();
    const { chargeId } = await startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }));
    expect((await startSubscription(world.ctx, wish({ beginsAt: gift.endsAt }))).chargeId).toBe(
      chargeId,
    );
    await requestGiftCoolingOffRefund(world.ctx, { personId: gift.giverId, giftId: gift.id });
    await world.drain();
    expect(await email(/^O seu presente terminou$/)).toContain("é só assinar");
    const charge = await chargeRow(world.ctx, { chargeId });
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
    await world.drain();
    const at = await row(charge?.purchaseId ?? "");
    expect(at.status).toBe("active");
    expect(at.startedAt).toBeLessThan(gift.endsAt);
  });

  test("is refunded in full when the creator is banned", async () => {
    const gift = await given();
    const { id, chargeId } = await followed(gift.endsAt);
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: ana.id,
      reason: "Fraude",
    });
    await world.advance(DAY_MS + HOUR_MS);
    await world.tick();
    await world.tick();
    expect((await row(id)).status).toBe("expired");
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ status: "refunded" });
  });
});

test("starts at the end of a complimentary subscription", async () => {
  const { endsAt } = await comped();
  const { id } = await followed(endsAt);
  expect(await row(id)).toMatchObject({ status: "upcoming", startedAt: endsAt });
  await goTo(endsAt + MINUTE_MS);
  expect(await row(id)).toMatchObject({ status: "active", accessUntil: addMonths(endsAt, 1) });
});
