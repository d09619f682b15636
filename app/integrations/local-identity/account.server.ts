import { and, eq, ne } from "drizzle-orm";
import { commit, exactlyOne, openDatabase } from "#app/db/client.server.ts";
import type { Database, Write } from "#app/db/client.server.ts";
import { NotSignedIn, PasswordCompromised } from "#app/domain/identity/errors.ts";
import type { AccountStanding } from "#app/domain/identity/schema/account.ts";
import type { Instant } from "#app/domain/time.ts";
import { authAccounts, authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { localAuth } from "./auth.server.ts";
import type { LocalAuth, LocalIdentityOptions } from "./auth.server.ts";
import { challengeOf, spend } from "./challenges.server.ts";
import type { Challenge, Vault } from "./challenges.server.ts";
import { isCommonPassword } from "./common-passwords.server.ts";
import { checkPassword, credentialOf } from "./current-password.server.ts";
import { passwordHashOf } from "./registration.server.ts";

/** The embedded identity as the account's own pages need it. */
export type LocalAccounts = Vault & { auth: LocalAuth };

export function localAccounts(options: LocalIdentityOptions, now: Instant): LocalAccounts {
  return { auth: localAuth(options), db: openDatabase(options.db), secret: options.secret, now };
}

type Session = { id: string; userId: string; username: string; standing: AccountStanding };

/** How the account of a request's session stands, read from the primary and past the cookie cache. Refuses who is not signed in. */
export async function accountStanding(accounts: LocalAccounts, request: Request): Promise<AccountStanding> {
  return (await sessionOf(accounts, request)).standing;
}

async function sessionOf({ auth, db, now }: LocalAccounts, request: Request): Promise<Session> {
  const found = await auth.api.getSession({ headers: request.headers, query: { disableCookieCache: true } });
  if (!found) throw new NotSignedIn();
  const { session, user } = found;
  const change = await challengeOf({ db }, { purpose: "email-change", subject: user.id });
  const isWaiting = change !== null && change.usedAt === null && change.expiresAt > now;
  const standing = {
    userId: user.id,
    email: user.email,
    isEmailVerified: user.emailVerified,
    newEmail: isWaiting ? change.email : null,
    provedAt: new Date(session.createdAt).getTime(),
  };
  return { id: session.id, userId: user.id, username: user.username ?? user.id, standing };
}

/** The user who answers to `email`, or null. */
export async function userByEmail(db: Database, email: string): Promise<{ id: string; email: string } | null> {
  const row = await db.select({ id: authUsers.id, email: authUsers.email }).from(authUsers).where(eq(authUsers.email, email)).get();
  return row ?? null;
}

/** The e-mail of a user, from the primary. */
export async function userById(db: Database, id: string): Promise<{ email: string } | null> {
  const row = await db.select({ email: authUsers.email }).from(authUsers).where(eq(authUsers.id, id)).get();
  return row ?? null;
}

/** What a proven address changes: it is confirmed, and a new one takes the place of the old. One batch with `spend`. */
export function provenEmailStatements(vault: Vault, challenge: Challenge): Write[] {
  const { userId, email, purpose } = challenge;
  if (userId === null) return [];
  const own = purpose === "email-change" ? eq(authUsers.id, userId) : and(eq(authUsers.id, userId), eq(authUsers.email, email));
  const proven = vault.db
    .update(authUsers)
    .set({ email, emailVerified: true, updatedAt: new Date(vault.now) })
    .where(own);
  return [spend(vault, challenge), exactlyOne(proven)];
}

/** Refuses a password that is tried first. To be asked before a code is spent on it. */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new PasswordCompromised();
}

/** Sets a forgotten password: the code or link is spent, its address is proven, and every session ends. */
export async function resetPassword(vault: Vault, challenge: Challenge, password: string): Promise<void> {
  const { userId, email } = challenge;
  if (userId === null) throw new NotSignedIn();
  const hash = await passwordHashOf(password);
  await commit(vault.db, [
    spend(vault, challenge),
    passwordStatement(vault, { userId, hash }),
    vault.db
      .update(authUsers)
      .set({ emailVerified: true, updatedAt: new Date(vault.now) })
      .where(and(eq(authUsers.id, userId), eq(authUsers.email, email))),
    vault.db.delete(authSessions).where(eq(authSessions.userId, userId)),
  ]);
}

/** The person types their password again: for ten minutes money and identity may be changed. Wrong ones count as tries to sign in. */
export async function provePassword(accounts: LocalAccounts, request: Request, { currentPassword }: { currentPassword: string }): Promise<void> {
  const session = await sessionOf(accounts, request);
  await checkPassword({ db: accounts.db, now: Date.now() }, request, { userId: session.userId, currentPassword });
  await accounts.db.update(authSessions).set({ createdAt: new Date(accounts.now) }).where(eq(authSessions.id, session.id));
}

/** Changes the password of whoever knows it; the other sessions end. Gives the address to tell. */
export async function changePassword(
  accounts: LocalAccounts,
  request: Request,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<{ email: string }> {
  refuseCommonPassword(password);
  const session = await sessionOf(accounts, request);
  await checkPassword({ db: accounts.db, now: Date.now() }, request, { userId: session.userId, currentPassword });
  const { db, now } = accounts;
  await commit(db, [
    passwordStatement(accounts, { userId: session.userId, hash: await passwordHashOf(password) }),
    db.delete(authSessions).where(and(eq(authSessions.userId, session.userId), ne(authSessions.id, session.id))),
    db.update(authSessions).set({ createdAt: new Date(now) }).where(eq(authSessions.id, session.id)),
  ]);
  return { email: session.standing.email };
}

/** Ends one session of the person who asks, wherever it is. False when it is nobody's or somebody else's. */
export async function endSession(accounts: LocalAccounts, request: Request, { sessionId }: { sessionId: string }): Promise<boolean> {
  const { userId } = await sessionOf(accounts, request);
  const ended = await accounts.db
    .delete(authSessions)
    .where(and(eq(authSessions.id, sessionId), eq(authSessions.userId, userId)))
    .returning({ id: authSessions.id });
  return ended.length > 0;
}

function passwordStatement({ db, now }: Vault, { userId, hash }: { userId: string; hash: string }): Write {
  return exactlyOne(db.update(authAccounts).set({ password: hash, updatedAt: new Date(now) }).where(credentialOf(userId)));
}
