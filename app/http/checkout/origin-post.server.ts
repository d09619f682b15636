import type { Context } from "#app/domain/context.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { ORIGIN_POST_PARAMETER } from "#app/domain/posts/rules.ts";
import { requestCookie } from "#app/lib/cookies.ts";

const NAME = "__Host-coreto-origin-post";
const LIFE_SECONDS = 24 * 60 * 60;
const POST_ID = /^[\w-]{1,64}$/;

/**
 * Remembers the post whose button led to a plan (`?from=`), past sign-up, the provider's page and a
 * code paid later. It names a post and opens nothing.
 */
export function originPostHeaders(url: string): { "Set-Cookie": string } | undefined {
  const postId = new URL(url).searchParams.get(ORIGIN_POST_PARAMETER) ?? "";
  if (!POST_ID.test(postId)) return undefined;
  return {
    "Set-Cookie": `${NAME}=${postId}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${LIFE_SECONDS}`,
  };
}

/**
 * The post that led to what was paid, where it is of this creator and open to the payer now; else
 * null.
 */
export async function originPost(
  ctx: Context,
  {
    request,
    memberId,
    creatorUsername,
  }: { request: Request; memberId: string; creatorUsername: string },
): Promise<{ path: string; title: string } | null> {
  const postId = requestCookie(request, NAME);
  if (postId === null || !POST_ID.test(postId)) return null;
  const post = await postFor(ctx, { postId, viewerId: memberId });
  if (!post?.access.visible || post.author.username !== creatorUsername) return null;
  return { path: `/post/${post.id}`, title: post.title };
}
