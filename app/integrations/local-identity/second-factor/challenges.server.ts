import { and, desc, eq, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { ConditionalWrite, Database } from "#app/db/client.server.ts";
import {
  CodeIncorrect,
  LinkClientMismatch,
  LinkInvalid,
  ResendTooSoon,
  VerificationExpired,
  VerificationFailed,
  VerificationNotSent,
  VerificationUsed,
} from "#app/domain/identity/errors.ts";
import {
  challengeState,
  CODE_LIFE_MS,
  CODE_TRIES,
  RESEND_AFTER_MS,
  resendWaitSeconds,
} from "#app/domain/identity/sign-in/rules/challenges.ts";
import type { Instant } from "#app/domain/time.ts";
import { authChallenges } from "#drizzle/schema/local-challenges.ts";
import { keyedHash, randomCode, randomToken, sameHash } from "#app/lib/secrets.ts";

export type ChallengePurpose =
  | "registration"
  | "email-verification"
  | "phone-verification"
  | "password-reset"
  | "sign-in"
  | "reauthentication";
export type Challenge = typeof authChallenges.$inferSelect;

/**
 * The context of every step: the primary database, the key of the hashes, and the wall clock's
 * time.
 */
export type ChallengeStore = { db: Database; secret: string; now: Instant };

/** The secret parts, sent by email or text message and never stored. */
type IssuedChallenge = { id: string; code: string; token: string };

const SWEPT_AT_ONCE = 20;

type ChallengeRequest = {
  purpose: ChallengePurpose;
  subject: string;
  userId: string | null;
  address: string;
  client: string | null;
};

/**
 * Issues the one valid code and link of a purpose and subject, replacing any earlier one. `client`
 * is the secret of the requesting browser; without one the link works nowhere. Refuses within 30
 * seconds of the last to the same address, for concurrent requests too.
 */
export async function issueChallenge(
  { db, secret, now }: ChallengeStore,
  { purpose, subject, userId, address, client }: ChallengeRequest,
): Promise<IssuedChallenge> {
  const opened = { id: randomToken(), code: randomCode(), token: randomToken() };
  const fresh = {
    id: opened.id,
    userId,
    address,
    codeHash: await keyedHash(secret, "code", opened.id, opened.code),
    linkHash: await keyedHash(secret, "link", opened.token),
    clientHash: await clientHash(secret, client ?? randomToken()),
    tries: 0,
    sentAt: now,
    expiresAt: now + CODE_LIFE_MS,
    usedAt: null,
  };
  const written = await db
    .insert(authChallenges)
    .values({ purpose, subject, ...fresh })
    .onConflictDoUpdate({
      target: [authChallenges.purpose, authChallenges.subject],
      set: fresh,
      setWhere: or(
        lte(authChallenges.sentAt, now - RESEND_AFTER_MS),
        ne(authChallenges.address, address),
      ),
    })
    .returning({ id: authChallenges.id });
  if (written.length === 0)
    throw new ResendTooSoon(
      resendWaitSeconds((await latestChallenge({ db }, { purpose, subject }))?.sentAt ?? now, now),
    );
  await sweep(db, now);
  return opened;
}

/** The last challenge issued for a purpose and subject, in any state. */
export async function latestChallenge(
  { db }: Pick<ChallengeStore, "db">,
  { purpose, subject }: { purpose: ChallengePurpose; subject: string },
): Promise<Challenge | null> {
  const row = await db
    .select()
    .from(authChallenges)
    .where(and(eq(authChallenges.purpose, purpose), eq(authChallenges.subject, subject)))
    .get();
  return row ?? null;
}

/** The last challenge that this browser requested. */
export async function latestChallengeOfBrowser(
  { db, secret }: Omit<ChallengeStore, "now">,
  { purpose, client }: { purpose: ChallengePurpose; client: string },
): Promise<Challenge | null> {
  const row = await db
    .select()
    .from(authChallenges)
    .where(
      and(
        eq(authChallenges.clientHash, await clientHash(secret, client)),
        eq(authChallenges.purpose, purpose),
      ),
    )
    .orderBy(desc(authChallenges.sentAt))
    .limit(1)
    .get();
  return row ?? null;
}

/**
 * Counts one attempt against `challenge` before it checks the code, so that parallel guesses are
 * all counted. Refuses a wrong code, one that is used, expired or guessed too often, and one that a
 * newer one replaced meanwhile. `consumeChallenge` consumes it, in the same batch as what it
 * allows.
 */
export async function checkCode(
  { db, secret, now }: ChallengeStore,
  challenge: Challenge | null,
  code: string,
): Promise<Challenge> {
  if (!challenge) throw new VerificationNotSent();
  refuseUnlessLive(challenge, now);
  const counted = await db
    .update(authChallenges)
    .set({ tries: sql`${authChallenges.tries} + 1` })
    .where(and(eq(authChallenges.id, challenge.id), lt(authChallenges.tries, CODE_TRIES)))
    .returning({ codeHash: authChallenges.codeHash });
  const [live] = counted;
  if (!live) throw new VerificationFailed();
  if (!sameHash(live.codeHash, await keyedHash(secret, "code", challenge.id, code)))
    throw new CodeIncorrect();
  return challenge;
}

/**
 * Finds the challenge of a link. Refuses one that does not exist, or is of another browser, used or
 * expired.
 */
export async function challengeByLink(
  { db, secret, now }: ChallengeStore,
  { purpose, token, client }: { purpose: ChallengePurpose; token: string; client: string | null },
): Promise<Challenge> {
  const row = await db
    .select()
    .from(authChallenges)
    .where(
      and(
        eq(authChallenges.linkHash, await keyedHash(secret, "link", token)),
        eq(authChallenges.purpose, purpose),
      ),
    )
    .get();
  if (!row) throw new LinkInvalid();
  if (client === null || !sameHash(row.clientHash, await clientHash(secret, client)))
    throw new LinkClientMismatch();
  const state = challengeState({ ...row, tries: 0 }, now);
  if (state === "used") throw new VerificationUsed();
  if (state === "expired") throw new VerificationExpired();
  return row;
}

/**
 * Consumes a code or link. Of two concurrent uses one is refused as StaleWrite, with everything in
 * its batch.
 */
export function consumeChallenge({ db, now }: ChallengeStore, { id }: Challenge): ConditionalWrite {
  return mustChangeOne(
    db
      .update(authChallenges)
      .set({ usedAt: now })
      .where(and(eq(authChallenges.id, id), isNull(authChallenges.usedAt))),
  );
}

function refuseUnlessLive(challenge: Challenge, now: Instant): void {
  const state = challengeState(challenge, now);
  if (state === "used") throw new VerificationUsed();
  if (state === "expired") throw new VerificationExpired();
  if (state === "worn-out") throw new VerificationFailed();
}

const clientHash = (secret: string, client: string): Promise<string> =>
  keyedHash(secret, "client", client);

/**
 * Deletes a few long expired rows on each send, so that addresses that were only typed are not
 * stored.
 */
async function sweep(db: Database, now: Instant): Promise<void> {
  await db.run(sql`DELETE FROM auth_challenges WHERE id IN
    (SELECT id FROM auth_challenges WHERE expires_at <= ${now - 24 * 6 * CODE_LIFE_MS} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`);
}
