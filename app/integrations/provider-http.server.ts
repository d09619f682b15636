import { ProviderUnclear } from "#app/domain/payments/errors.ts";

export const DEFAULT_TIMEOUT_MS = 8_000;
/** Nothing that a provider answers is larger; what is larger is not an answer. */
const ANSWER_LIMIT_CHARACTERS = 2_000_000;
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

export type HttpAnswer = { status: number; headers: Headers; text: string };

/**
 * One exchange with a payment provider, bounded in time whatever the transport does with a signal.
 * A network fault, a redirect, the timeout or an endless answer is ProviderUnclear: what was asked
 * may have happened.
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
 * The timer ends with the answer (that of `AbortSignal.timeout` runs on): one invocation may hold
 * 10,000, and then every call fails.
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

/** JSON, or null for what is not. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * How long to wait, of a header in seconds (Retry-After as nearly everyone sends it,
 * RateLimit-Reset); null when it does not say.
 */
export function retryAfterMs(seconds: string | null): number | null {
  if (seconds === null || !/^\d{1,6}$/.test(seconds.trim())) return null;
  return Math.min(Number(seconds), LONGEST_RETRY_AFTER_SECONDS) * 1_000;
}

/** Compares two secrets in a time that tells nothing of where they differ. */
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
