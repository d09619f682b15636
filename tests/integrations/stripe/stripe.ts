import Stripe from "stripe";
import { inject } from "vitest";
import { addDays, isoDay } from "#app/domain/time.ts";
import { stripeProvider } from "#app/integrations/stripe/provider.server.ts";
import { testClock } from "#tests/support/clock.ts";
import { openDoubleAccount } from "#tests/support/doubles/client.ts";
import type { Call, PaymentHarness, TestCard } from "#tests/contracts/payment-provider/harness.ts";

export const secrets = {
  current: "whsec_current_secret",
  previous: "whsec_previous_secret",
  forged: "whsec_of_somebody_else",
};
export const stripeCards: Record<TestCard, string> = {
  approves: "pm_card_visa",
  declines: "pm_card_visa_chargeDeclined",
  asks_3ds: "pm_card_authenticationRequired",
};
/**
 * Which request a fault breaks, by call of the port: requests on charges, not those that prepare a
 * charge.
 */
const REQUESTS: Partial<Record<Call, string>> = {
  charges: "/v1/payment_intents",
  chargesSince: "/v1/payment_intents",
  refundsSince: "/v1/refunds",
  disputesSince: "/v1/disputes",
  createCardCharge: "^POST /v1/payment_intents$",
  cancelCharge: "^POST /v1/payment_intents/[^/]+/cancel$",
  saveMethod: "^POST /v1/setup_intents$",
  refund: "^POST /v1/refunds$",
  refundById: "^GET /v1/refunds/",
  disputeById: "^GET /v1/disputes/",
  submitEvidence: "^POST /v1/disputes/",
  balance: "^GET /v1/balance",
};

/** Opens an account of its own at the double of Stripe, with an adapter that calls it over HTTP. */
export function openStripe() {
  const account = openDoubleAccount(inject("providerDoubles"), "stripe");
  const provider = stripeProvider({
    secretKey: `sk_test_${account.name}`,
    webhookSecret: `${secrets.current} ${secrets.previous}`,
    apiUrl: account.origin,
    timeoutMs: 5_000,
  });
  const harness: PaymentHarness = {
    provider,
    now: () => testClock.now(),
    returnUrl: "https://coreto.test/checkout/1",
    pay: (id) => account.act("pay", { id }),
    expire: (id) => account.act("expire", { id }),
    dispute: async (id, amountCents) =>
      String(
        (
          await account.asked("dispute", {
            id,
            ...(amountCents === undefined ? {} : { amount: String(amountCents) }),
          })
        )["id"],
      ),
    decide: (id, status) => account.act("decide", { id, status }),
    cardToken: async (card) => stripeCards[card],
    answer: async (nextActionUrl, decision) =>
      account.act("answer", { of: new URL(nextActionUrl).searchParams.get("of") ?? "", decision }),
    consent: nothing,
    debit: nothing,
    receive: nothing,
    day: (days) => isoDay(addDays(testClock.now(), days)),
    break: (fault, seconds, call = "charges") =>
      account.break(fault, seconds, REQUESTS[call] ?? "no such request"),
    delivery: ({ type, id }, signed) =>
      delivery(`${objects[type]}.updated`, { id, object: objects[type] }, secrets[signed]),
    unknownDelivery: () =>
      delivery("payroll.created", { id: "pr_1", object: "payroll" }, secrets.current),
    chargesUnder: async (reference) =>
      Number((await account.asked("under", { reference }))["under"]),
  };
  return { account, provider, harness };
}

export const objects = {
  charge: "payment_intent",
  refund: "refund",
  dispute: "dispute",
  transfer: "transfer",
  recurring_pix: "mandate",
};

async function nothing(): Promise<void> {
  throw new Error("Stripe has no such thing here");
}

/** Returns an event as Stripe posts and signs it. */
export async function delivery(
  type: string,
  object: Record<string, unknown>,
  secret: string,
  sentAt = testClock.now(),
) {
  const rawBody = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: "event",
    api_version: "2026-10-28.endive",
    created: Math.floor(sentAt / 1_000),
    type,
    data: { object },
  });
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: rawBody,
    secret,
    timestamp: Math.floor(sentAt / 1_000),
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
  return { rawBody, headers: new Headers({ "stripe-signature": signature }) };
}
