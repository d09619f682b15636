import { and, desc, eq, gt, sql } from "drizzle-orm";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import type { ExternalSignInPurpose } from "#app/domain/identity/external-accounts/schema.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { authOutsideAttempts } from "#drizzle/schema/local-outside.ts";
import type { ChallengeStore } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { keyedHash, randomToken, sameHash } from "#app/lib/secrets.ts";
import type { Offer } from "#app/domain/identity/external-accounts/schema.ts";

export const ATTEMPT_LIFE_MS = 10 * MINUTE_MS;
/** Enough time to recover a password. */
const OFFER_LIFE_MS = 30 * MINUTE_MS;
const SWEPT_AT_ONCE = 20;

export type ExternalAttempt = {
  purpose: ExternalSignInPurpose;
  userId: string | null;
  returnPath: string;
};
type ExternalAttemptRef = ExternalAttempt & { providerId: string; client: string };

/**
 * Records that a browser goes to `providerId`. Returns the token that must come back: an OIDC
 * state, a wallet's nonce.
 */
export async function startExternalAttempt(
  vault: ChallengeStore,
  { providerId, purpose, userId, client, returnPath }: ExternalAttemptRef,
): Promise<string> {
  const token = randomToken();
  const { db, secret, now } = vault;
  await db.insert(authOutsideAttempts).values({
    tokenHash: await keyedHash(secret, "outside", token),
    providerId,
    purpose,
    userId,
    clientHash: await clientHash(secret, client),
    returnPath,
    expiresAt: now + ATTEMPT_LIFE_MS,
  });
  await db.run(sql`DELETE FROM auth_outside_attempts WHERE token_hash IN
    (SELECT token_hash FROM auth_outside_attempts WHERE expires_at <= ${now - ATTEMPT_LIFE_MS} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`);
  return token;
}

/**
 * Consumes an attempt, so that it returns once. Refuses one that does not exist, is used or
 * expired, or is of another browser (and does not consume it).
 */
export async function consumeExternalAttempt(
  vault: ChallengeStore,
  { providerId, token, client }: { providerId: string; token: string; client: string | null },
): Promise<ExternalAttempt> {
  const { db, secret, now } = vault;
  const same = and(
    eq(authOutsideAttempts.tokenHash, await keyedHash(secret, "outside", token)),
    eq(authOutsideAttempts.providerId, providerId),
  );
  const row = await db.select().from(authOutsideAttempts).where(same).get();
  if (!row || row.purpose === "offer") throw new ExternalSignInFailed("oauth_attempt_used");
  if (client === null || !sameHash(row.clientHash, await clientHash(secret, client)))
    throw new ExternalSignInFailed("oauth_client_mismatch");
  const spent = await db
    .delete(authOutsideAttempts)
    .where(same)
    .returning({ expiresAt: authOutsideAttempts.expiresAt });
  if (spent.length === 0) throw new ExternalSignInFailed("oauth_attempt_used");
  if (now >= row.expiresAt) throw new ExternalSignInFailed("oauth_attempt_expired");
  return {
    purpose: row.purpose as ExternalSignInPurpose,
    userId: row.userId,
    returnPath: row.returnPath,
  };
}

/**
 * Saves an offer for this browser and the account of `userId` for half an hour, replacing an
 * earlier one.
 */
export async function saveLinkOffer(
  { db, secret, now }: ChallengeStore,
  { providerId, accountId, label, client, userId }: Offer & { client: string; userId: string },
): Promise<void> {
  const hash = await clientHash(secret, client);
  await db.batch([
    db.delete(authOutsideAttempts).where(isOfferOf(hash)),
    db.insert(authOutsideAttempts).values({
      tokenHash: await keyedHash(secret, "outside", randomToken()),
      providerId,
      purpose: "offer",
      userId,
      clientHash: hash,
      returnPath: "",
      accountId,
      label,
      expiresAt: now + OFFER_LIFE_MS,
    }),
  ]);
}

/** The pending offer of this browser for `userId`; null for anybody else who signs in here. */
export async function linkOfferOf(
  { db, secret, now }: ChallengeStore,
  { client, userId }: { client: string | null; userId: string },
): Promise<Offer | null> {
  if (client === null) return null;
  const row = await db
    .select()
    .from(authOutsideAttempts)
    .where(
      and(
        isOfferOf(await clientHash(secret, client)),
        eq(authOutsideAttempts.userId, userId),
        gt(authOutsideAttempts.expiresAt, now),
      ),
    )
    .orderBy(desc(authOutsideAttempts.expiresAt))
    .limit(1)
    .get();
  return row?.accountId
    ? { providerId: row.providerId, accountId: row.accountId, label: row.label }
    : null;
}

/** Deletes the pending offer of this browser. */
export async function deleteLinkOffer(
  { db, secret }: ChallengeStore,
  client: string,
): Promise<void> {
  await db.delete(authOutsideAttempts).where(isOfferOf(await clientHash(secret, client)));
}

const isOfferOf = (hash: string) =>
  and(eq(authOutsideAttempts.clientHash, hash), eq(authOutsideAttempts.purpose, "offer"));
const clientHash = (secret: string, client: string): Promise<string> =>
  keyedHash(secret, "client", client);
