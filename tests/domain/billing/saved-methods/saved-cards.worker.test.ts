import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { SavedCardRemoved } from "#app/domain/subscriptions/errors.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { canSeePost, soldPost, purchaseCheckoutInput } from "#tests/support/purchases.ts";
import { tipCheckoutInput } from "#tests/support/tips.ts";
import { runRenewals } from "#workers/renewals/run.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

async function token(number: string): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Reis" }),
  });
  return ((await answer.json()) as { id: string }).id;
}

const cardsOf = async (fan: TestPerson): Promise<string[]> =>
  (await savedCards(world.ctx, { personId: fan.id })).map(({ id }) => id);
const chargesOf = (fan: TestPerson) => world.ctx.db.$count(charges, eq(charges.payerId, fan.id));

/** Buys a post with a typed card, and saves the card. Returns the card's id. */
async function savedCard(fan: TestPerson, number = "4242424242424242"): Promise<string> {
  const { postId } = await soldPost(world.ctx, ana);
  const started = await startPurchase(world.ctx, {
    ...purchaseCheckoutInput(fan, postId, { method: "card", cardToken: await token(number) }),
    keep: true,
  });
  if (started.nextActionUrl) await approve(started);
  await world.drain();
  const [card] = await cardsOf(fan);
  if (!card) throw new Error("no card was kept");
  return card;
}

/** The payer's bank approves the charge. */
async function approve({ chargeId }: { chargeId: string }): Promise<void> {
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
}

const subscribe = (fan: TestPerson, savedMethodId: string) =>
  startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: null,
    savedMethodId,
  });

describe("a card typed for a one-time payment", () => {
  test("is saved only on request", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    await startPurchase(
      world.ctx,
      purchaseCheckoutInput(bruno, postId, {
        method: "card",
        cardToken: await token("4242424242424242"),
      }),
    );
    await world.drain();
    expect(await canSeePost(world.ctx, bruno, postId)).toBe(true);
    expect(await cardsOf(bruno)).toEqual([]);
    await savedCard(bruno);
    expect(await cardsOf(bruno)).toHaveLength(1);
  });
});

describe("a saved card", () => {
  test("buys a post without being typed, and is not saved twice", async () => {
    const card = await savedCard(bruno);
    const { postId } = await soldPost(world.ctx, ana);
    await expect(
      startPurchase(world.ctx, {
        ...purchaseCheckoutInput(bruno, postId, { method: "card" }),
        savedMethodId: card,
      }),
    ).resolves.toMatchObject({ status: "succeeded", nextActionUrl: null });
    await world.drain();
    expect(await canSeePost(world.ctx, bruno, postId)).toBe(true);
    expect(await cardsOf(bruno)).toEqual([card]);
  });

  test("pays a tip without being typed; another person's card is refused", async () => {
    const card = await savedCard(bruno);
    const clara = await createPerson(world.ctx, "Clara");
    await expect(
      startTip(world.ctx, tipCheckoutInput(clara, ana, { method: "card", savedMethodId: card })),
    ).rejects.toThrow(SavedCardRemoved);
    await expect(
      startTip(world.ctx, tipCheckoutInput(bruno, ana, { method: "card", savedMethodId: card })),
    ).resolves.toMatchObject({ status: "succeeded", nextActionUrl: null });
    await world.drain();
    expect(await cardsOf(bruno)).toEqual([card]);
  });

  test("comes from a tip only on request", async () => {
    const typed = async () =>
      tipCheckoutInput(bruno, ana, { method: "card", cardToken: await token("4242424242424242") });
    await startTip(world.ctx, await typed());
    await world.drain();
    expect(await cardsOf(bruno)).toEqual([]);
    await startTip(world.ctx, { ...(await typed()), keep: true });
    await world.drain();
    expect(await cardsOf(bruno)).toHaveLength(1);
  });

  test("starts a subscription, which renews with it", async () => {
    const card = await savedCard(bruno);
    await expect(subscribe(bruno, card)).resolves.toMatchObject({ status: "succeeded" });
    await world.drain();
    expect(await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject(
      { status: "active", method: "card", savedMethodId: card },
    );
  });

  test("that needs 3DS is confirmed by its owner at the checkout", async () => {
    const card = await savedCard(bruno, "4000000000003220");
    const started = await subscribe(bruno, card);
    expect(started).toMatchObject({
      status: "requires_action",
      nextActionUrl: expect.stringContaining("/3ds/"),
    });
    await approve(started);
    await world.drain();
    expect(await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject(
      { status: "active", savedMethodId: card },
    );
  });

  test("removed while 3DS is open stays removed after the confirmation, here and at the provider", async () => {
    const card = await savedCard(bruno, "4000000000003220");
    const started = await subscribe(bruno, card);
    await removeMemberCard(world.ctx, { personId: bruno.id, methodId: card, instead: null });
    await world.tick();
    await approve(started);
    await world.drain();
    expect(await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject(
      { status: "active", savedMethodId: null },
    );
    expect(await cardsOf(bruno)).toEqual([]);
    const forgotten: string[] = [];
    await runRenewals({
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        removeSavedMethod: (id: string) => (
          forgotten.push(id),
          world.ctx.payments.removeSavedMethod(id)
        ),
      },
    });
    expect(forgotten).toEqual([card]);
    await world.tick();
    expect(await cardsOf(bruno)).toEqual([]);
  });

  test("removed in another tab is refused, and nothing is charged", async () => {
    const card = await savedCard(bruno);
    const before = await chargesOf(bruno);
    await removeMemberCard(world.ctx, { personId: bruno.id, methodId: card, instead: null });
    const { postId } = await soldPost(world.ctx, ana);
    await expect(
      startPurchase(world.ctx, {
        ...purchaseCheckoutInput(bruno, postId, { method: "card" }),
        savedMethodId: card,
      }),
    ).rejects.toThrow(SavedCardRemoved);
    await expect(subscribe(bruno, card)).rejects.toThrow(
      "Este cartão não está mais guardado. Nada foi cobrado. Escolha outra forma de pagar.",
    );
    expect(await chargesOf(bruno)).toBe(before);
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.fanId, bruno.id))).toBe(0);
  });

  test("removed between the read and the write is refused by the database", async () => {
    const card = await savedCard(bruno);
    const before = await chargesOf(bruno);
    const { postId } = await soldPost(world.ctx, ana);
    const removal = () =>
      removeMemberCard(world.ctx, { personId: bruno.id, methodId: card, instead: null });
    await expect(
      startPurchase(interleaveBeforeWrite(world.ctx, removal), {
        ...purchaseCheckoutInput(bruno, postId, { method: "card" }),
        savedMethodId: card,
      }),
    ).rejects.toThrow(SavedCardRemoved);
    expect(await chargesOf(bruno)).toBe(before);
    expect(await cardsOf(bruno)).toEqual([]);
  });

  test("of another person is never charged", async () => {
    const card = await savedCard(bruno);
    const clara = await createPerson(world.ctx, "Clara");
    const { postId } = await soldPost(world.ctx, ana);
    await expect(
      startPurchase(world.ctx, {
        ...purchaseCheckoutInput(clara, postId, { method: "card" }),
        savedMethodId: card,
      }),
    ).rejects.toThrow(SavedCardRemoved);
    await expect(subscribe(clara, card)).rejects.toThrow(SavedCardRemoved);
    expect(await chargesOf(clara)).toBe(0);
  });

  test("that is declined shows a message, and no subscription starts", async () => {
    const card = await savedCard(bruno, "4000000000000341");
    await expect(subscribe(bruno, card)).rejects.toThrow(
      "O cartão foi recusado. Tente outro cartão ou pague com Pix.",
    );
    expect(await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id })).toBeNull();
  });
});
