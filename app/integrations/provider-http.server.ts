import { ProviderUnclear } from "#app/domain/payments/errors.ts";

export const DEFAULT_TIMEOUT_MS = 8_000;
/** Larger than any valid answer of a provider. */
const ANSWER_LIMIT_CHARACTERS = 2_000_000;
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

export type HttpAnswer = { status: number; headers: Headers; text: string };

/**
 * Makes one request to a payment provider, with a time limit that does not depend on the transport.
 * A network error, a redirect, a timeout or an endless response is ProviderUnclear: the request may
 * have taken effect.
 */
export async function exchangeText(
  send: () => Promise<Response>,
  { what, timeoutMs }: { what: string; timeoutMs: number },
): Promise<HttpAnswer> {
  try {
    return await withTimeout(timeoutMs, async () => {
      const response = await send();
      const text = await response.text();
      if (text.length > ANSWER_LIMIT_CHARACTERS) throw new Error("an answer without end");
      return { status: response.status, headers: response.headers, text };
    });
  } catch (error) {
    throw new ProviderUnclear(`${what}: no answer`, { cause: error });
  }
}

/**
 * Clears the timer with the answer, unlike `AbortSignal.timeout`. One invocation may have 10,000
 * timers; beyond that every call fails.
 */
async function withTimeout<Answer>(
  timeoutMs: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work(), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Parses JSON; null for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The retry delay of a header in seconds (the usual Retry-After, RateLimit-Reset); null without
 * one.
 */
export function retryAfterMs(seconds: string | null): number | null {
  if (seconds === null || !/^\d{1,6}$/.test(seconds.trim())) return null;
  return Math.min(Number(seconds), LONGEST_RETRY_AFTER_SECONDS) * 1_000;
}

/** Compares two secrets in constant time. */
export async function sameSecret(given: string, wanted: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [given, wanted].map((text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
  );
  const [a, b] = [
    new Uint8Array(left ?? new ArrayBuffer(0)),
    new Uint8Array(right ?? new ArrayBuffer(1)),
  ];
  return (
    a.length === b.length &&
    a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
  );
}
