import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  APPROVED_CARD,
  renewalHelpers,
  DECLINED_OFF_SESSION_CARD,
  subscribedByCard,
} from "#tests/support/dunning.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let startsAt: number;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const subscribe = async (number: string) =>
  void ({ subscriptionId, startsAt } = await subscribedByCard(world, bruno, ana, number));
const { row, attempts, emails } = renewalHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
  startsAt,
}));

describe("a renewal card without an answer from the bank", () => {
  test("is not charged again meanwhile, the access stays, and no refusal is announced", async () => {
    await subscribe(APPROVED_CARD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await advanceSubscription(world.ctx, { subscriptionId });
    const [unknown] = await attempts();
    expect(unknown?.status).toBe("created");
    expect(await row()).toMatchObject({ status: "past_due", accessUntil: addDays(startsAt, 7) });
    await world.advance(addDays(startsAt, 1) + MINUTE_MS - world.ctx.now());
    await advanceSubscription(world.ctx, { subscriptionId });
    expect(await attempts()).toHaveLength(1);
    await world.console("/sandbox/chaos", {});
    await world.tick();
    expect(await attempts()).toMatchObject([{ id: unknown?.id, status: "succeeded" }]);
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
    expect(await emails("não pagou")).toEqual([]);
    expect(await emails("em atraso")).toEqual([]);
  });
});

describe("a renewal card without an answer from the bank, whose subscriber changes to Pix", () => {
  const toPix = () =>
    changeRenewalMethod(world.ctx, {
      fanId: bruno.id,
      subscriptionId,
      method: "pix",
      savedMethodId: null,
    });
  const charged = (asked: "reached" | "lost") => ({
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      createCardCharge: async (
        request: Parameters<typeof world.ctx.payments.createCardCharge>[0],
      ) => {
        if (asked === "reached") await world.ctx.payments.createCardCharge(request);
        throw new ProviderUnclear("no answer");
      },
    },
  });

  test("is looked up first: if it was declined, the Pix code is created at once", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("reached"), { subscriptionId });
    world.queued.splice(0);
    expect((await attempts()).map(({ status }) => status)).toEqual(["created"]);
    const { chargeId } = await toPix();
    expect(
      (await attempts()).map(({ id, method, status }) => [id === chargeId, method, status]),
    ).toEqual([
      [false, "card", "failed"],
      [true, "pix", "awaiting_payment"],
    ]);
  });

  test("is looked up first: if it was paid, nothing more is requested", async () => {
    await subscribe(APPROVED_CARD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("reached"), { subscriptionId });
    world.queued.splice(0);
    expect(await toPix()).toEqual({ chargeId: null });
    expect((await attempts()).map(({ method, status }) => [method, status])).toEqual([
      ["card", "succeeded"],
    ]);
    expect(await row()).toMatchObject({ status: "active", method: "pix" });
  });

  test("that never reached the provider expires after some minutes and a Pix code follows; a late payment is refunded", async () => {
    await subscribe(APPROVED_CARD);
    const savedMethodId = (await row()).savedMethodId;
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("lost"), { subscriptionId });
    expect(await toPix()).toEqual({ chargeId: null });
    await world.advance(2 * MINUTE_MS);
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["created"]);
    await world.advance(10 * MINUTE_MS);
    await world.tick();
    await world.tick();
    const [card, pix, ...more] = await attempts();
    expect(more).toEqual([]);
    expect(card).toMatchObject({
      method: "card",
      status: "expired",
      failureCode: "never_reached",
      askedWith: null,
    });
    expect(pix).toMatchObject({ method: "pix", status: "awaiting_payment" });
    expect(await emails("não pagou")).toEqual([]);
    await payAtBank(world, { providerChargeId: pix?.providerChargeId ?? "" });
    await world.drain();
    await world.ctx.payments.createCardCharge({
      chargeId: card?.id ?? "",
      amountCents: card?.amountCents ?? 0,
      description: "d",
      payerName: "Bruno",
      cardToken: null,
      savedMethodId,
      saveMethod: false,
      expiresAt: card?.expiresAt ?? 0,
      returnUrl: world.ctx.settings.appOrigin,
    });
    await world.drain();
    await world.tick();
    expect((await attempts()).map(({ method, status }) => [method, status])).toEqual([
      ["card", "refunded"],
      ["pix", "succeeded"],
    ]);
  });

  test("is requested again with the data of the first request, although the payer's name changed", async () => {
    await subscribe(APPROVED_CARD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await advanceSubscription(charged("lost"), { subscriptionId });
    await world.ctx.db
      .update(profiles)
      .set({ name: "Outro Nome" })
      .where(eq(profiles.personId, bruno.id));
    const [waiting] = await attempts();
    const asked: { payerName: string; savedMethodId: string | null; saveMethod: boolean }[] = [];
    const listening = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        createCardCharge: (request: Parameters<typeof world.ctx.payments.createCardCharge>[0]) => (
          asked.push(request),
          world.ctx.payments.createCardCharge(request)
        ),
      },
    };
    await reconcileCharge(listening, { chargeId: waiting?.id ?? "" });
    expect(asked).toMatchObject([
      { payerName: "Bruno", savedMethodId: (await row()).savedMethodId, saveMethod: false },
    ]);
    expect(await attempts()).toMatchObject([{ status: "succeeded", askedWith: null }]);
  });
});
