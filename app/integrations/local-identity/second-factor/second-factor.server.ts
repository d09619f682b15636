import {
  constantTimeEqual,
  makeSignature,
  symmetricDecrypt,
  symmetricEncrypt,
} from "better-auth/crypto";
import { createOTP } from "@better-auth/utils/otp";
import { and, count, eq, isNotNull, isNull, lt, ne } from "drizzle-orm";
import { commit, mustChangeOne, openDatabase } from "#app/db/client.server.ts";
import type { Database, BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { CodeIncorrect, NotSignedIn } from "#app/domain/identity/errors.ts";
import {
  EnrolmentExpired,
  SecondFactorAlreadyOn,
  SecondFactorOff,
} from "#app/domain/identity/sign-in/errors/second-factor.ts";
import {
  BACKUP_CODES,
  backupCodeOf,
  isAuthenticatorCode,
  isEnrolmentOpen,
  SECOND_FACTOR_TRIES,
  totpStepsAt,
} from "#app/domain/identity/sign-in/rules/second-factor.ts";
import type { SecondFactor } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import type { Instant } from "#app/domain/time.ts";
import { authSessions } from "#drizzle/schema/local-identity.ts";
import { authBackupCodes, authSecondFactors } from "#drizzle/schema/local-second-factor.ts";
import {
  countAttempt,
  uncountAttempt,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import { localAuth } from "#app/integrations/local-identity/auth.server.ts";
import type {
  LocalAuth,
  LocalIdentityOptions,
} from "#app/integrations/local-identity/auth.server.ts";
import { confirmOwner } from "#app/integrations/local-identity/account/current-password.server.ts";
import type { TypedProof } from "#app/integrations/local-identity/account/current-password.server.ts";

/**
 * The context of every step: the primary database, the encryption key, and the wall clock's time,
 * which authenticators use.
 */
export type SecondFactorStore = { auth: LocalAuth; db: Database; secret: string; now: Instant };

export function localFactors(options: LocalIdentityOptions, now: Instant): SecondFactorStore {
  return { auth: localAuth(options), db: openDatabase(options.db), secret: options.secret, now };
}

const ISSUER = "Coreto";
const SECRET_BYTES = 20;
const BACKUP_BYTES = 16;

/** The second factor of the current user; null if it is off. */
export async function memberSecondFactor(
  factors: SecondFactorStore,
  request: Request,
): Promise<SecondFactor | null> {
  const { id } = await sessionUser(factors, request);
  const { db } = factors;
  const left = db
    .select({ left: count() })
    .from(authBackupCodes)
    .where(and(eq(authBackupCodes.userId, id), isNull(authBackupCodes.usedAt)));
  const [[factor], [codes]] = await db.batch([
    db.select().from(authSecondFactors).where(eq(authSecondFactors.userId, id)),
    left,
  ]);
  return factor?.confirmedAt
    ? { since: factor.confirmedAt, backupCodesLeft: codes?.left ?? 0 }
    : null;
}

/** Whether signing in as `userId` requires a code. */
export async function hasSecondFactor(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .select({ userId: authSecondFactors.userId })
    .from(authSecondFactors)
    .where(and(eq(authSecondFactors.userId, userId), isNotNull(authSecondFactors.confirmedAt)))
    .get();
  return row !== undefined;
}

/**
 * Creates a new secret for an authenticator, replacing an unconfirmed one. Refuses a wrong proof of
 * its owner, and when it is already on.
 */
export async function startEnrolment(
  factors: SecondFactorStore,
  request: Request,
  typed: TypedProof,
): Promise<void> {
  const owner = await sessionUser(factors, request);
  await confirmOwner(factors, request, { owner, ...typed });
  const { id } = owner;
  const { db, now } = factors;
  const fresh = {
    secret: await sealed(factors, randomText(SECRET_BYTES)),
    createdAt: now,
    lastStep: 0,
  };
  const written = await db
    .insert(authSecondFactors)
    .values({ userId: id, ...fresh })
    .onConflictDoUpdate({
      target: authSecondFactors.userId,
      set: fresh,
      setWhere: isNull(authSecondFactors.confirmedAt),
    })
    .returning({ userId: authSecondFactors.userId });
  if (written.length === 0) throw new SecondFactorAlreadyOn();
}

/** The secret for the authenticator, as an address and as text; null without a pending enrolment. */
export async function pendingEnrolment(
  factors: SecondFactorStore,
  request: Request,
): Promise<{ uri: string; key: string } | null> {
  const { id, email } = await sessionUser(factors, request);
  const factor = await factorOf(factors, id);
  if (!factor || factor.confirmedAt !== null || !isEnrolmentOpen(factor.createdAt, factors.now))
    return null;
  const uri = createOTP(await opened(factors, factor.secret)).url(ISSUER, email);
  return { uri, key: new URL(uri).searchParams.get("secret") ?? "" };
}

/**
 * Enables the second factor with the first correct code. Ends the other sessions, which signed in
 * without one. Returns ten backup codes, which are not stored in readable form.
 */
export async function confirmEnrolment(
  factors: SecondFactorStore,
  request: Request,
  { code }: { code: string },
): Promise<string[]> {
  const { id, sessionId } = await sessionUser(factors, request);
  const factor = await factorOf(factors, id);
  if (factor?.confirmedAt) throw new SecondFactorAlreadyOn();
  if (!factor || !isEnrolmentOpen(factor.createdAt, factors.now)) throw new EnrolmentExpired();
  const counted = await countAttempt(factors.db, allowances(id), factors.now);
  const step = await stepOf(factors, factor.secret, code);
  if (step === null) throw new CodeIncorrect();
  const confirmed = factors.db
    .update(authSecondFactors)
    .set({ confirmedAt: factors.now, lastStep: step })
    .where(
      and(
        eq(authSecondFactors.userId, id),
        eq(authSecondFactors.secret, factor.secret),
        isNull(authSecondFactors.confirmedAt),
      ),
    );
  const codes = await freshCodes(factors, id);
  const others = factors.db
    .delete(authSessions)
    .where(and(eq(authSessions.userId, id), ne(authSessions.id, sessionId)));
  await commit(factors.db, [mustChangeOne(confirmed), others, ...codes.writes]);
  await uncountAttempt(factors.db, counted);
  return codes.texts;
}

/**
 * Creates ten new backup codes; the old ones become invalid. Refuses a wrong proof of their owner,
 * and when the second factor is off.
 */
export async function renewBackupCodes(
  factors: SecondFactorStore,
  request: Request,
  typed: TypedProof,
): Promise<string[]> {
  const owner = await sessionUser(factors, request);
  await confirmOwner(factors, request, { owner, ...typed });
  const { id } = owner;
  if (!(await hasSecondFactor(factors.db, id))) throw new SecondFactorOff();
  const codes = await freshCodes(factors, id);
  await commit(factors.db, codes.writes);
  return codes.texts;
}

/** Disables the second factor. Refuses a wrong proof of its owner, and when it is off. */
export async function removeSecondFactor(
  factors: SecondFactorStore,
  request: Request,
  typed: TypedProof,
): Promise<void> {
  const owner = await sessionUser(factors, request);
  await confirmOwner(factors, request, { owner, ...typed });
  const { id } = owner;
  if (!(await hasSecondFactor(factors.db, id))) throw new SecondFactorOff();
  const { db } = factors;
  await commit(db, [
    db.delete(authSecondFactors).where(eq(authSecondFactors.userId, id)),
    db.delete(authBackupCodes).where(eq(authBackupCodes.userId, id)),
  ]);
}

/**
 * Consumes a code of a user who typed the correct password. Each code, of the authenticator or
 * backup, works once, also for concurrent requests. Refuses a wrong or used one, and more than
 * SECOND_FACTOR_TRIES in ten minutes.
 */
export async function consumeSecondFactorCode(
  factors: SecondFactorStore,
  { userId, code }: { userId: string; code: string },
): Promise<void> {
  const counted = await countAttempt(factors.db, allowances(userId), factors.now);
  const factor = await factorOf(factors, userId);
  if (!factor?.confirmedAt) throw new SecondFactorOff();
  const spent = isAuthenticatorCode(code)
    ? await spentStep(factors, factor, code)
    : await spentBackupCode(factors, userId, code);
  try {
    await commit(factors.db, [spent]);
  } catch (error) {
    throw error instanceof StaleWrite ? new CodeIncorrect() : error;
  }
  await uncountAttempt(factors.db, counted);
}

type Factor = typeof authSecondFactors.$inferSelect;

async function spentStep(
  factors: SecondFactorStore,
  { userId, secret }: Factor,
  code: string,
): Promise<BatchWrite> {
  const step = await stepOf(factors, secret, code);
  if (step === null) throw new CodeIncorrect();
  const unused = and(
    eq(authSecondFactors.userId, userId),
    isNotNull(authSecondFactors.confirmedAt),
    lt(authSecondFactors.lastStep, step),
  );
  return mustChangeOne(factors.db.update(authSecondFactors).set({ lastStep: step }).where(unused));
}

async function spentBackupCode(
  factors: SecondFactorStore,
  userId: string,
  code: string,
): Promise<BatchWrite> {
  const unused = and(
    eq(authBackupCodes.codeHash, await backupHash(factors, userId, code)),
    eq(authBackupCodes.userId, userId),
    isNull(authBackupCodes.usedAt),
  );
  return mustChangeOne(
    factors.db.update(authBackupCodes).set({ usedAt: factors.now }).where(unused),
  );
}

/** Finds the time step of `code`; null if it is wrong. */
async function stepOf(
  factors: SecondFactorStore,
  sealedSecret: string,
  code: string,
): Promise<number | null> {
  const authenticator = createOTP(await opened(factors, sealedSecret));
  for (const step of totpStepsAt(factors.now)) {
    if (constantTimeEqual(await authenticator.hotp(step), code)) return step;
  }
  return null;
}

async function freshCodes(
  factors: SecondFactorStore,
  userId: string,
): Promise<{ texts: string[]; writes: BatchWrite[] }> {
  const texts = Array.from({ length: BACKUP_CODES }, () =>
    backupCodeOf(crypto.getRandomValues(new Uint8Array(BACKUP_BYTES))),
  );
  const rows = await Promise.all(
    texts.map(async (code) => ({ codeHash: await backupHash(factors, userId, code), userId })),
  );
  const { db } = factors;
  return {
    texts,
    writes: [
      db.delete(authBackupCodes).where(eq(authBackupCodes.userId, userId)),
      db.insert(authBackupCodes).values(rows),
    ],
  };
}

/** The user of a request's session, without the cookie cache. Refuses a request without a session. */
export async function sessionUser(
  { auth }: SecondFactorStore,
  request: Request,
): Promise<{ id: string; email: string; sessionId: string; provedAt: number }> {
  const found = await auth.api.getSession({
    headers: request.headers,
    query: { disableCookieCache: true },
  });
  if (!found) throw new NotSignedIn();
  const { user, session } = found;
  return {
    id: user.id,
    email: user.email,
    sessionId: session.id,
    provedAt: new Date(session.createdAt).getTime(),
  };
}

async function factorOf({ db }: SecondFactorStore, userId: string): Promise<Factor | null> {
  return (
    (await db.select().from(authSecondFactors).where(eq(authSecondFactors.userId, userId)).get()) ??
    null
  );
}

const allowances = (userId: string) => [
  { key: `second-factor:${userId}`, limit: SECOND_FACTOR_TRIES },
];
const backupHash = ({ secret }: SecondFactorStore, userId: string, code: string) =>
  makeSignature(`backup-code:${userId}:${code}`, secret);
const sealed = ({ secret }: SecondFactorStore, text: string) =>
  symmetricEncrypt({ key: secret, data: text });
const opened = ({ secret }: SecondFactorStore, data: string) =>
  symmetricDecrypt({ key: secret, data });

/**
 * The text itself is the secret: 28 letters carry 160 random bits, as RFC 4226, section 4,
 * recommends.
 */
function randomText(bytes: number): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
}
