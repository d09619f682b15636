import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ChargeRefreshRateLimited } from "#app/domain/purchases/errors.ts";
import { resumeConfirmation } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import {
  SubscriptionMethodNotOffered,
  SavedCardRemoved,
  SubscriptionNotFound,
  TooManyMethodChanges,
} from "#app/domain/subscriptions/errors.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import * as confirmationRoute from "#app/routes/checkout/confirmation.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  ASKS_3DS_CARD,
  APPROVED_CARD,
  renewalHelpers,
  DECLINED_OFF_SESSION_CARD,
  STOLEN_CARD,
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
const { row, attempts, emails, goTo } = renewalHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
  startsAt,
}));

describe("a change of the payment method of a past-due renewal", () => {
  /** Saves a second card through a subscription to another creator. */
  async function savedCard(number: string): Promise<string> {
    const bia = await createSeller(world.ctx);
    const started = await startSubscription(world.ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: bia.priceId,
      method: "card",
      cardToken: await cardToken(world, number),
    });
    await world.drain();
    return (
      (await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: bia.id }))?.savedMethodId ??
      started.chargeId
    );
  }
  const change = (to: ChosenMethod) =>
    changeRenewalMethod(world.ctx, { fanId: bruno.id, subscriptionId, ...to });
  const PIX = { method: "pix", savedMethodId: null } as const;

  test("to another card charges the overdue amount at once, even after a stolen card", async () => {
    await subscribe(STOLEN_CARD);
    await goTo(0);
    const { chargeId } = await change({
      method: "card",
      savedMethodId: await savedCard(APPROVED_CARD),
    });
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    expect((await attempts())[1]?.id).toBe(chargeId);
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
  });

  test("to Pix creates the code at once, and cancels the charge that waits for 3DS", async () => {
    await subscribe(ASKS_3DS_CARD);
    await goTo(0);
    const { chargeId } = await change(PIX);
    expect((await attempts()).map(({ status, method }) => [method, status])).toEqual([
      ["card", "canceled"],
      ["pix", "awaiting_payment"],
    ]);
    expect(await row()).toMatchObject({ status: "past_due", method: "pix" });
    // A second change returns the same open code.
    expect(await change(PIX)).toEqual({ chargeId });
    await payAtBank(world, { providerChargeId: (await attempts())[1]?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({ status: "active", currentPeriodStartsAt: startsAt });
  });

  test("is charged by the cron when the process crashed after the change", async () => {
    await subscribe(STOLEN_CARD);
    await goTo(0);
    const card = await savedCard(APPROVED_CARD);
    await world.ctx.db
      .update(subscriptions)
      .set({ savedMethodId: card, updatedAt: world.ctx.now() })
      .where(eq(subscriptions.id, subscriptionId));
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });

  test("creates no charge while the bank has not answered about another one", async () => {
    await subscribe(APPROVED_CARD);
    await world.advance(startsAt + MINUTE_MS - world.ctx.now());
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.console("/sandbox/chaos", {});
    expect(await change(PIX)).toEqual({ chargeId: null });
    await world.tick();
    expect((await attempts()).map(({ status }) => status)).toEqual(["succeeded"]);
  });

  test("before anything is due changes only the method of the renewal", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    expect(await change(PIX)).toEqual({ chargeId: null });
    expect(await row()).toMatchObject({ status: "active", method: "pix", savedMethodId: null });
    expect(await attempts()).toEqual([]);
  });

  test("is refused to another member, with another person's card, and too often", async () => {
    await subscribe(DECLINED_OFF_SESSION_CARD);
    const { savedMethodId } = await row();
    await goTo(0);
    await expect(
      changeRenewalMethod(world.ctx, { fanId: ana.id, subscriptionId, ...PIX }),
    ).rejects.toThrow(SubscriptionNotFound);
    await expect(change({ method: "card", savedMethodId: "pm_of_nobody" })).rejects.toThrow(
      SavedCardRemoved,
    );
    await expect(change({ method: "card", savedMethodId: null })).rejects.toThrow(
      SubscriptionMethodNotOffered,
    );
    expect(await attempts()).toHaveLength(1);
    for (let tries = 0; tries < 8; tries += 1) await change({ method: "card", savedMethodId });
    expect(await attempts()).toHaveLength(9);
    await expect(change({ method: "card", savedMethodId })).rejects.toThrow(TooManyMethodChanges);
    expect(await attempts()).toHaveLength(9);
  });
});

describe("resuming a 3DS confirmation", () => {
  const routes = callRoutesAs([
    { path: "checkout/:chargeId/confirmation", module: confirmationRoute },
  ]);

  test("gives its payer a new URL after a closed tab, at the first checkout and at a renewal", async () => {
    const first = await startSubscription(world.ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: await cardToken(world, ASKS_3DS_CARD),
    });
    expect(await resumeConfirmation(world.ctx, { ...first, memberId: bruno.id })).toMatchObject({
      status: "requires_action",
      nextActionUrl: expect.stringContaining("/3ds/"),
    });
    const clara = await createPerson(world.ctx, "Clara");
    expect(
      (await routes.get({ person: clara }, `/checkout/${first.chargeId}/confirmation`)).status,
    ).toBe(404);
    // The route's own provider is unreachable here: it redirects to the checkout, and the payment
    // stays.
    expect(
      (await routes.get({ person: bruno }, `/checkout/${first.chargeId}/confirmation`)).headers.get(
        "Location",
      ),
    ).toBe(`/checkout/${first.chargeId}`);
    const charge = await chargeRow(world.ctx, first);
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
    // Confirmed in the other tab: the status is returned, and no confirmation is requested.
    expect(await resumeConfirmation(world.ctx, { ...first, memberId: bruno.id })).toEqual({
      status: "succeeded",
      nextActionUrl: null,
    });
    await world.drain();
    subscriptionId = charge?.purchaseId ?? "";
    startsAt = (await row()).currentPeriodEndsAt ?? 0;
    await goTo(0);
    const [renewal] = await attempts();
    expect(
      await resumeConfirmation(world.ctx, { memberId: bruno.id, chargeId: renewal?.id ?? "" }),
    ).toMatchObject({ status: "requires_action", nextActionUrl: expect.stringContaining("/3ds/") });
    expect(await emails("Confirme o pagamento")).toHaveLength(1);
  });

  test("is limited to six times a minute, and then leads back to the checkout page", async () => {
    const { chargeId } = await startSubscription(world.ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: await cardToken(world, ASKS_3DS_CARD),
    });
    for (let times = 0; times < 6; times += 1)
      expect((await resumeConfirmation(world.ctx, { memberId: bruno.id, chargeId })).status).toBe(
        "requires_action",
      );
    await expect(resumeConfirmation(world.ctx, { memberId: bruno.id, chargeId })).rejects.toThrow(
      ChargeRefreshRateLimited,
    );
    expect(
      (await routes.get({ person: bruno }, `/checkout/${chargeId}/confirmation`)).headers.get(
        "Location",
      ),
    ).toBe(`/checkout/${chargeId}`);
  });
});
