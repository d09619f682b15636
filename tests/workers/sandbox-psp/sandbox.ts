import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { sandboxProvider } from "#app/integrations/sandbox/provider.server.ts";
import { testClock } from "#tests/support/clock.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { noChaos } from "#workers/sandbox-psp/chaos.ts";
import type { Chaos } from "#workers/sandbox-psp/chaos.ts";
import type { SandboxEnv } from "#workers/sandbox-psp/env.ts";
import { handleSandbox } from "#workers/sandbox-psp/handler.ts";

export const apiKey = "sandbox-test-key";
export const webhookSecret = "whsec_Y29yZXRvLXNhbmRib3gtdGVzdC1zZWNyZXQtMzI=";
export const appOrigin = "http://localhost:5173";
export const publicUrl = "http://127.0.0.1:5174";

export type Delivery = { headers: Headers; body: string };

export type Sandbox = {
  provider: PaymentProvider;
  env: SandboxEnv;
  /** The webhook deliveries that the product received. */
  received: Delivery[];
  /** Status codes of the next answers to webhooks. Later answers are 200. */
  frontAnswers: number[];
  /** Calls the provider, and waits for its background work. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Calls the console with JSON. */
  act(path: string, body?: unknown): Promise<Response>;
  chaos(change: Partial<Chaos>): Promise<Response>;
  cardToken(number: string): Promise<string>;
};

export const testId = () => crypto.randomUUID().replaceAll("-", "");

/** The sandbox provider in process, over its HTTP interface. Its webhooks are recorded. */
export function openSandbox(extra: Partial<SandboxEnv> = {}): Sandbox {
  const received: Delivery[] = [];
  const frontAnswers: number[] = [];
  const sandboxEnv: SandboxEnv = {
    PSP_DB: testEnv.PSP_DB,
    FRONT: {
      fetch: async (request) => {
        received.push({ headers: request.headers, body: await request.text() });
        return new Response(null, { status: frontAnswers.shift() ?? 200 });
      },
    },
    SANDBOX_API_KEY: apiKey,
    SANDBOX_WEBHOOK_SECRET: webhookSecret,
    SANDBOX_PUBLIC_URL: publicUrl,
    APP_ORIGIN: appOrigin,
    ...extra,
  };
  const send = async (request: Request): Promise<Response> => {
    const ctx = createExecutionContext();
    const response = await handleSandbox(request, sandboxEnv, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
  const call: Sandbox["call"] = (path, init) => send(new Request(`${publicUrl}${path}`, init));
  const act: Sandbox["act"] = (path, body) =>
    call(path, { method: "POST", body: JSON.stringify(body ?? {}) });
  return {
    provider: sandboxProvider({ fetch: send, apiKey, webhookSecret, publicUrl }),
    env: sandboxEnv,
    received,
    frontAnswers,
    call,
    act,
    chaos: (change) => act("/sandbox/chaos", { ...noChaos, ...change }),
    cardToken: async (number) => {
      const body = JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Teste" });
      const response = await call("/v1/tokens", { method: "POST", body });
      const answer: { id: string } = await response.json();
      return answer.id;
    },
  };
}

/** A request for a Pix charge of R$ 19,90. */
export function pixRequest(chargeId = testId(), amountCents = 1_990) {
  return {
    chargeId,
    amountCents,
    description: "Camarim, de Ana Lira",
    payerName: "Bruno Teste",
    expiresAt: testClock.now() + 1_800_000,
  };
}

export function cardRequest(
  cardToken: string | null,
  savedMethodId: string | null = null,
  chargeId = testId(),
) {
  return {
    chargeId,
    amountCents: 1_990,
    description: "Camarim, de Ana Lira",
    payerName: "Bruno Teste",
    cardToken,
    expiresAt: testClock.now() + 30 * 60_000,
    savedMethodId,
    saveMethod: true,
    returnUrl: `${appOrigin}/checkout/${chargeId}`,
  };
}
