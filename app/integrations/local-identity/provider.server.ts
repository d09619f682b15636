import { isAPIError } from "better-auth/api";
import { eq } from "drizzle-orm";
import { commit, openDatabase } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { CodeIncorrect, VerificationUsed, WrongCredentials } from "#app/domain/identity/errors.ts";
import type { MemberRow } from "#app/domain/identity/schema.ts";
import {
  SecondFactorNeeded,
  SignInExpired,
} from "#app/domain/identity/sign-in/errors/second-factor.ts";
import type {
  Identified,
  IdentityPort,
  OpenSession,
  ProviderUser,
  SignIn,
} from "#app/domain/identity/schema.ts";
import type { PasskeyAnswer } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { countGuessAt, countAttempt, uncountAttempt, signInLimits } from "./rate-limits.server.ts";
import { localAuth, SESSION_SECONDS } from "./auth.server.ts";
import type { LocalAuth, LocalIdentityOptions } from "./auth.server.ts";
import { consumeChallenge } from "./second-factor/challenges.server.ts";
import type { Challenge } from "./second-factor/challenges.server.ts";
import { isPassword } from "./account/current-password.server.ts";
import { deviceName } from "./sessions/device.ts";
import { sessionCompanion } from "./sessions/session-adapter.server.ts";
import { deviceCookie, deviceOf } from "./sessions/known-device.server.ts";
import { canonicalIdentifier, userByIdentifier } from "./registration/identifiers.server.ts";
import type { SecondFactorStore } from "./second-factor/second-factor.server.ts";
import {
  hasSecondFactor,
  localFactors,
  consumeSecondFactorCode,
} from "./second-factor/second-factor.server.ts";
import { ticketFor, userOfTicket } from "./sessions/sign-in-ticket.server.ts";

/** The embedded identity provider: email, username and password in our own D1. Uses the wall clock. */
export function localIdentity(options: LocalIdentityOptions): IdentityPort {
  const auth = localAuth(options);
  return {
    name: "local",
    session: (request) => session(auth, request),
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

/**
 * The session of a request. Only a read may trust the cookie cache: an ended session must not write
 * or pay until the cache expires.
 */
async function session(auth: LocalAuth, request: Request): Promise<Identified | null> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  try {
    const companion: { member?: MemberRow | undefined } = {};
    const { headers, response } = await sessionCompanion.run(companion, () =>
      auth.api.getSession({
        headers: request.headers,
        query: { disableCookieCache: !isRead },
        returnHeaders: true,
      }),
    );
    return response
      ? { user: providerUser(response.user), headers: cookiesOf(headers), member: companion.member }
      : null;
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return null;
    throw error;
  }
}

/**
 * Signs in with a password. It makes the same database requests and the same hash whether or not an
 * account exists. Attempts are counted by the typed identifier, so that a limit reveals nothing.
 * They are also counted by account over all its identifiers; past that limit even the correct
 * password is refused as wrong. With a second factor, a ticket requires the code before any session
 * exists.
 */
async function signIn(
  options: LocalIdentityOptions,
  auth: LocalAuth,
  request: Request,
  { identifier, password }: SignIn,
) {
  const db = openDatabase(options.db);
  const now = Date.now();
  const holder = await userByIdentifier(db, identifier);
  const typed = canonicalIdentifier(identifier);
  const device = await deviceOf(options.secret, request, holder?.id ?? typed);
  const counted = await countAttempt(db, signInLimits(typed, request, device), now);
  const guesses = await countGuessAt(
    db,
    device === null ? (holder?.id ?? typed) : `device:${device}`,
    now,
  );
  const isRight = await isPassword(holder?.passwordHash ?? null, password);
  if (!holder || !isRight || (guesses.isOver && device === null)) throw new WrongCredentials();
  await uncountAttempt(db, [...counted, guesses.key]);
  if (holder.hasSecondFactor)
    throw new SecondFactorNeeded(await ticketFor({ secret: options.secret, now }, holder.id));
  const { headers } = await auth.api.enterAs({
    body: { userId: holder.id },
    headers: clientHeaders(request),
    returnHeaders: true,
  });
  const token = headers.get("set-auth-token");
  if (!token) throw new WrongCredentials();
  return {
    identified: { user: providerUser(holder), headers: await entered(options, headers, holder.id) },
    token,
  };
}

/**
 * Completes a sign-in with the code, after the password of `ticket`. Refuses like
 * `consumeSecondFactorCode`, and an expired ticket.
 */
export async function enterWithCode(
  options: LocalIdentityOptions,
  request: Request,
  { ticket, code }: { ticket: string; code: string },
): Promise<Identified> {
  const factors = localFactors(options, Date.now());
  const userId = await userOfTicket(factors, ticket);
  if (userId === null) throw new SignInExpired();
  await consumeSecondFactorCode(factors, { userId, code });
  return enterUser(factors, request, userId);
}

/** Signs in with a passkey. It verified its user, so it counts as both password and second factor. */
export async function enterWithPasskey(
  options: LocalIdentityOptions,
  request: Request,
  answer: { response: PasskeyAnswer },
): Promise<Identified> {
  const factors = localFactors(options, Date.now());
  const { userOfPasskey } = await import("./second-factor/passkeys.server.ts");
  return enterUser(factors, request, await userOfPasskey(factors, options, answer));
}

/**
 * Signs in with a code sent to a confirmed email or phone, instead of a password. `challenge` is
 * one whose code was correct; it works once.
 */
export async function enterWithSentCode(
  options: LocalIdentityOptions,
  request: Request,
  challenge: Challenge,
): Promise<Identified> {
  const { userId } = challenge;
  if (userId === null) throw new CodeIncorrect();
  const factors = localFactors(options, Date.now());
  try {
    await commit(factors.db, [consumeChallenge(factors, challenge)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new VerificationUsed() : error;
  }
  return enterFromOutside(options, request, { userId });
}

/**
 * Signs in with an external account, a wallet or a sent code, instead of a password. A second
 * factor is still required if it is on.
 */
export async function enterFromOutside(
  options: LocalIdentityOptions,
  request: Request,
  { userId }: { userId: string },
): Promise<Identified> {
  const factors = localFactors(options, Date.now());
  if (await hasSecondFactor(factors.db, userId))
    throw new SecondFactorNeeded(await ticketFor(factors, userId));
  return enterUser(factors, request, userId);
}

/** Signs in a person who just completed registration. */
export async function enterNewcomer(
  factors: Pick<SecondFactorStore, "auth" | "secret">,
  request: Request,
  userId: string,
): Promise<Headers> {
  const { headers } = await factors.auth.api.enterAs({
    body: { userId },
    headers: clientHeaders(request),
    returnHeaders: true,
  });
  return entered(factors, headers, userId);
}

/** The cookies of a new session, and the one that marks this browser as a known device. */
async function entered(
  { secret }: { secret: string },
  headers: Headers,
  userId: string,
): Promise<Headers> {
  const cookies = cookiesOf(headers);
  cookies.append("Set-Cookie", await deviceCookie(secret, userId));
  return cookies;
}

async function enterUser(
  factors: SecondFactorStore,
  request: Request,
  userId: string,
): Promise<Identified> {
  const headers = await enterNewcomer(factors, request, userId);
  const user = await factors.db.select().from(authUsers).where(eq(authUsers.id, userId)).get();
  if (!user) throw new SignInExpired();
  return { user: providerUser(user), headers };
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
    .toSorted(
      (one, other) =>
        Number(other.isCurrent) - Number(one.isCurrent) || other.lastSeenAt - one.lastSeenAt,
    );
}

/**
 * Passes only the client's address and device to sign-in, never the cookies or token of an existing
 * session.
 */
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

function providerUser(user: {
  id: string;
  email: string;
  name: string;
  username?: string | null | undefined;
}): ProviderUser {
  return {
    providerUserId: user.id,
    email: user.email,
    name: user.name,
    username: user.username ?? user.id,
  };
}
