import fc from "fast-check";
import { expect, test } from "vitest";
import { ProviderNotConfigured, ProviderUnclear } from "#app/domain/payments/errors.ts";
import {
  isMethodOffered,
  acquirerCardFieldUrl,
  allProviders,
  cardProviderOf,
  providerOf,
  canAcceptDispute,
  isCardAtChargeProvider,
  taxIdMethods,
  payableCardProviders,
  payoutProviderFor,
  payoutProvider,
  findProvider,
  createPaymentRouter,
  acquirerFor,
  acceptsSavedCards,
  takesCardWallets,
} from "#app/domain/payments/providers/rules/providers.ts";
import type { Capability, PaymentProvider } from "#app/domain/payments/schema.ts";
import { isPixMandateOffered } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";
import { takenBy } from "#tests/support/takers.ts";

const NAMES = ["asaas", "stripe", "sandbox", "another"] as const;
const provider = (
  name: string,
  can: Capability[],
  more: Partial<PaymentProvider> = {},
): PaymentProvider => ({ ...chaoticProvider(() => 0).port, name, can: new Set(can), ...more });

const asaas = provider("asaas", ["pix", "recurring_pix", "transfer_to_pix_key"], {
  needsPayerTaxId: true,
});
const stripe = provider("stripe", ["pix", "card", "saved_card", "dispute_acceptance"], {
  cardFieldUrl: "https://coreto.test/checkout/card-field",
});
const payments = createPaymentRouter([stripe, asaas], takenBy({ pix: "asaas", card: "stripe" }));
const on = { payments, settings: { pixEnabled: true } };

test("new charges go to the acquirer of their method, and payouts to a provider that can send Pix", () => {
  expect([
    acquirerFor(payments, "pix").name,
    acquirerFor(payments, "card").name,
    payoutProvider(payments).name,
  ]).toEqual(["asaas", "stripe", "asaas"]);
  expect([
    isMethodOffered("pix", on),
    isMethodOffered("card", on),
    isPixMandateOffered(on),
  ]).toEqual([true, true, true]);
  expect(takesCardWallets(payments)).toBe(false);
  expect(takesCardWallets(provider("another", ["card", "card_wallets"]))).toBe(true);
  expect([
    acceptsSavedCards(payments),
    acquirerCardFieldUrl(payments),
    taxIdMethods(payments),
  ]).toEqual([true, stripe.cardFieldUrl, ["pix"]]);
});

test("a provider without new charges makes payouts only if no acquirer can; without any provider, nobody does", () => {
  const sandbox = provider("sandbox", ["pix"]);
  const router = createPaymentRouter(
    [stripe, sandbox, asaas],
    takenBy({ pix: "sandbox", card: "stripe" }),
  );
  expect(
    [
      payoutProvider(router),
      payoutProviderFor(router, "transfer_to_pix_key"),
      payoutProviderFor(payments, "transfer_to_pix_key"),
    ].map((one) => one?.name),
  ).toEqual(["asaas", "asaas", "asaas"]);
  expect([
    payoutProviderFor(
      createPaymentRouter([stripe, sandbox], takenBy({ pix: "sandbox", card: "stripe" })),
      "transfer_to_pix_key",
    ),
    payoutProviderFor(stripe, "transfer_to_pix_key"),
  ]).toEqual([null, null]);
});

test("a single provider takes everything without a router", () => {
  const only = createPaymentRouter([stripe], takenBy({ pix: "stripe", card: "stripe" }));
  expect(only).toBe(stripe);
  expect([
    acquirerFor(only, "pix"),
    acquirerFor(only, "card"),
    payoutProvider(only),
    findProvider(only, "stripe"),
    ...allProviders(only),
  ]).toEqual(Array(5).fill(stripe));
});

test("a row always belongs to the provider it names, whoever takes new charges", () => {
  const among = fc.subarray([...NAMES], { minLength: 1 });
  fc.assert(
    fc.property(among, fc.nat(), fc.nat(), fc.constantFrom(...NAMES), (names, pix, card, name) => {
      const nameAt = (index: number) => names[index % names.length] ?? "";
      const payments = createPaymentRouter(
        names.map((one) => provider(one, ["pix", "card"])),
        takenBy({ pix: nameAt(pix), card: nameAt(card) }),
      );
      expect([acquirerFor(payments, "pix").name, acquirerFor(payments, "card").name]).toEqual([
        nameAt(pix),
        nameAt(card),
      ]);
      if (names.includes(name))
        expect(providerOf({ payments }, { provider: name }).name).toBe(name);
      else
        expect(() => providerOf({ payments }, { provider: name })).toThrow(ProviderNotConfigured);
    }),
  );
});

test("an unconfigured provider leaves the result unclear, so nothing of it is abandoned", () => {
  expect(() => providerOf({ payments }, { provider: "sandbox" })).toThrow(ProviderUnclear);
  expect(() => providerOf({ payments: stripe }, { provider: "asaas" })).toThrow(
    ProviderNotConfigured,
  );
  expect(canAcceptDispute({ payments }, { provider: "sandbox" })).toBe(false);
});

test.each([
  ["stripe", "stripe", true],
  ["stripe", "sandbox", false],
  ["stripe", "", true],
  ["stripe", null, true],
])("a charge of %s and a card saved by %j: it can pay: %s", (provider, cardProvider, may) => {
  expect(isCardAtChargeProvider({ provider, cardProvider })).toBe(may);
});

test("a saved card pays only at the card acquirer, and is forgotten by the provider that saved it", () => {
  expect(payableCardProviders(payments)).toEqual(["stripe", ""]);
  expect([
    cardProviderOf({ payments }, { provider: "asaas" }).name,
    cardProviderOf({ payments }, { provider: "" }).name,
  ]).toEqual(["asaas", "stripe"]);
});

test("a dispute is conceded at the provider where it was opened", () => {
  expect([
    canAcceptDispute({ payments }, { provider: "stripe" }),
    canAcceptDispute({ payments }, { provider: "asaas" }),
  ]).toEqual([true, false]);
});
