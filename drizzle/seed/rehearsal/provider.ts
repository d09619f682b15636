import { openDatabase } from "#app/db/client.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { sandboxProvider } from "#app/integrations/sandbox/provider.server.ts";
import { answerApi } from "#workers/sandbox-psp/api.ts";
import { parseChaos } from "#workers/sandbox-psp/chaos.ts";
import { payCharge } from "#workers/sandbox-psp/charges.ts";
import { settleDue } from "#workers/sandbox-psp/due.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { decideDispute, openDispute } from "#workers/sandbox-psp/refunds-and-disputes.ts";

export type RehearsalProvider = {
  payments: PaymentProvider;
  /** The payer's bank pays a waiting Pix. */
  pay(providerChargeId: string): Promise<void>;
  /** What the hosted card field gives for a typed card. */
  cardToken(number: string): Promise<string>;
  /** The payer's bank takes a paid charge back; gives the dispute's id at the provider. */
  dispute(providerChargeId: string): Promise<string>;
  decideDispute(providerDisputeId: string, status: "won" | "lost"): Promise<void>;
  /** Expiries, settlements and returns that its time has made due. */
  settleDue(): Promise<void>;
};

/**
 * The sandbox provider itself, in this process, on the seed's time; it sends no webhooks of what
 * happens here.
 */
export function rehearsalProvider({
  db,
  now,
  apiKey,
  appOrigin,
  publicUrl,
}: {
  db: D1Database;
  now: () => number;
  apiKey: string;
  appOrigin: string;
  publicUrl: string;
}): RehearsalProvider {
  const psp: Psp = {
    env: {
      PSP_DB: db,
      SANDBOX_API_KEY: apiKey,
      SANDBOX_WEBHOOK_SECRET: "",
      SANDBOX_PUBLIC_URL: publicUrl,
      APP_ORIGIN: appOrigin,
    },
    db: openDatabase(db),
    now,
    realNow: now,
    chaos: parseChaos(undefined),
    announces: false,
    later: () => {},
  };
  return {
    payments: sandboxProvider({
      fetch: (request) => answered(psp, request),
      apiKey,
      webhookSecret: "",
      publicUrl,
    }),
    pay: async (id) => {
      await payCharge(psp, id);
    },
    cardToken: async (number) => {
      const typed = { number, expiry: "12/34", cvv: "123", holder: "Quem Paga" };
      const response = await answered(
        psp,
        new Request(`${publicUrl}/v1/tokens`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(typed),
        }),
      );
      const { id } = (await response.json()) as { id: string };
      return id;
    },
    dispute: async (id) => (await openDispute(psp, id)).id,
    decideDispute: async (id, status) => {
      await decideDispute(psp, id, status);
    },
    settleDue: () => settleDue(psp),
  };
}

async function answered(psp: Psp, request: Request): Promise<Response> {
  try {
    return await answerApi(psp, request);
  } catch (error) {
    if (error instanceof PspRefusal)
      return Response.json(
        { error: { code: error.code, message: error.message } },
        { status: error.status },
      );
    throw error;
  }
}
