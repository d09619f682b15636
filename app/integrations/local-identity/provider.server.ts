import { isAPIError } from "better-auth/api";
import { eq } from "drizzle-orm";
import { commit, openDatabase } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import { EmailTaken, UsernameTaken, WrongCredentials } from "#app/domain/identity/errors.ts";
import { SecondFactorNeeded, SignInExpired } from "#app/domain/identity/errors/second-factor.ts";
import type { Identified, IdentityPort, OpenSession, ProviderUser, SignIn, SignUp } from "#app/domain/identity/schema.ts";
import type { PasskeyAnswer } from "#app/domain/identity/schema/passkeys.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/ids.ts";
import { authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { countTry, forgiveTry, signInAllowances, signUpAllowances } from "./attempts.server.ts";
import { localAuth, SESSION_SECONDS } from "./auth.server.ts";
import type { LocalAuth, LocalIdentityOptions } from "./auth.server.ts";
import { deviceName } from "./device.ts";
import { passwordHashOf, registrationStatements } from "./registration.server.ts";
import type { Factors } from "./second-factor.server.ts";
import { hasSecondFactor, localFactors, spendCode } from "./second-factor.server.ts";
import { ticketFor, userOfTicket } from "./sign-in-ticket.server.ts";

/** The embedded identity provider: e-mail, username and password in our own D1. Runs on the wall clock. */
export function localIdentity(options: LocalIdentityOptions): IdentityPort {
  const auth = localAuth(options);
  return {
    name: "local",
    session: (request) => session(auth, request),
    signUp: (request, input) => signUp(options, auth, request, input),
    signIn: async (request, input) => (await signIn(options, auth, request, input)).identified,
    signOut: (request) => signOut(auth, request),
    issueToken: async (request, input) => {
      const { identified, token } = await signIn(options, auth, request, input);
      return { token, expiresAt: Date.now() + SESSION_SECONDS * SECOND_MS, user: identified.user };
    },
    openSessions: (request) => openSessions(auth, request),
    endOtherSessions: async (request) => {
      await auth.api.revokeOtherSessions({ headers: request.headers });
    },
  };
}

async function session(auth: LocalAuth, request: Request): Promise<Identified | null> {
  try {
    const { headers, response } = await auth.api.getSession({ headers: request.headers, returnHeaders: true });
    return response ? { user: providerUser(response.user), headers: cookiesOf(headers) } : null;
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return null;
    throw error;
  }
}

async function signUp(options: LocalIdentityOptions, auth: LocalAuth, request: Request, input: SignUp): Promise<Identified> {
  const db = openDatabase(options.db);
  await countTry(db, signUpAllowances(request), Date.now());
  const passwordHash = await passwordHashOf(input.password);
  const now = Date.now();
  const { name, username, email } = input;
  try {
    await commit(db, registrationStatements(db, { userId: timeOrderedId(now), name, username, email, passwordHash, createdAt: now }));
  } catch (error) {
    throw takenOf(error) ?? error;
  }
  return (await enter(auth, request, { identifier: email, password: input.password })).identified;
}

async function signIn(options: LocalIdentityOptions, auth: LocalAuth, request: Request, input: SignIn) {
  const db = openDatabase(options.db);
  const counted = await countTry(db, signInAllowances(input.identifier, request), Date.now());
  const entered = await enter(auth, request, input);
  await forgiveTry(db, counted);
  await holdForSecondFactor(options, entered);
  return entered;
}

/** Where a second factor is on, the session that the password made ends before anybody gets it, and a ticket asks for the code. */
async function holdForSecondFactor({ db: binding, secret }: LocalIdentityOptions, { identified, token }: { identified: Identified; token: string }): Promise<void> {
  const db = openDatabase(binding);
  const userId = identified.user.providerUserId;
  if (!(await hasSecondFactor(db, userId))) return;
  const [sessionToken = ""] = token.split(".");
  await db.delete(authSessions).where(eq(authSessions.token, sessionToken));
  throw new SecondFactorNeeded(await ticketFor({ secret, now: Date.now() }, userId));
}

/** better-auth hashes a password for an unknown account too, so that both answers take as long. */
async function enter(auth: LocalAuth, request: Request, { identifier, password }: SignIn): Promise<{ identified: Identified; token: string }> {
  const headers = clientHeaders(request);
  try {
    const answer = identifier.includes("@")
      ? await auth.api.signInEmail({ body: { email: identifier, password }, headers, returnHeaders: true })
      : await auth.api.signInUsername({ body: { username: identifier, password }, headers, returnHeaders: true });
    const token = answer.headers.get("set-auth-token");
    if (!answer.response || !token) throw new WrongCredentials();
    return { identified: { user: providerUser(answer.response.user), headers: cookiesOf(answer.headers) }, token };
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) throw new WrongCredentials();
    throw error;
  }
}

/** The other half of a sign-in: the code, after the password that `ticket` stands for. Refuses like `spendCode`, and a ticket that is over. */
export async function enterWithCode(options: LocalIdentityOptions, request: Request, { ticket, code }: { ticket: string; code: string }): Promise<Identified> {
  const factors = localFactors(options, Date.now());
  const userId = await userOfTicket(factors, ticket);
  if (userId === null) throw new SignInExpired();
  await spendCode(factors, { userId, code });
  return enterUser(factors, request, userId);
}

/** A passkey that verified its person is password and second factor in one. */
export async function enterWithPasskey(options: LocalIdentityOptions, request: Request, answer: { response: PasskeyAnswer }): Promise<Identified> {
  const factors = localFactors(options, Date.now());
  const { userOfPasskey } = await import("./passkeys.server.ts");
  return enterUser(factors, request, await userOfPasskey(factors, options, answer));
}

async function enterUser(factors: Factors, request: Request, userId: string): Promise<Identified> {
  const { headers } = await factors.auth.api.enterAs({ body: { userId }, headers: clientHeaders(request), returnHeaders: true });
  const user = await factors.db.select().from(authUsers).where(eq(authUsers.id, userId)).get();
  if (!user) throw new SignInExpired();
  return { user: providerUser(user), headers: cookiesOf(headers) };
}

async function signOut(auth: LocalAuth, request: Request): Promise<Headers> {
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  return cookiesOf(headers);
}

async function openSessions(auth: LocalAuth, request: Request): Promise<OpenSession[]> {
  const [current, sessions] = await Promise.all([
    auth.api.getSession({ headers: request.headers }),
    auth.api.listSessions({ headers: request.headers }),
  ]);
  return sessions
    .map((open) => ({
      id: open.id,
      createdAt: new Date(open.createdAt).getTime(),
      lastSeenAt: new Date(open.updatedAt).getTime(),
      device: deviceName(open.userAgent ?? null),
      isCurrent: open.id === current?.session.id,
    }))
    .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent) || other.lastSeenAt - one.lastSeenAt);
}

/** Signing in looks at who asks (address, device), never at the cookies or token of somebody already there. */
function clientHeaders(request: Request): Headers {
  const headers = new Headers();
  for (const name of ["User-Agent", "CF-Connecting-IP"]) {
    const value = request.headers.get(name);
    if (value) headers.set(name, value);
  }
  return headers;
}

function cookiesOf(headers: Headers): Headers {
  const cookies = new Headers();
  for (const cookie of headers.getSetCookie()) cookies.append("Set-Cookie", cookie);
  return cookies;
}

function providerUser(user: { id: string; email: string; name: string; username?: string | null | undefined }): ProviderUser {
  return { providerUserId: user.id, email: user.email, name: user.name, username: user.username ?? user.id };
}

function takenOf(error: unknown): EmailTaken | UsernameTaken | null {
  if (!(error instanceof UniqueViolation)) return null;
  if (error.columns.includes("auth_users.email")) return new EmailTaken();
  return error.columns.includes("auth_users.username") ? new UsernameTaken() : null;
}
