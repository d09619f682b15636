import { inject } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { acquireLease } from "#app/domain/payments/providers/commands/leases.server.ts";
import { addDays, isoDay } from "#app/domain/time.ts";
import { asaasProvider } from "#app/integrations/asaas/provider.server.ts";
import { testClock } from "#tests/support/clock.ts";
import { openDoubleAccount } from "#tests/support/doubles/client.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { Call, PaymentHarness } from "#tests/contracts/payment-provider/harness.ts";

export const tokens = {
  current: "token-of-now-0123456789abcdef",
  previous: "token-of-before-0123456789abc",
  forged: "token-of-somebody-else-01234567",
};
const AUTHORISATIONS = "/v3/pix/automatic/authorizations";
const INSTRUCTIONS = "/v3/pix/automatic/paymentInstructions";
/** Which request a fault breaks, by call of the port. */
const REQUESTS: Partial<Record<Call, string>> = {
  charges: "^(POST /v3/payments$|GET /v3/payments/[^/?]+$)",
  chargesSince: "^GET /v3/payments[?]",
  refundsSince: "^GET /v3/financialTransactions",
  disputesSince: "^GET /v3/chargebacks",
  cancelCharge: "^DELETE /v3/payments/",
  refund: "^POST /v3/payments/[^/]+/refund$",
  refundById: "^GET /v3/payments/[^/]+/refunds",
  disputeById: "^GET /v3/payments/[^/]+/chargeback$",
  balance: "^GET /v3/finance/balance",
  transfer: "^POST /v3/transfers$",
  transferById: "^GET /v3/transfers/",
  pixKeyOwner: "^GET /v3/pix/addressKeys/external[?]",
  transfersSince: "^GET /v3/transfers[?]",
  createRecurringPix: `^POST ${AUTHORISATIONS}$`,
  recurringPixById: `^GET ${AUTHORISATIONS}/`,
  recurringPixSince: `^GET ${AUTHORISATIONS}[?]`,
  chargeRecurringPix: "^POST /v3/payments$",
  instructionById: `^GET ${INSTRUCTIONS}/`,
  retryInstruction: `^POST ${INSTRUCTIONS}/[^/]+/retries$`,
};

export const bodies = {
  charge: { event: "PAYMENT_RECEIVED", name: "payment" },
  refund: { event: "PAYMENT_REFUNDED", name: "payment" },
  dispute: { event: "PAYMENT_CHARGEBACK_REQUESTED", name: "payment" },
  transfer: { event: "TRANSFER_DONE", name: "transfer" },
  recurring_pix: {
    event: "PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED",
    name: "authorization",
  },
} as const;

/** Opens an account of its own at the double of Asaas, with an adapter that calls it over HTTP. */
export function openAsaas() {
  const account = openDoubleAccount(inject("providerDoubles"), "asaas");
  const provider = asaasProvider({
    apiKey: account.name,
    webhookToken: `${tokens.current} ${tokens.previous}`,
    apiUrl: `${account.origin}/v3`,
    now: () => testClock.now(),
    // The contract looks up more keys than five a minute.
    takeTurn: async (subject, forMs) =>
      subject.startsWith("asaas:key-owner:") ||
      (await acquireLease(
        { db: openDatabase(testEnv.DB), at: testClock.now() },
        { subject, forMs },
      )),
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
    cardToken: nothing,
    answer: nothing,
    consent: (id, decision) => account.act("consent", { id, decision }),
    debit: (id, outcome) => account.act("debit", { id, outcome }),
    receive: (id, outcome) => account.act("receive", { id, outcome }),
    day: (days) => isoDay(addDays(testClock.now(), days)),
    break: (fault, seconds, call = "charges") =>
      account.break(fault, seconds, REQUESTS[call] ?? "no such request"),
    delivery: async ({ type, id }, signed) =>
      delivery(
        {
          id: `evt_${crypto.randomUUID()}&1`,
          event: bodies[type].event,
          [bodies[type].name]: { id },
        },
        tokens[signed],
      ),
    unknownDelivery: async () =>
      delivery(
        { id: "evt_1&2", event: "INVOICE_CREATED", invoice: { id: "inv_1" } },
        tokens.current,
      ),
    chargesUnder: async (reference) =>
      Number((await account.asked("under", { reference }))["under"]),
  };
  return { account, provider, harness };
}

async function nothing(): Promise<never> {
  throw new Error("Asaas has no such thing here");
}

/** Returns an event as Asaas posts it: with its token and without a signature. */
export function delivery(body: Record<string, unknown>, token: string) {
  return {
    rawBody: JSON.stringify({
      dateCreated: "2026-11-21 10:00:00",
      account: { id: "a", ownerId: null },
      ...body,
    }),
    headers: new Headers({ "asaas-access-token": token }),
  };
}
