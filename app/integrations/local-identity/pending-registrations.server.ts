import { and, eq, gt } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RegistrationExpired } from "#app/domain/identity/registration/errors.ts";
import { REGISTRATION_LIFE_MS } from "#app/domain/identity/registration/rules/registration.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { sweepStatement } from "./abandoned.server.ts";
import type { ChallengeStore } from "./challenges.server.ts";
import { CREDENTIAL, registrationStatements } from "./registration.server.ts";
import type { FirstCredential } from "./registration.server.ts";
import { keyedHash, randomToken } from "#app/lib/secrets.ts";

const COOKIE = "__Host-coreto-registration";

/**
 * What is known of somebody when they begin: from "Criar conta" everything but the proof, from an
 * outside provider what it says.
 */
export type RegistrationStart = {
  email: string | null;
  isEmailProven: boolean;
  name: string | null;
  username: string | null;
  by: FirstCredential;
  /** An ISO date. */
  birthDate?: string;
  termsVersion?: string;
  /** The own path to go back to, already judged. */
  to?: string;
  /** What is paid there, and the CPF of who pays: whoever buys without an account. */
  cart?: { fields: Record<string, string>; taxId: string };
};

/**
 * How whoever buys without an account enters the one that is made: by a code that goes to its
 * e-mail.
 */
export const BY_CODE = "code";

export type PendingRegistration = typeof authPendingRegistrations.$inferSelect;

/** Nothing is missing but, maybe, the proof of the e-mail. */
export type CompleteRegistration = PendingRegistration & {
  email: string;
  name: string;
  username: string;
  birthDate: string;
  termsVersion: string;
};

/**
 * A registration that was begun; `token` is its browser's secret, which `headers` set as a cookie
 * and nothing else keeps.
 */
type StartedRegistration = { pending: PendingRegistration; token: string; headers: Headers };

/**
 * Begins to register somebody in this browser and gives the cookie to set. Afterwards
 * `/auth/register/profile` asks for what is missing and `/auth/register/code` proves the e-mail.
 * Nothing is reserved and nobody is looked up: it costs the same for every e-mail.
 */
export async function startPendingRegistration(
  vault: ChallengeStore,
  start: RegistrationStart,
): Promise<Headers> {
  return (await createPendingRegistration(vault, start)).headers;
}

/** The same, for whoever sends the code in the same breath. */
export async function createPendingRegistration(
  { db, secret, now }: ChallengeStore,
  { by, birthDate, termsVersion, to, cart, ...known }: RegistrationStart,
): Promise<StartedRegistration> {
  const token = randomToken();
  const pending = {
    ...known,
    id: await idOf(secret, token),
    birthDate: birthDate ?? null,
    termsVersion: termsVersion ?? null,
    ...entryOf(by),
    returnTo: to ?? "/",
    cart: cart ? JSON.stringify(cart.fields) : null,
    taxId: cart?.taxId ?? null,
    createdAt: now,
    expiresAt: now + REGISTRATION_LIFE_MS,
  };
  await db.batch([sweepStatement(db, now), db.insert(authPendingRegistrations).values(pending)]);
  const cookie = `${COOKIE}=${token}; Path=/; Max-Age=${REGISTRATION_LIFE_MS / SECOND_MS}; HttpOnly; Secure; SameSite=Lax`;
  return { pending, token, headers: new Headers({ "Set-Cookie": cookie }) };
}

/** The secret of the browser that began a registration, finished or not; null when it began none. */
export function registrationToken(request: Request): string | null {
  const token = requestCookie(request, COOKIE);
  return token !== null && /^[0-9a-f]{64}$/.test(token) ? token : null;
}

/** What this browser's registration is called, in challenges too; null when it began none. */
export async function registrationId(
  { secret }: Pick<ChallengeStore, "secret">,
  request: Request,
): Promise<string | null> {
  const token = registrationToken(request);
  return token === null ? null : idOf(secret, token);
}

/** The registration that waits in this browser, or null. */
export async function pendingRegistration(
  vault: ChallengeStore,
  request: Request,
): Promise<PendingRegistration | null> {
  const id = await registrationId(vault, request);
  if (id === null) return null;
  const row = await vault.db
    .select()
    .from(authPendingRegistrations)
    .where(
      and(eq(authPendingRegistrations.id, id), gt(authPendingRegistrations.expiresAt, vault.now)),
    )
    .get();
  return row ?? null;
}

/** Puts what was typed into a registration. Refuses one that is over or finished meanwhile. */
export async function amendRegistration(
  { db }: Pick<ChallengeStore, "db">,
  { id }: PendingRegistration,
  change: Partial<
    Pick<
      PendingRegistration,
      "name" | "username" | "birthDate" | "termsVersion" | "email" | "isEmailProven"
    >
  >,
): Promise<PendingRegistration> {
  const [amended] = await db
    .update(authPendingRegistrations)
    .set(change)
    .where(eq(authPendingRegistrations.id, id))
    .returning();
  if (!amended) throw new RegistrationExpired();
  return amended;
}

/**
 * Keeps that the e-mail was proven, for whoever must still choose another username, or reads that
 * it has an account. Stale when another e-mail was put in its place meanwhile: the proof is of this
 * one only.
 */
export function emailProvenWrite(
  { db }: Pick<ChallengeStore, "db">,
  { id, email }: CompleteRegistration,
): BatchWrite {
  const same = and(eq(authPendingRegistrations.id, id), eq(authPendingRegistrations.email, email));
  return mustChangeOne(
    db.update(authPendingRegistrations).set({ isEmailProven: true }).where(same),
  );
}

/** True when only the proof of the e-mail may be missing. */
export function isComplete(pending: PendingRegistration): pending is CompleteRegistration {
  const { email, name, username, birthDate, termsVersion } = pending;
  return (
    email !== null &&
    name !== null &&
    username !== null &&
    birthDate !== null &&
    termsVersion !== null
  );
}

/**
 * The account's own part of the one batch that ends a registration: the row goes, user and
 * credential come. Two at once: one wins.
 */
export function accountWrites(
  { db, now }: ChallengeStore,
  pending: CompleteRegistration,
  { userId }: { userId: string },
): BatchWrite[] {
  const { id, name, username, email } = pending;
  return [
    mustChangeOne(db.delete(authPendingRegistrations).where(eq(authPendingRegistrations.id, id))),
    ...registrationStatements(db, {
      userId,
      name,
      username,
      email,
      createdAt: now,
      by: credentialKept(pending),
    }),
  ];
}

function entryOf(by: FirstCredential) {
  if (by.kind === "code") return { providerId: BY_CODE, accountId: null, passwordHash: null };
  if (by.kind === "password")
    return { providerId: CREDENTIAL, accountId: null, passwordHash: by.passwordHash };
  return { providerId: by.providerId, accountId: by.accountId, passwordHash: null };
}

function credentialKept({
  providerId,
  accountId,
  passwordHash,
}: PendingRegistration): FirstCredential {
  if (providerId === BY_CODE) return { kind: "code" };
  return passwordHash === null
    ? { kind: "outside", providerId, accountId: accountId ?? "" }
    : { kind: "password", passwordHash };
}

const idOf = (secret: string, token: string): Promise<string> =>
  keyedHash(secret, "registration", token);
