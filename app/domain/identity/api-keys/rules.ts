import { API_SCOPES, KEY_PREFIX } from "./schema.ts";
import type { ApiScope, KeyLifetime } from "./schema.ts";
import { addDays, addMonths, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many keys of one member may be live at once. */
export const LIVE_KEYS_MAX = 20;

const SECRET_HEX_DIGITS = 40;
const WELL_FORMED = new RegExp(`^${KEY_PREFIX}[0-9a-f]{${SECRET_HEX_DIGITS}}$`);
const LAST_USED_EVERY_MS = MINUTE_MS;

const LIFETIME_DAYS: Record<Exclude<KeyLifetime, "1y" | "never">, number> = {
  "1d": 1,
  "7d": 7,
  "30d": 30,
  "60d": 60,
  "90d": 90,
  "180d": 180,
};

/** Builds a key from `secretHex`: 160 random bits or more, as lower-case hex digits. */
export function formatApiKey(secretHex: string): string {
  return KEY_PREFIX + secretHex.slice(0, SECRET_HEX_DIGITS);
}

/** Whether a Bearer token is meant as one of our keys, and so is no session. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith(KEY_PREFIX);
}

/** Whether a look-up is worth a query. */
export function isWellFormedApiKey(token: string): boolean {
  return WELL_FORMED.test(token);
}

/**
 * Returns when a key made at `now` expires, at the same time of a São Paulo day; null for never. A
 * year after 29 February is the 28th.
 */
export function expiryOf(lifetime: KeyLifetime, now: Instant): Instant | null {
  if (lifetime === "never") return null;
  return lifetime === "1y" ? addMonths(now, 12) : addDays(now, LIFETIME_DAYS[lifetime]);
}

/** Whether a key has expired. It opens nothing from its expiry on. */
export function isExpired(key: { expiresAt: Instant | null }, now: Instant): boolean {
  return key.expiresAt !== null && now >= key.expiresAt;
}

/** Whether to write the last use: at most once a minute, so that few reads write. */
export function isUseDueForUpdate(key: { lastUsedAt: Instant | null }, now: Instant): boolean {
  return key.lastUsedAt === null || now - key.lastUsedAt >= LAST_USED_EVERY_MS;
}

/** Formats scopes as a column stores them. A scope that no longer exists allows nothing. */
export function scopesText(scopes: readonly ApiScope[]): string {
  return scopes.join(" ");
}

export function scopesOf(text: string): ApiScope[] {
  const parts = text.split(" ");
  return API_SCOPES.filter((scope) => parts.includes(scope));
}
