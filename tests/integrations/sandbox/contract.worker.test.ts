import { Webhook } from "standardwebhooks";
import { addDays, isoDay } from "#app/domain/time.ts";
import { sandboxProvider } from "#app/integrations/sandbox/provider.server.ts";
import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import type { Fault, PaymentHarness, TestCard } from "#tests/contracts/payment-provider/harness.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  apiKey,
  appOrigin,
  openSandbox,
  publicUrl,
  webhookSecret,
} from "#tests/workers/sandbox-psp/sandbox.ts";
import { answerApi } from "#workers/sandbox-psp/api.ts";
import { openPsp } from "#workers/sandbox-psp/psp.ts";

const previousSecret = "whsec_Y29yZXRvLXRoZS1zZWNyZXQtYmVmb3JlLXRoYXQ=";
const forgerSecret = "whsec_Y29yZXRvLXNvbWVib2R5LWVsc2VzLXNlY3JldCE=";
const secrets = { current: webhookSecret, previous: previousSecret, forged: forgerSecret };
const cards: Record<TestCard, string> = {
  approves: "4242424242424242",
  declines: "4000000000000002",
  asks_3ds: "4000000000003220",
};

const sandbox = openSandbox();
/** The network fault of the next call, if any. */
let broken: (() => Promise<Response>) | null = null;

async function reach(request: Request): Promise<Response> {
  const fault = broken;
  broken = null;
  if (fault) return fault();
  return sandbox.call(new URL(request.url).pathname + new URL(request.url).search, request);
}

async function act(
  path: string,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const response = await sandbox.act(path, body);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const elsewhere: Partial<Record<Fault, () => Promise<Response>>> = {
  "no answer": () => Promise.reject(new TypeError("network")),
  "503": async () => new Response("busy", { status: 503 }),
  "another shape": async () => Response.json({ object: "charge", id: 7 }),
  "a redirect": async () =>
    new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } }),
};

/**
 * Breaks the next call. The sandbox provider makes some faults itself; the others are simulated in
 * the network.
 */
async function breakNext(fault: Fault): Promise<void> {
  broken = elsewhere[fault] ?? null;
  if (fault === "a late answer") broken = () => new Promise(() => undefined);
  if (fault === "a key that is not taken") broken = async () => answeredWith("another key");
  if (fault === "500") await sandbox.chaos({ api_errors: 1 });
  if (fault === "malformed JSON") await sandbox.chaos({ malformed: 1 });
  if (fault === "429")
    broken = async () =>
      Response.json(
        { error: { code: "rate_limited", message: "" } },
        { status: 429, headers: { "retry-after": "7" } },
      );
}

async function answeredWith(key: string): Promise<Response> {
  return sandbox.call("/v1/balance", { headers: { authorization: `Bearer ${key}` } });
}

async function delivery(of: { type: string; id: string }, signed: keyof typeof secrets) {
  const rawBody = JSON.stringify({
    type: `${of.type}.moved`,
    timestamp: testClock.date().toISOString(),
    data: { object: of.type, id: of.id },
  });
  const [id, at] = [`evt_${crypto.randomUUID()}`, testClock.date()];
  const signature = new Webhook(secrets[signed]).sign(id, at, rawBody);
  return {
    rawBody,
    headers: new Headers({
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signature,
    }),
  };
}

const harness: PaymentHarness = {
  provider: sandboxProvider({
    fetch: reach,
    apiKey,
    webhookSecret: `${webhookSecret} ${previousSecret}`,
    publicUrl,
    timeoutMs: 1_000,
  }),
  now: () => testClock.now(),
  returnUrl: `${appOrigin}/checkout/1`,
  pay: async (id) => void (await act(`/sandbox/charges/${id}/pay`)),
  expire: async (id) => void (await act(`/sandbox/charges/${id}/expire`)),
  dispute: async (id, amountCents) =>
    String(
      (
        await act(
          `/sandbox/charges/${id}/dispute`,
          amountCents === undefined ? {} : { amount_cents: amountCents },
        )
      )["id"],
    ),
  decide: async (id, status) =>
    void (await act(`/sandbox/disputes/${id}/${status === "won" ? "win" : "lose"}`)),
  cardToken: (card) => sandbox.cardToken(cards[card]),
  answer: async (nextActionUrl, decision) => {
    await sandbox.call(new URL(nextActionUrl).pathname, {
      method: "POST",
      body: new URLSearchParams({ decision: decision === "approve" ? "approve" : "refuse" }),
    });
  },
  consent: async (id, decision) => void (await act(`/sandbox/recurring/${id}/${decision}`)),
  debit: async (id, outcome) =>
    void (await act(`/sandbox/instructions/${id}/${outcome === "settled" ? "settle" : "refuse"}`)),
  receive: async (id) => void (await act(`/sandbox/transfers/${id}/settle`)),
  day: (days) => isoDay(addDays(testClock.now(), days)),
  break: breakNext,
  delivery,
  unknownDelivery: () => delivery({ type: "payroll", id: "pr_1" }, "current"),
  chargesUnder: async (reference) => {
    const psp = await openPsp(sandbox.env, { waitUntil: () => undefined });
    const response = await answerApi(
      psp,
      new Request(`${publicUrl}/v1/charges?reference=${reference}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    );
    return ((await response.json()) as { data: unknown[] }).data.length;
  },
};

paymentContract(harness);
