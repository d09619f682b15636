import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#app/db/client.server.ts";
import {
  PasskeyNotFound,
  PasskeyRefused,
  TooManyPasskeys,
} from "#app/domain/identity/sign-in/errors/passkeys.ts";
import type { Passkey, PasskeyAnswer } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { authPasskeyChallenges, authPasskeys } from "#drizzle/schema/local-passkeys.ts";
import { confirmOwner } from "#app/integrations/local-identity/account/current-password.server.ts";
import type { TypedProof } from "#app/integrations/local-identity/account/current-password.server.ts";
import { sessionUser } from "./second-factor.server.ts";
import type { SecondFactorStore } from "./second-factor.server.ts";

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
const PASSKEYS_MAX = 10;
const SWEPT_AT_ONCE = 20;
const NAME_OF_US = "Coreto";

/** The site that passkeys are bound to; they work on no other. */
export type Site = { origin: string };

/** The passkeys of the current user, newest first. */
export async function memberPasskeys(
  factors: SecondFactorStore,
  request: Request,
): Promise<Passkey[]> {
  const { id } = await sessionUser(factors, request);
  return (await rowsOf(factors.db, id)).map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
  }));
}

/**
 * The options for creating a passkey in the browser. Refuses a wrong proof of the owner, and more
 * than PASSKEYS_MAX.
 */
export async function registrationOptions(
  factors: SecondFactorStore,
  { origin }: Site,
  request: Request,
  typed: TypedProof,
) {
  const owner = await sessionUser(factors, request);
  await confirmOwner(factors, request, { owner, ...typed });
  const { id, email } = owner;
  const passkeyRows = await rowsOf(factors.db, id);
  if (passkeyRows.length >= PASSKEYS_MAX) throw new TooManyPasskeys(PASSKEYS_MAX);
  const options = await generateRegistrationOptions({
    rpName: NAME_OF_US,
    rpID: new URL(origin).hostname,
    userName: email,
    userID: new TextEncoder().encode(id),
    attestationType: "none",
    excludeCredentials: passkeyRows.map((row) => ({
      id: row.id,
      transports: transportsOf(row.transports),
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await storeChallenge(factors, options.challenge, id);
  return options;
}

/**
 * Saves the passkey that an authenticator created for `registrationOptions`. Refuses any other
 * answer.
 */
export async function savePasskey(
  factors: SecondFactorStore,
  { origin }: Site,
  request: Request,
  { name, response }: { name: string; response: PasskeyAnswer },
): Promise<void> {
  const { id: userId } = await sessionUser(factors, request);
  const expectedChallenge = await spentChallenge(
    factors,
    response,
    eq(authPasskeyChallenges.userId, userId),
  );
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw new PasskeyRefused();
  const { credential } = verified.registrationInfo;
  const saved = await factors.db
    .insert(authPasskeys)
    .values({
      id: credential.id,
      userId,
      name,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      createdAt: factors.now,
    })
    .onConflictDoNothing()
    .returning({ id: authPasskeys.id });
  if (saved.length === 0) throw new PasskeyRefused();
}

/** The options for signing in with any passkey of this site; reveals nothing about accounts. */
export async function authenticationOptions(factors: SecondFactorStore, { origin }: Site) {
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    userVerification: "required",
  });
  await storeChallenge(factors, options.challenge, null);
  return options;
}

/**
 * Finds the user whose passkey signed a challenge of ours. Refuses everything else, and a signature
 * counter that decreased (a copied passkey).
 */
export async function userOfPasskey(
  factors: SecondFactorStore,
  { origin }: Site,
  { response }: { response: PasskeyAnswer },
): Promise<string> {
  const expectedChallenge = await spentChallenge(
    factors,
    response,
    isNull(authPasskeyChallenges.userId),
  );
  const passkey = await factors.db
    .select()
    .from(authPasskeys)
    .where(eq(authPasskeys.id, response.id))
    .get();
  if (!passkey) throw new PasskeyRefused();
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
    },
  }).catch(() => null);
  if (!verified?.verified) throw new PasskeyRefused();
  const used = { counter: verified.authenticationInfo.newCounter, lastUsedAt: factors.now };
  const moved = await factors.db
    .update(authPasskeys)
    .set(used)
    .where(and(eq(authPasskeys.id, passkey.id), eq(authPasskeys.counter, passkey.counter)))
    .returning({ id: authPasskeys.id });
  if (moved.length === 0) throw new PasskeyRefused();
  return passkey.userId;
}

/** Deletes a passkey and returns its name. Refuses a wrong proof of the owner, and somebody else's. */
export async function removePasskey(
  factors: SecondFactorStore,
  request: Request,
  { passkeyId, ...typed }: TypedProof & { passkeyId: string },
): Promise<{ name: string }> {
  const owner = await sessionUser(factors, request);
  await confirmOwner(factors, request, { owner, ...typed });
  const { id } = owner;
  const removed = await factors.db
    .delete(authPasskeys)
    .where(and(eq(authPasskeys.id, passkeyId), eq(authPasskeys.userId, id)))
    .returning({ name: authPasskeys.name });
  const [gone] = removed;
  if (!gone) throw new PasskeyNotFound();
  return gone;
}

function rowsOf(db: Database, userId: string) {
  return db
    .select()
    .from(authPasskeys)
    .where(eq(authPasskeys.userId, userId))
    .orderBy(desc(authPasskeys.createdAt))
    .limit(PASSKEYS_MAX)
    .all();
}

async function storeChallenge(
  { db, now }: SecondFactorStore,
  challenge: string,
  userId: string | null,
): Promise<void> {
  await db
    .insert(authPasskeyChallenges)
    .values({ challenge, userId, expiresAt: now + CHALLENGE_LIFE_MS });
  await db.run(sql`DELETE FROM auth_passkey_challenges WHERE challenge IN
    (SELECT challenge FROM auth_passkey_challenges WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`);
}

/**
 * Consumes the challenge of an answer, so that it is answered once. Refuses an expired one, or one
 * for somebody else.
 */
async function spentChallenge(
  { db, now }: SecondFactorStore,
  { response }: PasskeyAnswer,
  whose: SQL | undefined,
): Promise<string> {
  const challenge = challengeOf(response.clientDataJSON);
  if (challenge === null) throw new PasskeyRefused();
  const [spent] = await db
    .delete(authPasskeyChallenges)
    .where(and(eq(authPasskeyChallenges.challenge, challenge), whose))
    .returning();
  if (!spent || now >= spent.expiresAt) throw new PasskeyRefused();
  return spent.challenge;
}

const clientDataSchema = z.looseObject({ challenge: z.string().max(200) });

function challengeOf(clientDataJSON: string): string | null {
  try {
    const read = clientDataSchema.safeParse(
      JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8")),
    );
    return read.success ? read.data.challenge : null;
  } catch {
    return null;
  }
}

const transportsSchema = z.array(
  z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]),
);

function transportsOf(text: string): AuthenticatorTransportFuture[] {
  const read = transportsSchema.safeParse(JSON.parse(text));
  return read.success ? read.data : [];
}
