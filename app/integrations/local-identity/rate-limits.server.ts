import { eq, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { TooManyAttempts } from "#app/domain/identity/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authAttempts, authUsers } from "#drizzle/schema/local-identity.ts";

const WINDOW_MS = 10 * MINUTE_MS;
const SWEPT_AT_ONCE = 20;

/** At most `limit` attempts for `key` in ten minutes. */
export type AttemptLimit = { key: string; limit: number };

/**
 * Guesses at one identifier are limited for everybody; guesses at many are limited per network
 * address.
 */
const TRIES_PER_ACCOUNT = 10;
/**
 * The limit over all identifiers of an account. Past it every guess counts as wrong, so that the
 * limit does not reveal which identifiers belong together.
 */
const TRIES_PER_HOLDER = 30;
const TRIES_PER_ADDRESS = 60;
const SIGN_UPS_PER_ADDRESS = 30;
/**
 * Limits on codes: two per minute would still be too many, and five attempts at each must not add
 * up.
 */
const SENDS_PER_ACCOUNT = 8;
const SENDS_PER_ADDRESS = 30;
const CODES_PER_ACCOUNT = 15;
const CODES_PER_ADDRESS = 60;
const OUTSIDE_PER_ADDRESS = 60;
/** Messages to one email or phone, whatever they are for and whoever asks. */
const SENDS_PER_HOUR = 10;
const SENDS_PER_DAY = 20;

/**
 * The limits of a sign-in, by the normalised identifier, whether or not it exists. An attacker
 * elsewhere must not lock the owner out. So a browser that signed in before (`device`) has its own
 * attempts, and so has a session that asks for the password again.
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

/** `subject` identifies the owner of the code or link. */
export const sendLimits = (subject: string, request: Request): AttemptLimit[] => [
  { key: `send:${subject}`, limit: SENDS_PER_ACCOUNT },
  ...addressAllowance("send", SENDS_PER_ADDRESS, request),
];

export const codeLimits = (subject: string, request: Request): AttemptLimit[] => [
  { key: `code:${subject}`, limit: CODES_PER_ACCOUNT },
  ...addressAllowance("code", CODES_PER_ADDRESS, request),
];

/**
 * The limits of a destination, whoever asks. Many accounts together can neither flood an address or
 * number nor guess more at it than one.
 */
export const sendLimitsOfAddress = (address: string): AttemptLimit[] => [
  { key: `send:${address}`, limit: SENDS_PER_ACCOUNT },
];
export const codeLimitsOfAddress = (address: string): AttemptLimit[] => [
  { key: `code:${address}`, limit: CODES_PER_ACCOUNT },
];

/** The limits of external sign-ins and wallets: each stores a row and may call another server. */
export const externalSignInLimits = (request: Request): AttemptLimit[] =>
  addressAllowance("outside", OUTSIDE_PER_ADDRESS, request);

/**
 * Counts one attempt against every limit before any check, so that parallel attempts are all
 * counted. Refuses with TooManyAttempts past any limit. Returns the keys, for `uncountAttempt`.
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
 * Counts one more attempt at an account by any of its identifiers (`holder`: its user, or the typed
 * text without an account). `isOver` is true past the limit; `key` is for `uncountAttempt`.
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

/**
 * Counts one message to an email or phone, over all purposes, by the hour and by the day. False
 * past a limit: then nothing may be sent, and the answer stays the same. A refusal would reveal
 * that a username and an address share a count. A browser in which the owner signed in before
 * (`device`) has its own counts, so that strangers cannot use up the owner's.
 */
export async function countSendTo(
  db: Database,
  { destination, device = null }: { destination: string; device?: string | null },
  now: number,
): Promise<boolean> {
  const whose = `${device ?? "anybody"}:${destination}`;
  const [ofHour, ofDay] = await Promise.all([digest(`hour:${whose}`), digest(`day:${whose}`)]);
  const [[hour], [day]] = await db.batch([
    countStatement(db, ofHour, now, HOUR_MS),
    countStatement(db, ofDay, now, DAY_MS),
  ]);
  return (hour?.count ?? 0) <= SENDS_PER_HOUR && (day?.count ?? 0) <= SENDS_PER_DAY;
}

/**
 * Uncounts a correct attempt: the account's count restarts, and the network address gets its
 * attempt back.
 */
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

/** The count keys of sign-in attempts of a user: each of its identifiers, and all together. */
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

/** The statement that clears wrong guesses, for a new password. */
export function resetAttemptsStatement(db: Database, tries: readonly string[]) {
  return db
    .delete(authAttempts)
    .where(sql`${authAttempts.key} IN (SELECT value FROM json_each(${JSON.stringify(tries)}))`);
}

const holderKey = (holder: string): Promise<string> => digest(`holder:${holder}`);

/**
 * Counts within `windowMs`. A window longer than ten minutes is stored as if it started that much
 * later, so that every row is over ten minutes after its stored start, for `sweep` too.
 */
function countStatement(db: Database, key: string, now: number, windowMs: number = WINDOW_MS) {
  const stale = sql`${authAttempts.windowStartedAt} <= ${now - WINDOW_MS}`;
  const startsAt = now + windowMs - WINDOW_MS;
  return db
    .insert(authAttempts)
    .values({ key, count: 1, windowStartedAt: startsAt })
    .onConflictDoUpdate({
      target: authAttempts.key,
      set: {
        count: sql`CASE WHEN ${stale} THEN 1 ELSE ${authAttempts.count} + 1 END`,
        windowStartedAt: sql`CASE WHEN ${stale} THEN ${startsAt} ELSE ${authAttempts.windowStartedAt} END`,
      },
    })
    .returning({ count: authAttempts.count });
}

/** Deletes a few expired windows on each attempt, so that the table stays small. */
async function sweep(db: Database, now: number): Promise<void> {
  await db.run(sql`DELETE FROM auth_attempts WHERE key IN
    (SELECT key FROM auth_attempts WHERE window_started_at <= ${now - WINDOW_MS} ORDER BY window_started_at LIMIT ${SWEPT_AT_ONCE})`);
}

/** Only the edge provides a trustworthy address; a local run has none to count. */
function addressAllowance(what: string, limit: number, request: Request): AttemptLimit[] {
  const address = request.headers.get("CF-Connecting-IP");
  if (!address || address === "127.0.0.1" || address === "::1") return [];
  return [{ key: `${what}:${networkOf(address)}`, limit }];
}

/**
 * The network of an address. A home has 2^64 IPv6 addresses and could use each once, so its first
 * four groups are counted.
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
