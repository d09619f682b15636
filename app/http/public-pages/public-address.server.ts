import { redirect } from "react-router";
import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { currentUsername } from "#app/domain/profiles/queries/usernames.server.ts";
import { publicSpacePath } from "#app/domain/profiles/rules.ts";
import { originPostHeaders } from "#app/http/checkout/origin-post.server.ts";
import { hasClerkCredentials, isClerkConfigured } from "#app/lib/clerk.ts";
import { visitorPagePath } from "./visitor-pages.ts";
import {
  cloudflareContext,
  domainContext,
  identityUnavailableContext,
  incompleteMemberContext,
  viewerContext,
} from "#app/http/contexts.ts";

const MEMBER_SPACE = /^\/space\/(?!create\/?$)([^/]+)\/?$/;
const MEMBER_POST = /^\/post\/(?!create\/?$|draft\/?$)([^/]+)\/?$/;

/**
 * Redirects a signed-out visitor of home, of `/explore`, of a creator's page or of a public post to
 * its page for everyone. Only for whole documents: within the open product, a session that ended
 * leads to sign-in.
 */
export const visitorsToPublicPage: MiddlewareFunction<Response> = async ({
  request,
  url,
  context,
}) => {
  const isDocument =
    (request.method === "GET" || request.method === "HEAD") &&
    new URL(request.url).pathname === url.pathname;
  if (!isDocument || mayBeSomebody(request, context)) return;
  const path = await publicPathFor(context.get(domainContext), url.pathname);
  if (path === null) return;
  // The public page is the same for everybody: what led to its plans is remembered before it.
  const headers = originPostHeaders(url.href);
  throw redirect(path + (headers ? "" : url.search), headers && { headers });
};

/** Clerk's sign-in page renews a session whose short token expired. */
function mayBeSomebody(request: Request, context: Readonly<RouterContextProvider>): boolean {
  return (
    context.get(viewerContext) !== null ||
    context.get(incompleteMemberContext) !== null ||
    context.get(identityUnavailableContext) !== null ||
    (isClerkConfigured(context.get(cloudflareContext).env) && hasClerkCredentials(request))
  );
}

async function publicPathFor(ctx: Context, pathname: string): Promise<string | null> {
  const visitorPath = visitorPagePath(pathname);
  if (visitorPath !== null) return visitorPath;
  const key = MEMBER_SPACE.exec(pathname)?.[1];
  if (key !== undefined) return spacePathFor(ctx, decodeURIComponent(key));
  const postId = MEMBER_POST.exec(pathname)?.[1];
  return postId === undefined ? null : postPathFor(ctx, decodeURIComponent(postId));
}

/** Of an unknown key too: the public page says so, and suggests similar names. */
async function spacePathFor(ctx: Context, key: string): Promise<string> {
  return publicSpacePath((await currentUsername(ctx, { key })) ?? key);
}

/** Null for a closed post: who may open it signs in. */
async function postPathFor(ctx: Context, postId: string): Promise<string | null> {
  const [row] = await postStatement(ctx, { postId, viewerId: null });
  const post = row ? postFromRow(row, null, ctx.now()) : null;
  return post?.access.visible ? publicPostPath(post.author.username, post.id) : null;
}
