import { afterAll, expect } from "vitest";
import {
  providerOf,
  createPaymentRouter,
  acquirerFor,
} from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider, PaymentProviders } from "#app/domain/payments/schema.ts";
import type { DoubleAccount } from "#tests/support/doubles/client.ts";
import type { PaymentHarness } from "./harness.ts";

type Opened = { provider: PaymentProvider; account: DoubleAccount; harness: PaymentHarness };

/**
 * Runs the contract for one of two providers, through the product's router. New objects go to the
 * provider of `method`. Later calls go to the provider that the row names. After the contract the
 * other provider has received no call.
 */
export function throughRouter(
  one: Opened,
  { beside, method }: { beside: Opened; method: PaymentMethod },
): PaymentHarness {
  const other = method === "pix" ? "card" : "pix";
  const payments = createPaymentRouter([beside.provider, one.provider], {
    [method]: one.provider.name,
    [other]: beside.provider.name,
  } as Record<PaymentMethod, string>);
  afterAll(async () => {
    expect(await beside.account.received()).toEqual([]);
  });
  return { ...one.harness, provider: reached(payments, method) };
}

function reached(payments: PaymentProviders, method: PaymentMethod): PaymentProvider {
  const row = { provider: acquirerFor(payments, method).name };
  return new Proxy(acquirerFor(payments, method), {
    get: (_, name: keyof PaymentProvider) => providerOf({ payments }, row)[name],
  });
}
