import { requestCookie } from "#app/lib/cookies.ts";

const NAME = "__Host-coreto-client";
const LIFE_SECONDS = 60 * 60;
const BYTES = 32;

/** The secret of this browser, so that a link works only where it was requested; null without one. */
export function browserSecret(request: Request): string | null {
  const value = requestCookie(request, NAME);
  return value !== null && /^[0-9a-f]{64}$/.test(value) ? value : null;
}

/** The browser's secret, created if missing, and the cookie that stores it for another hour. */
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
