import { addDays, isoDay } from "#app/domain/time.ts";
import { asaasProvider } from "#app/integrations/asaas/provider.server.ts";
import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { bodies, delivery, tokens } from "#tests/integrations/asaas/asaas.ts";
import { testClock } from "#tests/support/clock.ts";
import { nobodyCanPlay } from "./payer-actions.ts";

const { ASAAS_API_KEY: apiKey = "", ASAAS_API_URL: apiUrl = "" } = process.env;

async function asked(method: "GET" | "POST", path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { access_token: apiKey, "Content-Type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

// Two actions of the Asaas sandbox: https://docs.asaas.com/reference/sandbox-actions
paymentContract({
  provider: asaasProvider({
    apiKey,
    webhookToken: `${tokens.current} ${tokens.previous}`,
    apiUrl,
    now: () => testClock.now(),
    takeTurn: async () => true,
  }),
  now: () => testClock.now(),
  returnUrl: "https://coreto.test/checkout/1",
  pay: async (id) => void (await asked("POST", `/sandbox/payment/${id}/confirm`)),
  expire: async (id) => void (await asked("POST", `/sandbox/payment/${id}/overdue`)),
  dispute: nobodyCanPlay("dispute a Pix"),
  decide: nobodyCanPlay("decide a dispute"),
  cardToken: nobodyCanPlay("type a card"),
  answer: nobodyCanPlay("answer 3DS"),
  consent: nobodyCanPlay("consent"),
  debit: nobodyCanPlay("debit"),
  receive: nobodyCanPlay("receive"),
  day: (days) => isoDay(addDays(testClock.now(), days)),
  break: nobodyCanPlay("break the network"),
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
    delivery({ id: "evt_1&2", event: "INVOICE_CREATED", invoice: { id: "inv_1" } }, tokens.current),
  chargesUnder: async (reference) =>
    Number((await asked("GET", `/payments?externalReference=${reference}`))["totalCount"]),
});
