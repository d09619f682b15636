import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import type { ReplacementMethod } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveAfterWrite, interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank } from "#tests/support/payments.ts";
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
const liveOf = (fan: TestPerson, page: Seller) =>
  liveSubscription(ctx, { fanId: fan.id, creatorId: page.id });

describe("a card that is removed while its renewal is created", () => {
  const RENEWAL = /^insert into "charges"/;

  /** A subscription whose period just ended, and two cards of its member. One of them pays it. */
  async function renewing() {
    const card = await subscribedByCard(bruno, ana);
    const other = await subscribedByCard(bruno, await createSeller(ctx), "5555555555554444");
    const live = await liveOf(bruno, ana);
    if (live?.currentPeriodEndsAt == null) throw new Error("it renews");
    await ctx.db
      .update(subscriptions)
      .set({ calendarAt: null })
      .where(eq(subscriptions.fanId, bruno.id));
    await world.advance(live.currentPeriodEndsAt + MINUTE_MS - ctx.now());
    return { card, other, subscriptionId: live.id, endsAt: live.currentPeriodEndsAt };
  }

  const remove = (card: string, instead: ReplacementMethod) => async () =>
    await removeMemberCard(ctx, { personId: bruno.id, methodId: card, instead });
  const renewalsOf = async ({
    subscriptionId,
    endsAt,
  }: {
    subscriptionId: string;
    endsAt: number;
  }) =>
    await ctx.db
      .select({ method: charges.method, status: charges.status })
      .from(charges)
      .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.periodStartsAt, endsAt)))
      .orderBy(charges.createdAt);

  /** `ctx`, and the cards that the provider is asked to charge. */
  function listening() {
    const asked: (string | null)[] = [];
    const createCardCharge: PaymentProvider["createCardCharge"] = async (request) => (
      asked.push(request.savedMethodId),
      await ctx.payments.createCardCharge(request)
    );
    return { asked, on: { ...ctx, payments: { ...ctx.payments, createCardCharge } } };
  }

  test.each([
    [
      "before the charge is written, continues by Pix",
      interleaveBeforeWrite,
      "pix",
      [{ method: "pix", status: "awaiting_payment" }],
    ],
    [
      "before the charge is written, continues by the other card",
      interleaveBeforeWrite,
      "card",
      [{ method: "card", status: "succeeded" }],
    ],
    [
      "right after, continues by Pix",
      interleaveAfterWrite,
      "pix",
      [
        { method: "card", status: "expired" },
        { method: "pix", status: "awaiting_payment" },
      ],
    ],
    [
      "right after, continues by the other card",
      interleaveAfterWrite,
      "card",
      [
        { method: "card", status: "expired" },
        { method: "card", status: "succeeded" },
      ],
    ],
    [
      "right after, is canceled",
      interleaveAfterWrite,
      "cancel",
      [{ method: "card", status: "expired" }],
    ],
  ] as const)("%s, and is never charged", async (_, when, how, expected) => {
    const renewal = await renewing();
    const { asked, on } = listening();
    const choices: Record<typeof how, ReplacementMethod> = {
      pix: BY_PIX,
      card: { method: "card", savedMethodId: renewal.other },
      cancel: "cancel",
    };
    const instead = choices[how];
    await advanceSubscription(when(on, remove(renewal.card, instead), RENEWAL), renewal);
    expect(asked).toEqual(how === "card" ? [renewal.other] : []);
    expect(await renewalsOf(renewal)).toEqual(expected);
    await world.drain();
    const emails = await ctx.db
      .select({ subject: localMails.subject })
      .from(localMails)
      .where(eq(localMails.recipient, bruno.email));
    expect(emails.filter(({ subject }) => subject.includes("recus"))).toEqual([]);
  });
});
