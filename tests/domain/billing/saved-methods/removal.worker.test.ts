import { and, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import type { ReplacementMethod } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { CardRequiredWithoutPix, CardPaysUpcoming } from "#app/domain/billing/errors.ts";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { resumeConfirmation } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { liveSubscription, subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const BY_PIX: ReplacementMethod = { method: "pix", savedMethodId: null };

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

async function subscribedByCard(
  fan: TestPerson,
  page: Seller,
  number = "4242424242424242",
): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Reis" }),
  });
  const { id: token } = (await answer.json()) as { id: string };
  const started = await startSubscription(ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: page.priceId,
    method: "card",
    cardToken: token,
  });
  const charge = await chargeRow(ctx, started);
  if (charge?.status === "requires_action")
    await payAtBank(world, { providerChargeId: charge.providerChargeId ?? "" });
  await world.drain();
  const subscription = await liveSubscription(ctx, { fanId: fan.id, creatorId: page.id });
  if (!subscription?.savedMethodId) throw new Error("no card was kept");
  return subscription.savedMethodId;
}

const cardsOf = (fan: TestPerson) => savedCards(ctx, { personId: fan.id });
const liveOf = (fan: TestPerson, page: Seller) =>
  liveSubscription(ctx, { fanId: fan.id, creatorId: page.id });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

describe("removing a card", () => {
  test("that renews a subscription is refused without a replacement", async () => {
    const card = await subscribedByCard(bruno, ana);
    await expect(
      removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead: null }),
    ).rejects.toMatchObject({ field: "instead" });
    expect(await cardsOf(bruno)).toHaveLength(1);
    expect(await liveOf(bruno, ana)).toMatchObject({ savedMethodId: card, status: "active" });
  });

  test("keeps it for a subscription that starts to use it meanwhile", async () => {
    const card = await subscribedByCard(bruno, ana);
    await cancelSubscription(ctx, {
      fanId: bruno.id,
      subscriptionId: (await liveOf(bruno, ana))?.id ?? "",
    });
    const other = await paidSubscription(world, bruno, await createSeller(ctx));
    const late = removeWhile(card, () =>
      ctx.db
        .update(subscriptions)
        .set({ savedMethodId: card })
        .where(eq(subscriptions.id, other.purchaseId)),
    );
    expect(await refusal(late)).toBe(
      "Este cartão paga assinaturas que renovam. Escolha como elas continuam.",
    );
    expect(await cardsOf(bruno)).toHaveLength(1);
  });

  /** Removes the card and runs `meanwhile` after the command has read and before it writes. */
  async function removeWhile(card: string, meanwhile: () => PromiseLike<unknown>): Promise<void> {
    const batch = ctx.db.batch.bind(ctx.db);
    let isFirst = true;
    ctx.db.batch = (async (statements: Parameters<typeof batch>[0]) => {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return batch(statements);
    }) as unknown as typeof ctx.db.batch;
    await removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead: null });
  }

  test("moves its renewals to Pix: the next charge is a code, and the provider deletes the card", async () => {
    const card = await subscribedByCard(bruno, ana);
    await removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead: BY_PIX });
    expect(await liveOf(bruno, ana)).toMatchObject({
      method: "pix",
      savedMethodId: null,
      status: "active",
    });
    expect(await cardsOf(bruno)).toEqual([]);
    await world.tick();
    expect(await ctx.payments.savedMethodById(card)).toMatchObject({ status: "removed" });
    expect(await ctx.db.$count(savedMethods, eq(savedMethods.id, card))).toBe(0);
    await world.advance(28 * DAY_MS);
    await world.tick();
    const methods = await ctx.db
      .select({ method: charges.method })
      .from(charges)
      .where(eq(charges.payerId, bruno.id))
      .orderBy(charges.createdAt);
    expect(methods.map((charge) => charge.method)).toEqual(["card", "pix"]);
  });

  test("moves its renewals to another card of the member, never to another member's", async () => {
    const first = await subscribedByCard(bruno, ana);
    const second = await subscribedByCard(bruno, await createSeller(ctx), "5555555555554444");
    const carlas = await subscribedByCard(await createPerson(ctx, "Carla"), ana);
    expect(
      await refusal(
        removeMemberCard(ctx, {
          personId: bruno.id,
          methodId: first,
          instead: { method: "card", savedMethodId: carlas },
        }),
      ),
    ).toBe("Não encontramos este cartão.");
    expect(
      await refusal(
        removeMemberCard(ctx, {
          personId: bruno.id,
          methodId: first,
          instead: { method: "card", savedMethodId: first },
        }),
      ),
    ).toBe("Não encontramos este cartão.");
    await removeMemberCard(ctx, {
      personId: bruno.id,
      methodId: first,
      instead: { method: "card", savedMethodId: second },
    });
    expect(await liveOf(bruno, ana)).toMatchObject({
      savedMethodId: second,
      method: "card",
      status: "active",
    });
    expect(await cardsOf(bruno)).toMatchObject([{ id: second, renews: 2 }]);
  });

  test("is refused when the replacement card is removed meanwhile", async () => {
    const first = await subscribedByCard(bruno, ana);
    const second = await subscribedByCard(bruno, await createSeller(ctx), "5555555555554444");
    const remove = (on: Context, methodId: string, instead: ReplacementMethod) =>
      removeMemberCard(on, { personId: bruno.id, methodId, instead });
    expect(
      await refusal(
        remove(
          interleaveBeforeWrite(ctx, () =>
            remove(ctx, second, { method: "card", savedMethodId: first }),
          ),
          first,
          { method: "card", savedMethodId: second },
        ),
      ),
    ).toBe("Este cartão paga assinaturas que renovam. Escolha como elas continuam.");
    expect(await cardsOf(bruno)).toMatchObject([{ id: first, renews: 2 }]);
  });

  test("can cancel its renewals: access stays, with a protocol, an email and a way to undo it", async () => {
    const card = await subscribedByCard(bruno, ana);
    const before = await liveOf(bruno, ana);
    await removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead: "cancel" });
    expect(await liveOf(bruno, ana)).toMatchObject({
      status: "canceled",
      accessUntil: before?.accessUntil,
      savedMethodId: null,
    });
    const [cancellation, ...more] = await ctx.db
      .select()
      .from(subscriptionCancellations)
      .where(eq(subscriptionCancellations.subscriptionId, before?.id ?? ""));
    expect(more).toEqual([]);
    await world.drain();
    const emails = await ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, bruno.email));
    const [email] = emails.filter(({ subject }) =>
      subject.includes(`protocolo ${cancellation?.protocol ?? "?"}`),
    );
    expect(email?.body).toContain("Desfaça aqui");
    await reactivateSubscription(ctx, { fanId: bruno.id, subscriptionId: before?.id ?? "" });
    expect(await liveOf(bruno, ana)).toMatchObject({ status: "active", method: "pix" });
  });

  test("with cancellation cancels a renewal that awaits authentication: confirming it from the old email pays nothing", async () => {
    const card = await subscribedByCard(bruno, ana, "4000002760003184");
    const before = await liveOf(bruno, ana);
    await world.advance((before?.currentPeriodEndsAt ?? 0) + MINUTE_MS - ctx.now());
    await world.tick();
    const [renewal] = await ctx.db
      .select()
      .from(charges)
      .where(
        and(
          eq(charges.payerId, bruno.id),
          isNotNull(charges.periodStartsAt),
          eq(charges.status, "requires_action"),
        ),
      );
    expect(await liveOf(bruno, ana)).toMatchObject({ status: "requires_action" });
    await removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead: "cancel" });
    expect(
      await resumeConfirmation(ctx, { memberId: bruno.id, chargeId: renewal?.id ?? "" }),
    ).toEqual({
      status: "canceled",
      nextActionUrl: null,
    });
    expect(await liveOf(bruno, ana)).toMatchObject({ status: "canceled" });
    expect(
      await ctx.db.$count(
        charges,
        and(eq(charges.payerId, bruno.id), isNotNull(charges.succeededAt)),
      ),
    ).toBe(1);
  });

  test("moves an upcoming subscription to Pix, and changes nothing where Pix is not offered", async () => {
    const card = await subscribedByCard(bruno, ana);
    const running = await liveOf(bruno, ana);
    const next = await createSeller(ctx);
    const { endsAt } = await grantComp(ctx, {
      creatorId: next.id,
      creatorName: next.name,
      givenBy: next.id,
      username: bruno.username,
      planId: next.planId,
      months: 1,
    });
    const { chargeId } = await startSubscription(ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: next.priceId,
      method: "card",
      cardToken: null,
      savedMethodId: card,
      beginsAt: endsAt,
    });
    await world.drain();
    const prepaid = async () =>
      await subscriptionRow(ctx, {
        subscriptionId: (await chargeRow(ctx, { chargeId }))?.purchaseId ?? "",
      });
    expect(await prepaid()).toMatchObject({ status: "upcoming", savedMethodId: card });
    const removal = (more: Partial<typeof ctx> = {}) =>
      removeMemberCard(
        { ...ctx, ...more },
        { personId: bruno.id, methodId: card, instead: "cancel" },
      );
    await expect(removal({ settings: { ...ctx.settings, pixEnabled: false } })).rejects.toThrow(
      CardPaysUpcoming,
    );
    expect(await liveOf(bruno, ana)).toMatchObject({
      id: running?.id,
      status: "active",
      savedMethodId: card,
    });
    await removal();
    expect(await prepaid()).toMatchObject({
      status: "upcoming",
      method: "pix",
      savedMethodId: null,
    });
    expect(await liveOf(bruno, ana)).toMatchObject({ id: running?.id, status: "canceled" });
    expect(await cardsOf(bruno)).toEqual([]);
  });

  test.each<[string, (offered: World["ctx"]) => Context]>([
    [
      "was switched off",
      (offered) => ({ ...offered, settings: { ...offered.settings, pixEnabled: false } }),
    ],
    [
      "has no acquirer",
      (offered) => ({
        ...offered,
        payments: {
          ...offered.payments,
          can: new Set([...offered.payments.can].filter((one) => one !== "pix")),
        },
      }),
    ],
  ])(
    "to renew by Pix is refused where it %s: nothing changes, and another choice is accepted",
    async (_, without) => {
      const card = await subscribedByCard(bruno, ana);
      const before = await liveOf(bruno, ana);
      const remove = (instead: ReplacementMethod) =>
        removeMemberCard(without(ctx), { personId: bruno.id, methodId: card, instead });
      await expect(remove(BY_PIX)).rejects.toThrow(CardRequiredWithoutPix);
      await expect(remove(BY_PIX)).rejects.toMatchObject({ field: "instead" });
      expect(await liveOf(bruno, ana)).toEqual(before);
      expect(await cardsOf(bruno)).toMatchObject([{ id: card, renews: 1 }]);
      await remove("cancel");
      expect(await liveOf(bruno, ana)).toMatchObject({ status: "canceled", method: "card" });
      expect(await cardsOf(bruno)).toEqual([]);
    },
  );

  test("of another member is not found", async () => {
    const card = await subscribedByCard(bruno, ana);
    expect(
      await refusal(removeMemberCard(ctx, { personId: ana.id, methodId: card, instead: BY_PIX })),
    ).toBe("Não encontramos este cartão.");
    expect(await liveOf(bruno, ana)).toMatchObject({ savedMethodId: card });
  });
});
