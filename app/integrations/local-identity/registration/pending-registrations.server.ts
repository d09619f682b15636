import { and, eq, gt } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RegistrationExpired } from "#app/domain/identity/registration/errors.ts";
import { REGISTRATION_LIFE_MS } from "#app/domain/identity/registration/rules/registration.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";
import { sweepStatement } from "./abandoned.server.ts";
import type { ChallengeStore } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { CREDENTIAL, registrationStatements } from "./registration.server.ts";
import type { FirstCredential } from "./registration.server.ts";
import { keyedHash, randomToken } from "#app/lib/secrets.ts";

const COOKIE = "__Host-coreto-registration";

/**
 * The data at the start of a registration: everything but the verification from "Criar conta", or
 * what an external provider supplies.
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
  /** The path on this site to return to, already validated. */
  to?: string;
  /** The checkout and the payer's CPF, for a purchase without an account. */
  cart?: { fields: Record<string, string>; taxId: string };
};

/** The sign-in method of an account created by a guest purchase: a code sent to its email. */
const BY_CODE = "code";

export type PendingRegistration = typeof authPendingRegistrations.$inferSelect;

/** A registration with every field; its email may be unverified. */
export type CompleteRegistration = PendingRegistration & {
  email: string;
  name: string;
  username: string;
  birthDate: string;
  termsVersion: string;
};

/**
 * A started registration. `token` is the secret of its browser; only the cookie in `headers` stores
 * it.
 */
type StartedRegistration = { pending: PendingRegistration; token: string; headers: Headers };

/**
 * Starts a registration in this browser and returns the cookie to set. Then
 * `/auth/register/profile` asks for missing data and `/auth/register/code` verifies the email.
 * Reserves nothing and looks nobody up, so the time is the same for every email.
 */
export async function startPendingRegistration(
  vault: ChallengeStore,
  start: RegistrationStart,
): Promise<Headers> {
  return (await createPendingRegistration(vault, start)).headers;
}

/** Creates the same registration, for callers that send the code at once. */
export async function createPendingRegistration(
  { db, secret, now }: ChallengeStore,
  { by, birthDate, termsVersion, to, cart, ...existing }: RegistrationStart,
): Promise<StartedRegistration> {
  const token = randomToken();
  const pending = {
    ...existing,
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

/** The secret of the browser that started a registration, finished or not; null without one. */
export function registrationToken(request: Request): string | null {
  const token = requestCookie(request, COOKIE);
  return token !== null && /^[0-9a-f]{64}$/.test(token) ? token : null;
}

/** The id of this browser's registration, also in challenges; null without one. */
export async function registrationId(
  { secret }: Pick<ChallengeStore, "secret">,
  request: Request,
): Promise<string | null> {
  const token = registrationToken(request);
  return token === null ? null : idOf(secret, token);
}

/** The pending registration of this browser; null without one. */
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

/** Updates a registration with typed data. Refuses one that is expired or already finished. */
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
 * Records that the email was verified. The person must still choose another username, or learns
 * that the email has an account. Stale if the email was changed meanwhile: the verification is for
 * this one only.
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

/** True if at most the verification of the email is missing. */
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
 * The account's writes in the batch that completes a registration: deletes its row, inserts user
 * and credential. Of two concurrent requests one succeeds.
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
      by: credentialToStore(pending),
    }),
  ];
}

function entryOf(by: FirstCredential) {
  if (by.kind === "code") return { providerId: BY_CODE, accountId: null, passwordHash: null };
  if (by.kind === "password")
    return { providerId: CREDENTIAL, accountId: null, passwordHash: by.passwordHash };
  return { providerId: by.providerId, accountId: by.accountId, passwordHash: null };
}

function credentialToStore({
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
