import Stripe from "stripe";
import type { z } from "zod";
import {
  NotAtProvider,
  ProviderRefused,
  ProviderUnauthorized,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";
import {
  DEFAULT_TIMEOUT_MS,
  exchangeText,
  retryAfterMs,
} from "#app/integrations/provider-http.server.ts";
import { STRIPE_API_VERSION } from "./version.ts";

export type StripeOptions = {
  secretKey: string;
  /** One signing secret, or several separated by spaces during a rotation. */
  webhookSecret: string;
  /** Our page that frames Stripe's field; without it a card is typed on Stripe's own page. */
  cardFieldUrl?: string | null;
  /** An origin; by default Stripe's own. */
  apiUrl?: string;
  timeoutMs?: number;
};

export type StripeApi = {
  sdk: Stripe;
  /** Makes one call and reads its answer. Throws ProviderRefused or ProviderUnclear. */
  ask<Schema extends z.ZodType>(
    schema: Schema,
    what: string,
    call: (sdk: Stripe) => Promise<unknown>,
  ): Promise<z.infer<Schema>>;
};

/**
 * Wraps Stripe's SDK over fetch. Each call has one attempt and a time limit; our own retries use
 * the same idempotency key.
 */
export function stripeApi(options: StripeOptions): StripeApi {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const at = options.apiUrl ? new URL(options.apiUrl) : null;
  const sdk = new Stripe(options.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: Stripe.createFetchHttpClient(boundedFetch(timeoutMs, at)),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(at
      ? {
          host: at.hostname,
          port: at.port,
          protocol: at.protocol === "http:" ? ("http" as const) : ("https" as const),
        }
      : {}),
  });
  return {
    sdk,
    async ask(schema, what, call) {
      const answer = schema.safeParse(await called(sdk, what, call));
      if (!answer.success) throw new ProviderUnclear(`${what}: an answer of another shape`);
      return answer.data;
    },
  };
}

/**
 * Returns a declined card's intent: a decline is an answer about an intent that exists, not a
 * failed call.
 */
export async function orDeclined(
  intent: "payment_intent" | "setup_intent",
  call: Promise<unknown>,
): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError && error[intent]) return error[intent];
    throw error;
  }
}

/**
 * Limits the whole call including the body, and follows no redirect with our key; the SDK's own
 * timeout ends with the headers. The SDK has a separate host for files, whatever `at` sets for the
 * others.
 */
function boundedFetch(timeoutMs: number, at: URL | null): typeof fetch {
  return async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    const target = at ? new URL(asked.pathname + asked.search, at) : asked;
    const { status, headers, text } = await exchangeText(
      () => fetch(target, { ...init, redirect: "manual" }),
      { what: "stripe", timeoutMs },
    );
    return new Response(status === 204 ? null : text, {
      status: status >= 200 ? status : 502,
      headers,
    });
  };
}

async function called(
  sdk: Stripe,
  what: string,
  call: (sdk: Stripe) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call(sdk);
  } catch (error) {
    throw errorOf(what, error);
  }
}

/**
 * Classifies an error. Card and request errors are final refusals. Everything else leaves the
 * result unknown: network errors, 429, 409 (a concurrent call with the same key), 5xx, unreadable
 * answers, a key of ours with other parameters. A rejected API key is ProviderUnauthorized: nothing
 * happened. Source: Stripe's API reference, "Errors" and "Idempotent requests".
 */
function errorOf(what: string, error: unknown): Error {
  const { errors } = Stripe;
  if (error instanceof ProviderRefused || error instanceof ProviderUnclear) return error;
  if (!(error instanceof errors.StripeError))
    return new ProviderUnclear(`${what}: no answer`, { cause: error });
  if (
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError
  )
    return new ProviderUnauthorized(`${what}: ${error.statusCode}`, { cause: error });
  const isNo =
    error instanceof errors.StripeCardError || error instanceof errors.StripeInvalidRequestError;
  const isForGood =
    isNo &&
    error.statusCode !== undefined &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    error.statusCode !== 409 &&
    error.statusCode !== 429;
  if (isForGood)
    return new (error.statusCode === 404 ? NotAtProvider : ProviderRefused)(
      error.decline_code ?? error.code ?? "invalid_request",
    );
  return new ProviderUnclear(`${what}: ${error.statusCode ?? error.type}`, {
    retryAfterMs: retryAfterMs(error.headers?.["retry-after"] ?? null),
    cause: error,
  });
}
