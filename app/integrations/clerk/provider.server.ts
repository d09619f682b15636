import { createClerkClient, verifyToken } from "@clerk/backend";
import type { ClerkClient } from "@clerk/backend";
import { decodeJwt } from "@clerk/backend/jwt";
import type { ClerkConfiguration } from "#app/configuration.ts";
import type { IdentityProvider, Vouched } from "#app/domain/identity/schema/provider.ts";
import { clearingClerkCookies } from "#app/http/clerk.ts";
import { frontendApiHost } from "#app/publishable-key.ts";
import { revokeSession, userOf } from "./backend-api.server.ts";
import { providerUserOf } from "./user.ts";

export type ClerkIdentityOptions = ClerkConfiguration & { appOrigin: string; apiUrl: string };

/** The JOSE category of a JWT template's token; a session's own token has another. Found by trying: design, identity. */
const TEMPLATE_CATEGORY = "cl_B7d4PD222AAA";
/** No token of Clerk comes near it; what is larger is not read. */
const LONGEST_CREDENTIALS = 16 * 1024;

type Claims = { sub?: string; sid?: string; iss?: string; tpl?: string };
type Recognition = Awaited<ReturnType<IdentityProvider["recognise"]>>;

/** Clerk as this product's identity provider. Tokens are verified by their key, without the network; a user is read once, on first sight. */
export function clerkIdentity(options: ClerkIdentityOptions): IdentityProvider {
  const { publishableKey, secretKey, jwtKey, apiUrl } = options;
  const clerk = createClerkClient({ publishableKey, secretKey, jwtKey, apiUrl, telemetry: { disabled: true } });
  return {
    name: "clerk",
    recognise: (request) => recognise(options, clerk, request),
    signOut: (request) => signOut(options, clerk, request),
  };
}

async function recognise(options: ClerkIdentityOptions, clerk: ClerkClient, request: Request): Promise<Recognition> {
  if (isOverlong(request)) return nobody();
  const authorization = request.headers.get("Authorization");
  if (authorization !== null) return { vouched: vouchedBy(options, await templateClaims(options, authorization)), headers: new Headers() };
  const { claims, headers } = await sessionClaims(options, clerk, request);
  return { vouched: vouchedBy(options, claims), headers };
}

/** The API's token: of the configured template, made for this origin by this instance of Clerk. */
async function templateClaims(options: ClerkIdentityOptions, authorization: string): Promise<Claims | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (!token) return null;
  try {
    const { header } = decodeJwt(token);
    const claims: Claims = await verifyToken(token, { jwtKey: options.jwtKey, authorizedParties: [options.appOrigin] });
    const isTemplate = "cat" in header && header.cat === TEMPLATE_CATEGORY && claims.tpl === options.jwtTemplate;
    return isTemplate && isOurs(options, claims) ? claims : null;
  } catch {
    return null;
  }
}

/** The browser's cookie. Clerk may first need a redirect through its own host (a handshake), which is thrown. */
async function sessionClaims(
  options: ClerkIdentityOptions,
  clerk: ClerkClient,
  request: Request,
): Promise<{ claims: Claims | null; headers: Headers }> {
  const state = await clerk.authenticateRequest(request, { authorizedParties: [options.appOrigin], signInUrl: "/auth/login" });
  if (state.status === "handshake") throw new Response(null, { status: 307, headers: state.headers });
  const headers = cookiesOf(state.headers);
  if (!state.isAuthenticated) return { claims: null, headers };
  const claims: Claims = state.toAuth().sessionClaims;
  return { claims: isOurs(options, claims) && claims.tpl === undefined ? claims : null, headers };
}

/** Clerk's library checks signature, times and `azp`, but never who issued a token. */
function isOurs({ publishableKey }: ClerkIdentityOptions, claims: Claims): boolean {
  return claims.iss === `https://${frontendApiHost(publishableKey)}`;
}

function vouchedBy(options: ClerkIdentityOptions, claims: Claims | null): Vouched | null {
  const userId = claims?.sub;
  if (!userId) return null;
  return { providerUserId: userId, details: async () => providerUserOf(await userOf(options, userId)) };
}

/** The session ends at Clerk first: a browser that keeps Clerk's own cookie would otherwise be signed in again at once. */
async function signOut(options: ClerkIdentityOptions, clerk: ClerkClient, request: Request): Promise<Headers> {
  const { claims } = isOverlong(request) ? { claims: null } : await sessionClaims(options, clerk, request);
  if (claims?.sid) await revokeSession(options, claims.sid);
  return clearingClerkCookies(request, new URL(options.appOrigin).hostname);
}

function isOverlong(request: Request): boolean {
  return (request.headers.get("Authorization")?.length ?? 0) + (request.headers.get("Cookie")?.length ?? 0) > LONGEST_CREDENTIALS;
}

function cookiesOf(headers: Headers): Headers {
  const cookies = new Headers();
  for (const cookie of headers.getSetCookie()) cookies.append("Set-Cookie", cookie);
  return cookies;
}

const nobody = (): Recognition => ({ vouched: null, headers: new Headers() });
