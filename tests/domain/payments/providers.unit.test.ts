import fc from "fast-check";
import { expect, test } from "vitest";
import { ProviderMissing, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import {
  cardFieldUrlOf,
  everyProvider,
  keptBy,
  madeBy,
  mayAcceptLoss,
  mayPayAt,
  taxIdMethods,
  payableCards,
  payerBy,
  payerOut,
  providerNamed,
  routed,
  takerOf,
  takesKeptCards,
} from "#app/domain/payments/rules/providers.ts";
import type { Capability, PaymentProvider } from "#app/domain/payments/schema.ts";
import { isAutomaticOffered } from "#app/domain/subscriptions/rules/automatic.ts";
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
const payments = routed([stripe, asaas], takenBy({ pix: "asaas", card: "stripe" }));
const on = { payments, settings: { pixEnabled: true } };

test("what is new goes by its method, and payouts to who can send a Pix", () => {
  expect([
    takerOf(payments, "pix").name,
    takerOf(payments, "card").name,
    payerOut(payments).name,
  ]).toEqual(["asaas", "stripe", "asaas"]);
  expect([isMethodOffered("pix", on), isMethodOffered("card", on), isAutomaticOffered(on)]).toEqual(
    [true, true, true],
  );
  expect([takesKeptCards(payments), cardFieldUrlOf(payments), taxIdMethods(payments)]).toEqual([
    true,
    stripe.cardFieldUrl,
    ["pix"],
  ]);
});

test("who is only kept pays creators out where nobody who takes something can; without any, nobody does", () => {
  const sandbox = provider("sandbox", ["pix"]);
  const kept = routed([stripe, sandbox, asaas], takenBy({ pix: "sandbox", card: "stripe" }));
  expect(
    [
      payerOut(kept),
      payerBy(kept, "transfer_to_pix_key"),
      payerBy(payments, "transfer_to_pix_key"),
    ].map((one) => one?.name),
  ).toEqual(["asaas", "asaas", "asaas"]);
  expect([
    payerBy(
      routed([stripe, sandbox], takenBy({ pix: "sandbox", card: "stripe" })),
      "transfer_to_pix_key",
    ),
    payerBy(stripe, "transfer_to_pix_key"),
  ]).toEqual([null, null]);
});

test("one provider takes everything, and is no router", () => {
  const only = routed([stripe], takenBy({ pix: "stripe", card: "stripe" }));
  expect(only).toBe(stripe);
  expect([
    takerOf(only, "pix"),
    takerOf(only, "card"),
    payerOut(only),
    providerNamed(only, "stripe"),
    ...everyProvider(only),
  ]).toEqual(Array(5).fill(stripe));
});

test("a row is never anybody's but who its name says, whoever takes what is new", () => {
  const among = fc.subarray([...NAMES], { minLength: 1 });
  fc.assert(
    fc.property(among, fc.nat(), fc.nat(), fc.constantFrom(...NAMES), (names, pix, card, name) => {
      const nameAt = (index: number) => names[index % names.length] ?? "";
      const payments = routed(
        names.map((one) => provider(one, ["pix", "card"])),
        takenBy({ pix: nameAt(pix), card: nameAt(card) }),
      );
      expect([takerOf(payments, "pix").name, takerOf(payments, "card").name]).toEqual([
        nameAt(pix),
        nameAt(card),
      ]);
      if (names.includes(name)) expect(madeBy({ payments }, { provider: name }).name).toBe(name);
      else expect(() => madeBy({ payments }, { provider: name })).toThrow(ProviderMissing);
    }),
  );
});

test("a provider that is not configured is unclear, so that nothing of it is given up", () => {
  expect(() => madeBy({ payments }, { provider: "sandbox" })).toThrow(ProviderUnclear);
  expect(() => madeBy({ payments: stripe }, { provider: "asaas" })).toThrow(ProviderMissing);
  expect(mayAcceptLoss({ payments }, { provider: "sandbox" })).toBe(false);
});

test.each([
  ["stripe", "stripe", true],
  ["stripe", "sandbox", false],
  ["stripe", "", true],
  ["stripe", null, true],
])("a charge of %s and a card kept by %j: it may pay: %s", (provider, cardProvider, may) => {
  expect(mayPayAt({ provider, cardProvider })).toBe(may);
});

test("a kept card pays only where cards are taken; whoever kept it forgets it", () => {
  expect(payableCards(payments)).toEqual(["stripe", ""]);
  expect([
    keptBy({ payments }, { provider: "asaas" }).name,
    keptBy({ payments }, { provider: "" }).name,
  ]).toEqual(["asaas", "stripe"]);
});

test("a loss is accepted where it is fought", () => {
  expect([
    mayAcceptLoss({ payments }, { provider: "stripe" }),
    mayAcceptLoss({ payments }, { provider: "asaas" }),
  ]).toEqual([true, false]);
});
