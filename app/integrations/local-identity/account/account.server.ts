import { and, desc, eq, ne } from "drizzle-orm";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Database, BatchWrite } from "#app/db/client.server.ts";
import {
  NotSignedIn,
  PasswordCompromised,
  VerificationNotSent,
} from "#app/domain/identity/errors.ts";
import {
  ExternalSignInFailed,
  PasswordAlreadySet,
} from "#app/domain/identity/external-accounts/errors.ts";
import type { AccountStatus } from "#app/domain/identity/account/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { authAccounts, authSessions } from "#drizzle/schema/local-identity.ts";
import { authPasskeys } from "#drizzle/schema/local-passkeys.ts";
import {
  resetAttemptsStatement,
  attemptKeysOf,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import { localAuth } from "#app/integrations/local-identity/auth.server.ts";
import type {
  LocalAuth,
  LocalIdentityOptions,
} from "#app/integrations/local-identity/auth.server.ts";
import { consumeChallenge } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import type {
  Challenge,
  ChallengeStore,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { confirmedEmailWrites } from "./contacts.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { checkPassword, credentialOf } from "./current-password.server.ts";
import { passwordHashOf } from "#app/integrations/local-identity/registration/registration.server.ts";

/** The embedded identity as the account pages need it. */
export type LocalAccounts = ChallengeStore & { auth: LocalAuth };

export function localAccounts(options: LocalIdentityOptions, now: Instant): LocalAccounts {
  return { auth: localAuth(options), db: openDatabase(options.db), secret: options.secret, now };
}

type Session = { id: string; userId: string; username: string; status: AccountStatus };

/**
 * Loads the account status of a request's session, from the primary database and without the cookie
 * cache. Refuses a request without a session.
 */
export async function localAccountStatus(
  accounts: LocalAccounts,
  request: Request,
): Promise<AccountStatus> {
  return (await sessionOf(accounts, request)).status;
}

async function sessionOf({ auth }: LocalAccounts, request: Request): Promise<Session> {
  const found = await auth.api.getSession({
    headers: request.headers,
    query: { disableCookieCache: true },
  });
  if (!found) throw new NotSignedIn();
  const { session, user } = found;
  const status = {
    userId: user.id,
    email: user.email,
    isEmailVerified: user.emailVerified,
    provedAt: new Date(session.createdAt).getTime(),
  };
  return { id: session.id, userId: user.id, username: user.username ?? user.id, status };
}

/** Refuses a common password. Call it before a code is consumed for it. */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new PasswordCompromised();
}

/**
 * Sets a forgotten password. It consumes the code or link, verifies its address, and ends every
 * session. It clears failed attempts, so that the new password works at once. Returns the user.
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
 * Checks the typed password again: for ten minutes money and identity can be changed. Wrong ones
 * count as sign-in attempts.
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

/**
 * Consumes a code that was sent to the current user: for ten minutes money and identity can be
 * changed. Refuses another user's code.
 */
export async function confirmByCodeRecently(
  accounts: LocalAccounts,
  request: Request,
  challenge: Challenge,
): Promise<void> {
  const session = await sessionOf(accounts, request);
  if (challenge.userId !== session.userId) throw new VerificationNotSent();
  await commit(accounts.db, [
    consumeChallenge(accounts, challenge),
    accounts.db
      .update(authSessions)
      .set({ createdAt: new Date(accounts.now) })
      .where(eq(authSessions.id, session.id)),
  ]);
}

/** Changes the password, given the current one; the other sessions end. Returns whom to notify. */
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

/** The names of a user's passkeys, newest first. */
export async function passkeyNames(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: authPasskeys.name })
    .from(authPasskeys)
    .where(eq(authPasskeys.userId, userId))
    .orderBy(desc(authPasskeys.createdAt));
  return rows.map(({ name }) => name);
}

/** Ends one session of the current user. False if it does not exist or belongs to somebody else. */
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
 * Sets the first password of an account from an external provider. Refuses if there is one, which
 * must be changed instead. Returns the address to notify.
 */
export async function setFirstPassword(
  accounts: LocalAccounts,
  request: Request,
  { password }: { password: string },
): Promise<{ email: string }> {
  refuseCommonPassword(password);
  const { userId, status } = await sessionOf(accounts, request);
  const { db } = accounts;
  const existing = await db
    .select({ hash: authAccounts.password })
    .from(authAccounts)
    .where(credentialOf(userId))
    .get();
  if (existing?.hash) throw new PasswordAlreadySet();
  await commit(db, [passwordStatement(accounts, { userId, hash: await passwordHashOf(password) })]);
  return { email: status.email };
}

/**
 * Marks the session as recently authenticated for ten minutes after an external sign-in, as after
 * typing a password. Refuses another person's external account.
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
 * Also for an account from an external provider without a password, whose first sign-in method has
 * the user's id.
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
