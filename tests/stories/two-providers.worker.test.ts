import { and, eq, ne } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import {
  detachSavedMethod,
  removeMemberCard,
} from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { saveTaxId } from "#app/domain/billing/details/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { requestCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { ProviderNotConfigured } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { SavedCardRemoved } from "#app/domain/subscriptions/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { offeredCards } from "#app/http/checkout/saved-cards.server.ts";
import { ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { charges, disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { openAsaas } from "#tests/integrations/asaas/asaas.ts";
import { openStripe } from "#tests/integrations/stripe/stripe.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { takenBy } from "#tests/support/takers.ts";
import type { Takers } from "#tests/support/takers.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";

let plain: World;
let ctx: Context;
let [asaas, stripe] = [openAsaas(), openStripe()];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  plain = await testContext({ webhooks: false });
  [asaas, stripe] = [openAsaas(), openStripe()];
  ctx = paidThrough([asaas.provider, stripe.provider], { pix: "asaas", card: "stripe" });
  ana = await createSeller(ctx);
  bruno = await payer("Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const paidThrough = (providers: PaymentProvider[], takers: Takers): Context => ({
  ...plain.ctx,
  payments: createPaymentRouter(providers, takenBy(takers)),
});

async function payer(name: string): Promise<TestPerson> {
  const made = await createPerson(plain.ctx, name);
  await saveTaxId(plain.ctx, { personId: made.id, name, taxKind: "cpf", taxId: "52998224725" });
  return made;
}

async function checkout(
  method: PaymentMethod,
  more: { fan?: TestPerson; savedMethodId?: string; ctx?: Context } = {},
) {
  const { fan = bruno, ctx: through = ctx, savedMethodId } = more;
  const cardToken =
    method === "card" && !savedMethodId ? await stripe.harness.cardToken("approves") : null;
  const { chargeId } = await startSubscription(through, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    method,
    cardToken,
    ...(savedMethodId ? { savedMethodId } : {}),
  });
  return await known(chargeId);
}

async function known(chargeId: string) {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { ...charge, providerChargeId: charge.providerChargeId };
}

/** Delivers the provider's webhook event and applies it. Returns the status and stored event. */
async function told(name: "asaas" | "stripe", id: string) {
  const { rawBody, headers } = await (name === "asaas" ? asaas : stripe).harness.delivery(
    { type: "charge", id },
    "current",
  );
  const answer = await receiveWebhook(
    ctx,
    new Request(`https://coreto.test/webhooks/${name}`, { method: "POST", headers, body: rawBody }),
  );
  const [row] = await ctx.db
    .select()
    .from(inbox)
    .where(and(eq(inbox.provider, name), eq(inbox.objectId, id)));
  if (row) await applyEvent(ctx, { inboxId: row.id });
  return {
    status: answer.status,
    stored: (await ctx.db.select().from(inbox).where(eq(inbox.objectId, id)))[0],
  };
}

/**
 * The provider clearing balances of a charge by account (centavos), without the providers' own
 * costs.
 */
async function clearing(chargeId: string): Promise<Record<string, number>> {
  const rows = await ctx.db
    .select({ account: ledgerEntries.accountId, cents: ledgerEntries.amountCents })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .where(
      and(eq(ledgerTransactions.chargeId, chargeId), ne(ledgerTransactions.kind, "provider.cost")),
    );
  const sums: Record<string, number> = {};
  for (const { account, cents } of rows.filter((row) =>
    row.account.startsWith("provider_clearing:"),
  ))
    sums[account] = (sums[account] ?? 0) + cents;
  return sums;
}

const heard = async ({
  account,
}: {
  account: { received(): Promise<{ method: string; path: string }[]> };
}) => (await account.received()).map(({ method, path }) => `${method} ${path.split("?")[0]}`);
const heardOf = async (id: string) => ({
  asaas: (await heard(asaas)).filter((call) => call.includes(id)).length > 0,
  stripe: (await heard(stripe)).filter((call) => call.includes(id)).length > 0,
});

test("a Pix goes to one provider and a card to the other, with their own calls, events, refunds and ledger accounts", async () => {
  const clara = await payer("Clara");
  const [pix, card] = [await checkout("pix"), await checkout("card", { fan: clara })];
  expect([pix.provider, card.provider]).toEqual(["asaas", "stripe"]);
  expect([
    (await heard(asaas)).filter((call) => call === "POST /v3/payments").length,
    (await heard(stripe)).filter((call) => call === "POST /v1/payment_intents").length,
  ]).toEqual([1, 1]);
  await asaas.harness.pay(pix.providerChargeId);
  expect([
    (await told("asaas", pix.providerChargeId)).status,
    (await told("stripe", card.providerChargeId)).status,
  ]).toEqual([200, 200]);
  expect([(await known(pix.id)).status, (await known(card.id)).status]).toEqual([
    "succeeded",
    "succeeded",
  ]);
  expect([await clearing(pix.id), await clearing(card.id)]).toEqual([
    { "provider_clearing:asaas": 1_990 },
    { "provider_clearing:stripe": 1_990 },
  ]);
  for (const charge of [pix, card])
    await refundCharge(ctx, {
      sellerId: ana.id,
      decidedBy: ana.id,
      chargeId: charge.id,
      refundId: ctx.newId(),
      amountCents: 990,
      reason: "",
    });
  expect(
    (await ctx.db.select().from(refunds).where(eq(refunds.chargeId, card.id)))[0]?.status,
  ).toBe("succeeded");
  expect([
    (await heard(asaas)).filter((call) => call.endsWith("/refund")).length,
    (await heard(stripe)).filter((call) => call === "POST /v1/refunds").length,
  ]).toEqual([1, 1]);
  expect([await heardOf(pix.providerChargeId), await heardOf(card.providerChargeId)]).toEqual([
    { asaas: true, stripe: false },
    { asaas: false, stripe: expect.any(Boolean) },
  ]);
});

test("each webhook address accepts only its own secret, and an event never applies to a charge of the other provider", async () => {
  const pix = await checkout("pix");
  const { rawBody, headers } = await asaas.harness.delivery(
    { type: "charge", id: pix.providerChargeId },
    "current",
  );
  expect(
    (
      await receiveWebhook(
        ctx,
        new Request("https://coreto.test/webhooks/stripe", {
          method: "POST",
          headers,
          body: rawBody,
        }),
      )
    ).status,
  ).toBe(401);
  expect(
    (
      await receiveWebhook(
        ctx,
        new Request("https://coreto.test/webhooks/sandbox", {
          method: "POST",
          headers,
          body: rawBody,
        }),
      )
    ).status,
  ).toBe(404);
  // A paid charge at Stripe that carries the reference of a charge at Asaas.
  const other = await stripe.provider.createPixCharge({
    chargeId: pix.id,
    amountCents: 1_990,
    description: "x",
    payerName: "x",
    expiresAt: testClock.now() + 60_000,
  });
  await stripe.harness.pay(other.id);
  expect((await told("stripe", other.id)).stored).toMatchObject({
    quarantineReason: "unknown_charge",
    handledAt: null,
  });
  await expectQuarantined(ctx, ["unknown_charge"]);
  expect(await known(pix.id)).toMatchObject({
    status: "awaiting_payment",
    providerChargeId: pix.providerChargeId,
  });
});

test("disputes with the same id at two providers are two disputes, each of its own charge", async () => {
  const clara = await payer("Clara");
  const [pix, card] = [await checkout("pix"), await checkout("card", { fan: clara })];
  await asaas.harness.pay(pix.providerChargeId);
  await told("asaas", pix.providerChargeId);
  const both = await Promise.all([
    asaas.harness.dispute(pix.providerChargeId),
    stripe.harness.dispute(card.providerChargeId),
  ]);
  const named = (provider: PaymentProvider, id = ""): PaymentProvider => ({
    ...provider,
    disputeById: async () => ({ ...(await provider.disputeById(id)), id: "dp_same" }),
  });
  const through = paidThrough([named(asaas.provider, both[0]), named(stripe.provider, both[1])], {
    pix: "asaas",
    card: "stripe",
  });
  const outcomes = [];
  for (const provider of ["asaas", "stripe", "asaas"])
    outcomes.push(await settleDispute(through, { provider, providerDisputeId: "dp_same" }));
  expect(outcomes).toEqual(["applied", "applied", "applied"]);
  const rows = await ctx.db
    .select({ chargeId: disputes.chargeId, provider: disputes.provider })
    .from(disputes)
    .where(eq(disputes.providerDisputeId, "dp_same"));
  expect(rows).toEqual([
    { chargeId: pix.id, provider: "asaas" },
    { chargeId: card.id, provider: "stripe" },
  ]);
});

test("a card saved at another provider is not offered, pays nothing, and can still be removed there", async () => {
  const card = await checkout("card");
  await told("stripe", card.providerChargeId);
  const [kept] = await offeredCards(ctx, { personId: bruno.id });
  const savedMethodId = kept?.id ?? "";
  expect(savedMethodId).toContain("/");
  const after = paidThrough([stripe.provider, plain.ctx.payments], {
    pix: "sandbox",
    card: "sandbox",
  });
  expect(await offeredCards(after, { personId: bruno.id })).toEqual([]);
  const before = (await heard(stripe)).length;
  const eva = await createSeller(ctx);
  const wish = {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: eva.priceId,
    method: "card" as const,
    cardToken: null,
    savedMethodId,
  };
  await expect(startSubscription(after, wish)).rejects.toBeInstanceOf(SavedCardRemoved);
  // A renewal charge with this card fails before any provider call.
  const renewal = {
    ...card,
    id: ctx.newId(),
    provider: "sandbox",
    providerChargeId: null,
    status: "created" as const,
    periodStartsAt: 1,
    periodEndsAt: 2,
    succeededAt: null,
    pendingCents: 0,
    keptMethodId: null,
    costCents: null,
  };
  await ctx.db.insert(charges).values(renewal);
  const asked = {
    chargeId: renewal.id,
    amountCents: renewal.amountCents,
    description: "x",
    method: "card" as const,
    expiresAt: ctx.now() + DAY_MS,
    payerName: "x",
    cardToken: null,
    savedMethodId,
    saveMethod: false,
  };
  expect(await requestCharge(after, asked)).toMatchObject({
    status: "failed",
    refusedCode: "card_kept_elsewhere",
  });
  expect((await heard(stripe)).length).toBe(before);
  await removeMemberCard(after, {
    personId: bruno.id,
    methodId: savedMethodId,
    instead: "cancel",
  });
  await detachSavedMethod(after, { methodId: savedMethodId });
  expect((await heard(stripe)).slice(before)).toContain(
    `POST /v1/payment_methods/${savedMethodId.split("/")[1]}/detach`,
  );
});

test("a charge of a provider that is no longer configured waits, calls no other provider, and alerts staff", async () => {
  const pix = await checkout("pix");
  const without = { ...plain.ctx, payments: stripe.provider };
  await expect(settleCharge(without, { chargeId: pix.id })).rejects.toBeInstanceOf(
    ProviderNotConfigured,
  );
  expect(await heard(stripe)).toEqual([]);
  const aDayLater = { ...without, now: () => testClock.now() + 2 * DAY_MS };
  const found = (await invariantFindings(aDayLater)).find(
    ({ name }) => name === "providers_configured",
  );
  expect(found?.rows).toContainEqual({ id: pix.id, provider: "asaas" });
  expect(
    (await invariantFindings({ ...aDayLater, payments: ctx.payments })).find(
      ({ name }) => name === "providers_configured",
    )?.rows,
  ).toEqual([]);
});

test("the provider that can send a Pix pays out what both providers received", async () => {
  const card = await checkout("card");
  await told("stripe", card.providerChargeId);
  const later = { ...ctx, now: () => testClock.now() + 40 * DAY_MS };
  await runPayouts(later);
  const [opened] = await ctx.db.select().from(payouts).where(eq(payouts.creatorId, ana.id));
  const payoutId = opened?.id ?? (await requestPayout(later, { creatorId: ana.id })).payoutId;
  await claimPayout(later, { payoutId });
  await sendPayout(later, { payoutId });
  expect((await ctx.db.select().from(payouts).where(eq(payouts.id, payoutId)))[0]).toMatchObject({
    provider: "asaas",
    amountCents: 1_890,
    status: "sent",
  });
  expect(await heard(asaas)).toContain("POST /v3/transfers");
  expect((await heard(stripe)).filter((call) => call.includes("transfer"))).toEqual([]);
});
