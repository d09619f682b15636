import type { MiddlewareFunction } from "react-router";
import { composeContext } from "#app/compose.server.ts";
import type { Context } from "#app/domain/context.ts";
import { IdentityProviderUnavailable } from "#app/domain/identity/identity-provider/errors.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { looksLikeApiKey } from "#app/domain/identity/api-keys/rules.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { bookmarkCookie, readBookmark } from "#app/http/bookmark.ts";
import { isPublicPage, skipsMemberLookup, withCacheControl } from "#app/http/headers/cache.ts";
import {
  cloudflareContext,
  domainContext,
  keyScopesContext,
  blockedSignInContext,
  identityUnavailableContext,
  incompleteMemberContext,
  viewerContext,
  didWriteContext,
} from "#app/http/contexts.ts";
import { withCookies } from "#app/lib/cookies.ts";
import { hasCredentials } from "./credentials.ts";
import { clearMemberCookie, writeMemberCookie, readMemberCookie } from "./member-cookie.ts";
import { asIdentityUnavailable } from "./identity-unavailable.ts";
import { refusalOf } from "#app/http/refusal.ts";

/**
 * Puts the domain's Context and the viewer, resolved once, in the router context. Afterwards sets
 * the provider's cookies, the bookmark of writes, and the cache rule.
 */
export const identityMiddleware: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  const { env } = context.get(cloudflareContext);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { ctx, bookmark } = await composeContext(
    env,
    isRead ? { bookmark: readBookmark(request) } : {},
  );
  const seen = skipsMemberLookup(url.pathname)
    ? NOBODY
    : await asProviderUnavailable(ctx, () => viewerOf(env, ctx, request, url.pathname));
  context.set(domainContext, ctx);
  context.set(viewerContext, seen.viewer);
  context.set(incompleteMemberContext, seen.unfinished);
  context.set(keyScopesContext, seen.keyScopes);
  context.set(blockedSignInContext, seen.refused);
  context.set(identityUnavailableContext, seen.unavailableProvider);
  const response = await next();
  if (isPublicPage(url.pathname)) return withCacheControl(response, request);
  const written = isRead && !context.get(didWriteContext) ? null : bookmark();
  const cookies = new Headers(seen.headers);
  const forgotten = isRead ? null : clearMemberCookie(request);
  if (forgotten) cookies.append("Set-Cookie", forgotten);
  if (written) cookies.append("Set-Cookie", bookmarkCookie(written));
  return withCacheControl(withCookies(response, cookies), request);
};

type ResolvedIdentity = {
  viewer: Member | null;
  unfinished: Member | null;
  headers: Headers;
  keyScopes: readonly ApiScope[] | null;
  refused: string | null;
  unavailableProvider: string | null;
};

const NOBODY: ResolvedIdentity = {
  viewer: null,
  unfinished: null,
  headers: new Headers(),
  keyScopes: null,
  refused: null,
  unavailableProvider: null,
};

/**
 * Continues without a viewer if the identity provider does not answer. Only pages that need the
 * viewer show the problem.
 */
async function asProviderUnavailable(
  ctx: Context,
  look: () => Promise<ResolvedIdentity>,
): Promise<ResolvedIdentity> {
  try {
    return await asIdentityUnavailable(ctx, look);
  } catch (error) {
    if (!(error instanceof IdentityProviderUnavailable)) throw error;
    return { ...NOBODY, refused: error.message, unavailableProvider: error.message };
  }
}

/**
 * Resolves the viewer. Null for a request without credentials, with invalid ones, or of a suspended
 * account: a public read never fails.
 */
async function viewerOf(
  env: Env,
  ctx: Context,
  request: Request,
  pathname: string,
): Promise<ResolvedIdentity> {
  if (!hasCredentials(env, request)) return NOBODY;
  const token = bearerToken(request);
  if (token !== null && looksLikeApiKey(token))
    return await viewerByKey(env, ctx, { token, pathname });
  const [{ identityProvider }, { personOfVouchedUser }] = await Promise.all([
    import("#app/compose-identity.server.ts"),
    import("./identity.server.ts"),
  ]);
  const provider = await identityProvider(env);
  const { vouched, headers } = await provider.recognise(request);
  if (!vouched) return { ...NOBODY, headers };
  const account = { provider: provider.name, providerUserId: vouched.providerUserId };
  const mayBeCached = token === null && (request.method === "GET" || request.method === "HEAD");
  // A member just read with the session is newer than the cookie's.
  const cachedMember =
    mayBeCached && !vouched.member ? await readMemberCookie(env, request, account) : null;
  if (cachedMember) return { ...NOBODY, viewer: cachedMember, headers };
  try {
    const { person, isRegistered } = await personOfVouchedUser(ctx, provider.name, vouched);
    if (!isRegistered) return { ...NOBODY, unfinished: person, headers };
    if (mayBeCached)
      headers.append("Set-Cookie", await writeMemberCookie(env, request, account, person));
    return { ...NOBODY, viewer: person, headers };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || refusal.kind === "unavailable") throw error;
    return { ...NOBODY, headers, refused: refusal.message };
  }
}

/** Returns who a request is of, for work after its response; null for nobody. Sets no cookie. */
export async function viewerIdOf(env: Env, ctx: Context, request: Request): Promise<string | null> {
  const { viewer } = await viewerOf(env, ctx, request, new URL(request.url).pathname);
  return viewer?.id ?? null;
}

/** Resolves the viewer of an API key, which opens only the API, whatever cookies come with it. */
async function viewerByKey(
  env: Env,
  ctx: Context,
  { token, pathname }: { token: string; pathname: string },
): Promise<ResolvedIdentity> {
  if (!pathname.startsWith("/api/v1/")) return NOBODY;
  const { memberByApiKey } = await import("#app/http/api/api-key.server.ts");
  const found = await memberByApiKey(env, ctx, token);
  return found ? { ...NOBODY, viewer: found.member, keyScopes: found.scopes } : NOBODY;
}

function bearerToken(request: Request): string | null {
  return /^bearer +(\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? null;
}
