import type { z } from "zod";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider, ProviderCharge, ProviderDispute, ProviderRefund, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { chargeAnswer, chargeList, disputeAnswer, errorAnswer, refundAnswer, transferAnswer, transferList } from "./answers.ts";
import { verifySandboxWebhook } from "./webhook.server.ts";

export type SandboxOptions = {
  /** How its API is reached: a service binding locally, the handler itself in tests. */
  fetch: (request: Request) => Promise<Response>;
  apiKey: string;
  webhookSecret: string;
  /** The provider's origin, without a slash at the end. */
  publicUrl: string;
  timeoutMs?: number;
};

type Call = { method: "GET" | "POST"; path: string; key?: string; body?: Record<string, unknown> };

const DEFAULT_TIMEOUT_MS = 5_000;

/** Codes that mean "not yet", not "no". */
const UNCLEAR_CODES = new Set(["idempotency_in_progress", "timeout"]);

/**
 * The sandbox provider over HTTP. A 4xx is `ProviderRefused` with its code; a network error, the timeout, a 5xx, a 429 or an
 * answer that cannot be read is `ProviderUnclear`: the effect may exist.
 */
export function sandboxProvider(options: SandboxOptions): PaymentProvider {
  const ask = <Schema extends z.ZodType>(schema: Schema, call: Call) => exchange(options, schema, call);
  const charge = async (call: Call) => toCharge(await ask(chargeAnswer, call));
  const transfer = async (call: Call) => toTransfer(await ask(transferAnswer, call));
  return {
    name: "sandbox",
    cardFieldUrl: `${options.publicUrl}/card-field`,
    createPixCharge: (request) =>
      charge({
        method: "POST",
        path: "/v1/charges",
        key: `charge-${request.chargeId}`,
        body: { ...chargeBody(request), method: "pix", expires_at: request.expiresAt },
      }),
    createCardCharge: (request) =>
      charge({
        method: "POST",
        path: "/v1/charges",
        key: `charge-${request.chargeId}`,
        body: {
          ...chargeBody(request),
          method: "card",
          card_token: request.cardToken,
          saved_method: request.savedMethodId,
          save_card: request.saveMethod,
          return_url: request.returnUrl,
        },
      }),
    chargeById: (id) => charge({ method: "GET", path: `/v1/charges/${encodeURIComponent(id)}` }),
    chargeByReference: async (chargeId) => {
      const list = await ask(chargeList, { method: "GET", path: `/v1/charges?reference=${encodeURIComponent(chargeId)}` });
      return list.data[0] ? toCharge(list.data[0]) : null;
    },
    cancelCharge: (id) => charge({ method: "POST", path: `/v1/charges/${encodeURIComponent(id)}/cancel` }),
    refund: async ({ refundId, providerChargeId, amountCents }) =>
      toRefund(
        await ask(refundAnswer, {
          method: "POST",
          path: "/v1/refunds",
          key: `refund-${refundId}`,
          body: { reference: refundId, charge: providerChargeId, amount_cents: amountCents },
        }),
      ),
    refundById: async (id) => toRefund(await ask(refundAnswer, { method: "GET", path: `/v1/refunds/${encodeURIComponent(id)}` })),
    transfer: ({ payoutId, amountCents, pixKeyKind, pixKey }) =>
      transfer({
        method: "POST",
        path: "/v1/transfers",
        key: `payout-${payoutId}`,
        body: { reference: payoutId, amount_cents: amountCents, pix_key_kind: pixKeyKind, pix_key: pixKey },
      }),
    transferById: (id) => transfer({ method: "GET", path: `/v1/transfers/${encodeURIComponent(id)}` }),
    transferByReference: async (payoutId) => {
      const list = await ask(transferList, { method: "GET", path: `/v1/transfers?reference=${encodeURIComponent(payoutId)}` });
      return list.data[0] ? toTransfer(list.data[0]) : null;
    },
    disputeById: async (id) => toDispute(await ask(disputeAnswer, { method: "GET", path: `/v1/disputes/${encodeURIComponent(id)}` })),
    verifyWebhook: async ({ headers, rawBody }) => verifySandboxWebhook(options.webhookSecret, headers, rawBody),
  };
}

function chargeBody(request: { chargeId: string; amountCents: number; description: string; payerName: string }) {
  return {
    reference: request.chargeId,
    amount_cents: request.amountCents,
    description: request.description.slice(0, 200),
    payer_name: request.payerName.slice(0, 200),
  };
}

async function exchange<Schema extends z.ZodType>(options: SandboxOptions, schema: Schema, call: Call): Promise<z.infer<Schema>> {
  const { status, text } = await send(options, call);
  const json = jsonOf(text);
  if (status >= 200 && status < 300) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new ProviderUnclear(`${call.method} ${call.path}: an answer of another shape`);
  }
  const error = errorAnswer.safeParse(json);
  if (status < 400 || status >= 500 || status === 429 || !error.success || UNCLEAR_CODES.has(error.data.error.code)) {
    throw new ProviderUnclear(`${call.method} ${call.path}: ${status}`);
  }
  throw new ProviderRefused(error.data.error.code);
}

async function send(options: SandboxOptions, call: Call): Promise<{ status: number; text: string }> {
  const request = new Request(`${options.publicUrl}${call.path}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${options.apiKey}`,
      ...(call.key ? { "idempotency-key": call.key } : {}),
      ...(call.body ? { "content-type": "application/json" } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    redirect: "manual",
  });
  try {
    return await withTimeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, async () => {
      const response = await options.fetch(request);
      return { status: response.status, text: await response.text() };
    });
  } catch (error) {
    throw new ProviderUnclear(`${call.method} ${call.path}: no answer`, { cause: error });
  }
}

/** Bounds the wait itself, whatever the transport does with a signal. */
async function withTimeout<Answer>(timeoutMs: number, work: () => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const expired = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work(), expired]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toCharge(answer: z.infer<typeof chargeAnswer>): ProviderCharge {
  return {
    id: answer.id,
    reference: answer.reference,
    status: answer.status,
    amountCents: answer.amount_cents,
    refundedCents: answer.refunded_cents,
    pixCode: answer.pix_code,
    nextActionUrl: answer.next_action_url,
    expiresAt: answer.expires_at,
    failureCode: answer.failure_code,
    settlesAt: answer.settles_at,
    savedMethodId: answer.saved_method,
  };
}

function toRefund(answer: z.infer<typeof refundAnswer>): ProviderRefund {
  return { id: answer.id, reference: answer.reference, chargeId: answer.charge, status: answer.status, amountCents: answer.amount_cents };
}

function toTransfer(answer: z.infer<typeof transferAnswer>): ProviderTransfer {
  return { id: answer.id, reference: answer.reference, status: answer.status, amountCents: answer.amount_cents, failureCode: answer.failure_code };
}

function toDispute(answer: z.infer<typeof disputeAnswer>): ProviderDispute {
  return { id: answer.id, chargeId: answer.charge, kind: answer.kind, status: answer.status, amountCents: answer.amount_cents };
}
