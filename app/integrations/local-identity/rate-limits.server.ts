import { eq, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { TooManyAttempts } from "#app/domain/identity/errors.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authAttempts, authUsers } from "#drizzle/schema/local-identity.ts";

const WINDOW_MS = 10 * MINUTE_MS;
const SWEPT_AT_ONCE = 20;

/** At most `limit` tries for `key` in ten minutes. */
export type AttemptLimit = { key: string; limit: number };

/** Guessing at one name is slowed for everybody; guessing at many, for the address that does it. */
const TRIES_PER_ACCOUNT = 10;
/**
 * Over all its names together; past it every guess is wrong, so that the limit itself tells nobody
 * which names are one account's.
 */
const TRIES_PER_HOLDER = 30;
const TRIES_PER_ADDRESS = 60;
const SIGN_UPS_PER_ADDRESS = 30;
/** A new code twice a minute would still be a flood; and five tries each must not add up to a guess. */
const SENDS_PER_ACCOUNT = 8;
const SENDS_PER_ADDRESS = 30;
const CODES_PER_ACCOUNT = 15;
const CODES_PER_ADDRESS = 60;
const OUTSIDE_PER_ADDRESS = 60;

/**
 * Tries at what was typed, as it is compared: whether it is anybody's changes nothing. Whoever
 * guesses at an account from elsewhere must not lock its owner out: a browser that signed in to it
 * before (`device`) has tries of its own, and so has a session that asks for the password again.
 */
export const signInLimits = (
  identifier: string,
  request: Request,
  device: string | null = null,
): AttemptLimit[] => [
  {
    key: device === null ? `account:${identifier}` : `device:${device}:${identifier}`,
    limit: TRIES_PER_ACCOUNT,
  },
  ...addressAllowance("sign-in", TRIES_PER_ADDRESS, request),
];

export const confirmLimits = (userId: string, request: Request): AttemptLimit[] => [
  { key: `confirm:${userId}`, limit: TRIES_PER_ACCOUNT },
  ...addressAllowance("sign-in", TRIES_PER_ADDRESS, request),
];

export const signUpLimits = (request: Request): AttemptLimit[] =>
  addressAllowance("sign-up", SIGN_UPS_PER_ADDRESS, request);

/** `subject` is whose code or link it is. */
export const sendLimits = (subject: string, request: Request): AttemptLimit[] => [
  { key: `send:${subject}`, limit: SENDS_PER_ACCOUNT },
  ...addressAllowance("send", SENDS_PER_ADDRESS, request),
];

export const codeLimits = (subject: string, request: Request): AttemptLimit[] => [
  { key: `code:${subject}`, limit: CODES_PER_ACCOUNT },
  ...addressAllowance("code", CODES_PER_ADDRESS, request),
];

/**
 * Where codes go has limits too, whoever asks: many accounts together neither flood an address or
 * number nor guess at it more than one.
 */
export const sendLimitsOfAddress = (address: string): AttemptLimit[] => [
  { key: `send:${address}`, limit: SENDS_PER_ACCOUNT },
];
export const codeLimitsOfAddress = (address: string): AttemptLimit[] => [
  { key: `code:${address}`, limit: CODES_PER_ACCOUNT },
];

/** Going to another account or asking a wallet: each leaves a row and may ask another server. */
export const externalSignInLimits = (request: Request): AttemptLimit[] =>
  addressAllowance("outside", OUTSIDE_PER_ADDRESS, request);

/**
 * Counts one try against every allowance before anything is checked, so that parallel tries are all
 * counted, and refuses with TooManyAttempts past any limit. Gives back the keys, for
 * `uncountAttempt`.
 */
export async function countAttempt(
  db: Database,
  allowances: readonly AttemptLimit[],
  now: number,
): Promise<string[]> {
  const hashed = await Promise.all(
    allowances.map(async ({ key, limit }) => ({ key: await digest(key), limit })),
  );
  const [first, ...rest] = hashed.map(({ key }) => countStatement(db, key, now));
  if (!first) return [];
  const rows = (await db.batch([first, ...rest])).flat();
  await sweep(db, now);
  const over = hashed.some(({ limit }, index) => (rows[index]?.count ?? 0) > limit);
  if (over) throw new TooManyAttempts();
  return hashed.map(({ key }) => key);
}

/**
 * Counts one more try at an account by any of its names (`holder`: its user, or what was typed
 * where it is nobody's). `isOver` past the limit; `key` is for `uncountAttempt`.
 */
export async function countGuessAt(
  db: Database,
  holder: string,
  now: number,
): Promise<{ key: string; isOver: boolean }> {
  const key = await holderKey(holder);
  const [row] = await countStatement(db, key, now);
  return { key, isOver: (row?.count ?? 0) > TRIES_PER_HOLDER };
}

/** A try that was right does not count: the account starts anew, and the address gets its try back. */
export async function uncountAttempt(
  db: Database,
  [account, ...others]: readonly string[],
): Promise<void> {
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

/**
 * Under which names tries to sign in as a user are counted: each of its identifiers, and all
 * together.
 */
export async function attemptKeysOf(db: Database, userId: string): Promise<string[]> {
  const [users, emails, phones] = await db.batch([
    db.select({ name: authUsers.username }).from(authUsers).where(eq(authUsers.id, userId)),
    db.select({ name: authEmails.address }).from(authEmails).where(eq(authEmails.userId, userId)),
    db.select({ name: authPhones.address }).from(authPhones).where(eq(authPhones.userId, userId)),
  ]);
  const names = [...users, ...emails, ...phones].flatMap(({ name }) =>
    name === null ? [] : [digest(`account:${name}`)],
  );
  return Promise.all([holderKey(userId), ...names]);
}

/** The statement after which nobody's wrong guesses count any more: for a password that is new. */
export function resetAttemptsStatement(db: Database, tries: readonly string[]) {
  return db
    .delete(authAttempts)
    .where(sql`${authAttempts.key} IN (SELECT value FROM json_each(${JSON.stringify(tries)}))`);
}

const holderKey = (holder: string): Promise<string> => digest(`holder:${holder}`);

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
function addressAllowance(what: string, limit: number, request: Request): AttemptLimit[] {
  const address = request.headers.get("CF-Connecting-IP");
  if (!address || address === "127.0.0.1" || address === "::1") return [];
  return [{ key: `${what}:${networkOf(address)}`, limit }];
}

/**
 * A home has 2^64 IPv6 addresses and may use each once: its network, the first four groups, is who
 * tries.
 */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail = null] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === null || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === null
      ? []
      : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":");
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
