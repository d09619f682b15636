import type { MiddlewareFunction } from "react-router";
import { composeContext } from "#app/compose.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { looksLikeApiKey } from "#app/domain/identity/rules/api-keys.ts";
import type { ApiScope } from "#app/domain/identity/schema/api-keys.ts";
import type { Env } from "#app/env.ts";
import { bookmarkCookie, readBookmark } from "#app/http/bookmark.ts";
import { isSameForEveryone, needsNobody, withCacheRule } from "#app/http/cache.ts";
import { clerkKeysGiven, hasClerkCredentials } from "#app/http/clerk.ts";
import { cloudflareContext, domainContext, keyScopesContext, refusedContext, viewerContext } from "#app/http/contexts.ts";
import { withCookies } from "#app/http/cookies.ts";
import { refusalOf } from "#app/http/refusal.ts";

/**
 * Puts the domain's Context and the person behind the request, resolved once, in the router context; afterwards sets the
 * provider's cookies, the bookmark of what was written, and the cache rule.
 */
export const identityMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const { env } = context.get(cloudflareContext);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { ctx, bookmark } = await composeContext(env, isRead ? { bookmark: readBookmark(request) } : {});
  const { viewer, headers, keyScopes, refused } = needsNobody(url.pathname) ? NOBODY : await viewerOf(env, ctx, request, url.pathname);
  context.set(domainContext, ctx);
  context.set(viewerContext, viewer);
  context.set(keyScopesContext, keyScopes);
  context.set(refusedContext, refused);
  const response = await next();
  if (isSameForEveryone(url.pathname)) return withCacheRule(response, request);
  const written = isRead ? null : bookmark();
  const cookies = new Headers(headers);
  if (written) cookies.append("Set-Cookie", bookmarkCookie(written));
  return withCacheRule(withCookies(response, cookies), request);
};

type Seen = { viewer: Member | null; headers: Headers; keyScopes: readonly ApiScope[] | null; refused: string | null };

const NOBODY: Seen = { viewer: null, headers: new Headers(), keyScopes: null, refused: null };

/** Nobody for a request without credentials, with bad ones, or of a suspended account: a public read never breaks. */
async function viewerOf(env: Env, ctx: Context, request: Request, pathname: string): Promise<Seen> {
  if (!(clerkKeysGiven(env) ? hasClerkCredentials(request) : hasCredentials(request))) return NOBODY;
  const token = bearerToken(request);
  if (token !== null && looksLikeApiKey(token)) return await viewerByKey(env, ctx, { token, pathname });
  const { identityProvider, memberVouched } = await import("#app/http/identity.server.ts");
  const provider = await identityProvider(env);
  const { vouched, headers } = await provider.recognise(request);
  if (!vouched) return { ...NOBODY, headers };
  try {
    return { ...NOBODY, viewer: await memberVouched(ctx, provider.name, vouched), headers };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ...NOBODY, refused: refusal.message };
  }
}

/** A key opens the API and nothing else, whatever cookies come with it. */
async function viewerByKey(env: Env, ctx: Context, { token, pathname }: { token: string; pathname: string }): Promise<Seen> {
  if (!pathname.startsWith("/api/v1/")) return NOBODY;
  const { memberByApiKey } = await import("#app/http/api-key.server.ts");
  const found = await memberByApiKey(env, ctx, token);
  return found ? { ...NOBODY, viewer: found.member, keyScopes: found.scopes } : NOBODY;
}

function bearerToken(request: Request): string | null {
  return /^bearer +(\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? null;
}

function hasCredentials(request: Request): boolean {
  return request.headers.has("Authorization") || (request.headers.get("Cookie") ?? "").includes("__Host-coreto-session=");
}
