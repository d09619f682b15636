import { and, desc, eq, ne } from "drizzle-orm";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Database, BatchWrite } from "#app/db/client.server.ts";
import { NotSignedIn, PasswordCompromised } from "#app/domain/identity/errors.ts";
import {
  ExternalSignInFailed,
  PasswordAlreadySet,
} from "#app/domain/identity/external-accounts/errors.ts";
import type { AccountStatus } from "#app/domain/identity/account/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { authAccounts, authSessions } from "#drizzle/schema/local-identity.ts";
import { authPasskeys } from "#drizzle/schema/local-passkeys.ts";
import { resetAttemptsStatement, attemptKeysOf } from "./rate-limits.server.ts";
import { localAuth } from "./auth.server.ts";
import type { LocalAuth, LocalIdentityOptions } from "./auth.server.ts";
import { consumeChallenge } from "./challenges.server.ts";
import type { Challenge, ChallengeStore } from "./challenges.server.ts";
import { confirmedEmailWrites } from "./contacts.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { checkPassword, credentialOf } from "./current-password.server.ts";
import { passwordHashOf } from "./registration.server.ts";

/** The embedded identity as the account's own pages need it. */
export type LocalAccounts = ChallengeStore & { auth: LocalAuth };

export function localAccounts(options: LocalIdentityOptions, now: Instant): LocalAccounts {
  return { auth: localAuth(options), db: openDatabase(options.db), secret: options.secret, now };
}

type Session = { id: string; userId: string; username: string; standing: AccountStatus };

/**
 * How the account of a request's session stands, read from the primary and past the cookie cache.
 * Refuses who is not signed in.
 */
export async function localAccountStatus(
  accounts: LocalAccounts,
  request: Request,
): Promise<AccountStatus> {
  return (await sessionOf(accounts, request)).standing;
}

async function sessionOf({ auth }: LocalAccounts, request: Request): Promise<Session> {
  const found = await auth.api.getSession({
    headers: request.headers,
    query: { disableCookieCache: true },
  });
  if (!found) throw new NotSignedIn();
  const { session, user } = found;
  const standing = {
    userId: user.id,
    email: user.email,
    isEmailVerified: user.emailVerified,
    provedAt: new Date(session.createdAt).getTime(),
  };
  return { id: session.id, userId: user.id, username: user.username ?? user.id, standing };
}

/** Refuses a password that is tried first. To be asked before a code is spent on it. */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new PasswordCompromised();
}

/**
 * Sets a forgotten password: the code or link is spent, its address is proven, every session ends,
 * and the tries of whoever guessed at it are forgotten, so that the new password opens at once.
 * Gives whose it is.
 */
export async function resetPassword(
  vault: ChallengeStore,
  challenge: Challenge,
  password: string,
): Promise<{ userId: string }> {
  const { userId, address } = challenge;
  if (userId === null) throw new NotSignedIn();
  const [hash, tries] = [await passwordHashOf(password), await attemptKeysOf(vault.db, userId)];
  await commit(vault.db, [
    consumeChallenge(vault, challenge),
    passwordStatement(vault, { userId, hash }),
    ...confirmedEmailWrites(vault, { userId, email: address }),
    vault.db.delete(authSessions).where(eq(authSessions.userId, userId)),
    resetAttemptsStatement(vault.db, tries),
  ]);
  return { userId };
}

/**
 * The person types their password again: for ten minutes money and identity may be changed. Wrong
 * ones count as tries to sign in.
 */
export async function confirmPasswordRecently(
  accounts: LocalAccounts,
  request: Request,
  { currentPassword }: { currentPassword: string },
): Promise<void> {
  const session = await sessionOf(accounts, request);
  await checkPassword({ db: accounts.db, now: Date.now() }, request, {
    userId: session.userId,
    currentPassword,
  });
  await accounts.db
    .update(authSessions)
    .set({ createdAt: new Date(accounts.now) })
    .where(eq(authSessions.id, session.id));
}

/** Changes the password of whoever knows it; the other sessions end. Gives whom to tell. */
export async function changePassword(
  accounts: LocalAccounts,
  request: Request,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<{ userId: string }> {
  refuseCommonPassword(password);
  const session = await sessionOf(accounts, request);
  await checkPassword({ db: accounts.db, now: Date.now() }, request, {
    userId: session.userId,
    currentPassword,
  });
  const { db, now } = accounts;
  await commit(db, [
    passwordStatement(accounts, { userId: session.userId, hash: await passwordHashOf(password) }),
    db
      .delete(authSessions)
      .where(and(eq(authSessions.userId, session.userId), ne(authSessions.id, session.id))),
    db
      .update(authSessions)
      .set({ createdAt: new Date(now) })
      .where(eq(authSessions.id, session.id)),
  ]);
  return { userId: session.userId };
}

/** What a user called their passkeys, newest first. */
export async function passkeyNames(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: authPasskeys.name })
    .from(authPasskeys)
    .where(eq(authPasskeys.userId, userId))
    .orderBy(desc(authPasskeys.createdAt));
  return rows.map(({ name }) => name);
}

/**
 * Ends one session of the person who asks, wherever it is. False when it is nobody's or somebody
 * else's.
 */
export async function endSession(
  accounts: LocalAccounts,
  request: Request,
  { sessionId }: { sessionId: string },
): Promise<boolean> {
  const { userId } = await sessionOf(accounts, request);
  const ended = await accounts.db
    .delete(authSessions)
    .where(and(eq(authSessions.id, sessionId), eq(authSessions.userId, userId)))
    .returning({ id: authSessions.id });
  return ended.length > 0;
}

/**
 * Makes the first password of whoever came from another account. Refuses who has one: that one is
 * changed. Gives the address to tell.
 */
export async function setFirstPassword(
  accounts: LocalAccounts,
  request: Request,
  { password }: { password: string },
): Promise<{ email: string }> {
  refuseCommonPassword(password);
  const { userId, standing } = await sessionOf(accounts, request);
  const { db } = accounts;
  const existing = await db
    .select({ hash: authAccounts.password })
    .from(authAccounts)
    .where(credentialOf(userId))
    .get();
  if (existing?.hash) throw new PasswordAlreadySet();
  await commit(db, [passwordStatement(accounts, { userId, hash: await passwordHashOf(password) })]);
  return { email: standing.email };
}

/**
 * Whoever came back from an outside account of theirs is fresh for ten minutes, as after typing a
 * password. Refuses another person's.
 */
export async function confirmExternallyRecently(
  accounts: LocalAccounts,
  request: Request,
  { userId }: { userId: string },
): Promise<void> {
  const session = await sessionOf(accounts, request);
  if (session.userId !== userId) throw new ExternalSignInFailed("oauth_account_mismatch");
  await accounts.db
    .update(authSessions)
    .set({ createdAt: new Date(accounts.now) })
    .where(eq(authSessions.id, session.id));
}

/**
 * Also for an account that came from outside and has none yet, whose first way in has the user's id
 * for its own.
 */
function passwordStatement(
  { db, now }: ChallengeStore,
  { userId, hash }: { userId: string; hash: string },
): BatchWrite {
  const at = new Date(now);
  return db
    .insert(authAccounts)
    .values({
      id: timeOrderedId(now),
      accountId: userId,
      providerId: "credential",
      userId,
      password: hash,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoUpdate({
      target: [authAccounts.providerId, authAccounts.accountId],
      set: { password: hash, updatedAt: at },
    });
}
