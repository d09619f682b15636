import { requestCookie } from "#app/lib/cookies.ts";

const NAME = "__Host-coreto-client";
const LIFE_SECONDS = 60 * 60;
const BYTES = 32;

/**
 * The secret that tells this browser from others, so that a link opens only where it was asked for;
 * null when it has none.
 */
export function browserSecret(request: Request): string | null {
  const value = requestCookie(request, NAME);
  return value !== null && /^[0-9a-f]{64}$/.test(value) ? value : null;
}

/** The browser's secret, made when it has none, and the cookie that keeps it for another hour. */
export function ensureBrowserSecret(request: Request): { client: string; cookie: string } {
  const client =
    browserSecret(request) ??
    Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
  return {
    client,
    cookie: `${NAME}=${client}; Path=/; Max-Age=${LIFE_SECONDS}; HttpOnly; Secure; SameSite=Lax`,
  };
}
