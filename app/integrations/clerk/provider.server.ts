import { createClerkClient, verifyToken } from "@clerk/backend";
import type { ClerkClient } from "@clerk/backend";
import { decodeJwt } from "@clerk/backend/jwt";
import { z } from "zod";
import type { ClerkConfiguration } from "#app/configuration/configuration.ts";
import type {
  IdentityProvider,
  VouchedUser,
} from "#app/domain/identity/identity-provider/schema/provider.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { clearClerkCookies, sessionTokens } from "#app/lib/clerk.ts";
import { frontendApiHost } from "#app/lib/publishable-key.ts";
import { isAnswering, revokeSession, userOf } from "./backend-api.server.ts";
import { providerUserOf } from "./user.ts";

export type ClerkIdentityOptions = ClerkConfiguration & { appOrigin: string; apiUrl: string };

/**
 * The JOSE category of a JWT template's token; a session's own token has another. Found by
 * experiment: design, identity.
 */
const TEMPLATE_CATEGORY = "cl_B7d4PD222AAA";
const firstFactorAge = z.tuple([z.number().int().nonnegative()]).rest(z.number());
/** Longer than any session at Clerk. */
const LONGEST_SESSION_MS = 400 * DAY_MS;
/** Far larger than any token of Clerk; larger values are not read. */
const LONGEST_CREDENTIALS = 16 * 1024;

type Claims = {
  sub?: string;
  sid?: string;
  iss?: string;
  tpl?: string;
  iat?: number;
  fva?: unknown;
};
type Recognition = Awaited<ReturnType<IdentityProvider["recognise"]>>;

/**
 * Implements identity with Clerk. Tokens are verified with its public key, without the network; a
 * user is loaded once, when first seen.
 */
export function clerkIdentity(options: ClerkIdentityOptions): IdentityProvider {
  const { publishableKey, secretKey, jwtKey, apiUrl } = options;
  const clerk = createClerkClient({
    publishableKey,
    secretKey,
    jwtKey,
    apiUrl,
    telemetry: { disabled: true },
  });
  return {
    name: "clerk",
    recognise: (request) => recognise(options, clerk, request),
    provedAt: (request) => provedAt(options, clerk, request),
    signOut: (request) => signOut(options, request),
  };
}

async function recognise(
  options: ClerkIdentityOptions,
  clerk: ClerkClient,
  request: Request,
): Promise<Recognition> {
  if (isOverlong(request)) return nobody();
  const authorization = request.headers.get("Authorization");
  if (authorization !== null)
    return {
      vouched: vouchedBy(options, await templateClaims(options, authorization)),
      headers: new Headers(),
    };
  const { claims, headers } = await sessionClaims(options, clerk, request);
  return { vouched: vouchedBy(options, claims), headers };
}

/**
 * Verifies an API token: of the configured template, issued for this origin by this instance of
 * Clerk.
 */
async function templateClaims(
  options: ClerkIdentityOptions,
  authorization: string,
): Promise<Claims | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (!token) return null;
  try {
    const { header } = decodeJwt(token);
    const claims: Claims = await verifyToken(token, {
      jwtKey: options.jwtKey,
      authorizedParties: [options.appOrigin],
    });
    const isTemplate =
      "cat" in header && header.cat === TEMPLATE_CATEGORY && claims.tpl === options.jwtTemplate;
    return isTemplate && isOurs(options, claims) ? claims : null;
  } catch {
    return null;
  }
}

/**
 * Verifies the browser's cookie. Clerk may first need a redirect through its own host (a
 * handshake), which is thrown if Clerk answers at all. It is never thrown for a form, because the
 * redirect would send its fields there. A form with an expired token is a fault, as its sender is
 * unknown. It is shown again as typed, on a page with a new token.
 */
async function sessionClaims(
  options: ClerkIdentityOptions,
  clerk: ClerkClient,
  request: Request,
): Promise<{ claims: Claims | null; headers: Headers }> {
  const state = await clerk.authenticateRequest(atOurOrigin(request, options.appOrigin), {
    authorizedParties: [options.appOrigin],
    signInUrl: "/auth/login",
  });
  if (!isRead(request) && !state.isAuthenticated && (await hasTokenThatIsOver(options, request)))
    throw new Error("clerk: the token of a form's session is over");
  if (state.status === "handshake" && isRead(request)) {
    if (!(await isAnswering(options)))
      throw new Error("clerk: does not answer, so that no handshake can");
    throw new Response(null, { status: 307, headers: state.headers });
  }
  if (state.status === "handshake") return { claims: null, headers: new Headers() };
  const headers = cookiesOf(state.headers);
  if (!state.isAuthenticated) return { claims: null, headers };
  const claims: Claims = state.toAuth().sessionClaims;
  return { claims: isOurs(options, claims) && claims.tpl === undefined ? claims : null, headers };
}

async function hasTokenThatIsOver(
  options: ClerkIdentityOptions,
  request: Request,
): Promise<boolean> {
  const sessions = await Promise.all(
    sessionTokens(request).map((token) => sessionOf(options, token)),
  );
  return sessions.some((sessionId) => sessionId !== null);
}

/**
 * The time of the last authentication. A session's token contains its age in minutes (`fva`); a
 * token without it counts as old.
 */
async function provedAt(
  options: ClerkIdentityOptions,
  clerk: ClerkClient,
  request: Request,
): Promise<Instant | null> {
  if (isOverlong(request)) return null;
  const { claims } = await sessionClaims(options, clerk, request);
  const age = firstFactorAge.safeParse(claims?.fva);
  if (!age.success || claims?.iat === undefined) return null;
  return claims.iat * SECOND_MS - age.data[0] * MINUTE_MS;
}

/**
 * Sets our origin, to which Clerk's host returns the browser, whatever `Host` or `X-Forwarded-Host`
 * says.
 */
function atOurOrigin(request: Request, appOrigin: string): Request {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of ["X-Forwarded-Host", "X-Forwarded-Proto"]) headers.delete(name);
  headers.set("Host", new URL(appOrigin).host);
  return new Request(appOrigin + pathname + search, { method: request.method, headers });
}

/**
 * Checks the issuer. Clerk's library checks signature, times and `azp`, but never the issuer of a
 * token.
 */
function isOurs({ publishableKey }: ClerkIdentityOptions, claims: Claims): boolean {
  return claims.iss === `https://${frontendApiHost(publishableKey)}`;
}

function vouchedBy(options: ClerkIdentityOptions, claims: Claims | null): VouchedUser | null {
  const userId = claims?.sub;
  if (!userId) return null;
  return {
    providerUserId: userId,
    details: async () => providerUserOf(await userOf(options, userId)),
  };
}

/**
 * Signs out at Clerk first. Otherwise Clerk's own cookie would sign the browser in again at once.
 * An expired token still identifies the session.
 */
async function signOut(options: ClerkIdentityOptions, request: Request): Promise<Headers> {
  const sessions = isOverlong(request)
    ? []
    : await Promise.all(sessionTokens(request).map((token) => sessionOf(options, token)));
  for (const sessionId of new Set(sessions.filter((id) => id !== null)))
    await revokeSession(options, sessionId);
  return clearClerkCookies(request, new URL(options.appOrigin).hostname);
}

async function sessionOf(options: ClerkIdentityOptions, token: string): Promise<string | null> {
  try {
    const claims: Claims = await verifyToken(token, {
      jwtKey: options.jwtKey,
      authorizedParties: [options.appOrigin],
      clockSkewInMs: LONGEST_SESSION_MS,
    });
    return isOurs(options, claims) && claims.tpl === undefined ? (claims.sid ?? null) : null;
  } catch {
    return null;
  }
}

function isRead(request: Request): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

function isOverlong(request: Request): boolean {
  return (
    (request.headers.get("Authorization")?.length ?? 0) +
      (request.headers.get("Cookie")?.length ?? 0) >
    LONGEST_CREDENTIALS
  );
}

function cookiesOf(headers: Headers): Headers {
  const cookies = new Headers();
  for (const cookie of headers.getSetCookie()) cookies.append("Set-Cookie", cookie);
  return cookies;
}

const nobody = (): Recognition => ({ vouched: null, headers: new Headers() });
