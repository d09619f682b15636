import { eq, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { TooManyAttempts } from "#app/domain/identity/errors.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { authAttempts } from "#drizzle/schema/local-identity.ts";

const WINDOW_MS = 10 * MINUTE_MS;
const SWEPT_AT_ONCE = 20;

/** At most `limit` tries for `key` in ten minutes. */
export type Allowance = { key: string; limit: number };

/** Guessing one account is slowed for everybody; guessing many, for the address that does it. */
const TRIES_PER_ACCOUNT = 10;
const TRIES_PER_ADDRESS = 60;
const SIGN_UPS_PER_ADDRESS = 30;
/** Sign-ups with an e-mail that has an account: few, since their answer tells that it has one. */
const TAKEN_PER_ADDRESS = 5;
/** A new code twice a minute would still be a flood; and five tries each must not add up to a guess. */
const SENDS_PER_ACCOUNT = 8;
const SENDS_PER_ADDRESS = 30;
const CODES_PER_ACCOUNT = 15;
const CODES_PER_ADDRESS = 60;

export const signInAllowances = (identifier: string, request: Request): Allowance[] => [
  { key: `account:${identifier}`, limit: TRIES_PER_ACCOUNT },
  ...addressAllowance("sign-in", TRIES_PER_ADDRESS, request),
];

export const signUpAllowances = (request: Request): Allowance[] => addressAllowance("sign-up", SIGN_UPS_PER_ADDRESS, request);

export const takenAllowances = (request: Request): Allowance[] => addressAllowance("taken", TAKEN_PER_ADDRESS, request);

/** `subject` is whose code or link it is. */
export const sendAllowances = (subject: string, request: Request): Allowance[] => [
  { key: `send:${subject}`, limit: SENDS_PER_ACCOUNT },
  ...addressAllowance("send", SENDS_PER_ADDRESS, request),
];

export const codeAllowances = (subject: string, request: Request): Allowance[] => [
  { key: `code:${subject}`, limit: CODES_PER_ACCOUNT },
  ...addressAllowance("code", CODES_PER_ADDRESS, request),
];

/**
 * Counts one try against every allowance before anything is checked, so that parallel tries are all counted, and refuses
 * with TooManyAttempts past any limit. Gives back the keys, for `forgiveTry`.
 */
export async function countTry(db: Database, allowances: readonly Allowance[], now: number): Promise<string[]> {
  const hashed = await Promise.all(allowances.map(async ({ key, limit }) => ({ key: await digest(key), limit })));
  const [first, ...rest] = hashed.map(({ key }) => countStatement(db, key, now));
  if (!first) return [];
  const rows = (await db.batch([first, ...rest])).flat();
  await sweep(db, now);
  const over = hashed.some(({ limit }, index) => (rows[index]?.count ?? 0) > limit);
  if (over) throw new TooManyAttempts();
  return hashed.map(({ key }) => key);
}

/** A try that was right does not count: the account starts anew, and the address gets its try back. */
export async function forgiveTry(db: Database, [account, ...others]: readonly string[]): Promise<void> {
  if (account === undefined) return;
  await db.batch([
    db.delete(authAttempts).where(eq(authAttempts.key, account)),
    ...others.map((key) =>
      db
        .update(authAttempts)
        .set({ count: sql`MAX(0, ${authAttempts.count} - 1)` })
        .where(eq(authAttempts.key, key)),
    ),
  ]);
}

function countStatement(db: Database, key: string, now: number) {
  const stale = sql`${authAttempts.windowStartedAt} <= ${now - WINDOW_MS}`;
  return db
    .insert(authAttempts)
    .values({ key, count: 1, windowStartedAt: now })
    .onConflictDoUpdate({
      target: authAttempts.key,
      set: {
        count: sql`CASE WHEN ${stale} THEN 1 ELSE ${authAttempts.count} + 1 END`,
        windowStartedAt: sql`CASE WHEN ${stale} THEN ${now} ELSE ${authAttempts.windowStartedAt} END`,
      },
    })
    .returning({ count: authAttempts.count });
}

/** Each try takes a few windows that are over with it, so that the table never grows for long. */
async function sweep(db: Database, now: number): Promise<void> {
  await db.run(sql`DELETE FROM auth_attempts WHERE key IN
    (SELECT key FROM auth_attempts WHERE window_started_at <= ${now - WINDOW_MS} ORDER BY window_started_at LIMIT ${SWEPT_AT_ONCE})`);
}

/** Only the edge names an address that can be believed; a local run has none worth counting. */
function addressAllowance(what: string, limit: number, request: Request): Allowance[] {
  const address = request.headers.get("CF-Connecting-IP");
  if (!address || address === "127.0.0.1" || address === "::1") return [];
  return [{ key: `${what}:${networkOf(address)}`, limit }];
}

/** A home has 2^64 IPv6 addresses and may use each once: its network, the first four groups, is who tries. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail = null] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === null || tail === "" ? [] : tail.split(":");
  const zeros = tail === null ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":");
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
