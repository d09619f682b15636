import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";

type Reader = { postId: string; personId: string };

const OPENING = "newsletter-opening";
const CLICK = "newsletter-click";

/** Builds the address of the image that counts an opening of a post's email. */
export async function openAddress(ctx: Context, { postId, personId }: Reader): Promise<string> {
  const signature = await ctx.signer.sign(OPENING, `${postId}:${personId}`);
  return `${ctx.settings.appOrigin}/mail/opening/${postId}/${personId}/${signature}`;
}

/** Returns whether the product wrote the address of an opening. */
export const isOpenAddress = async (
  ctx: Context,
  { postId, personId, signature }: Reader & { signature: string },
): Promise<boolean> => await ctx.signer.isGenuine(OPENING, `${postId}:${personId}`, signature);

/** Builds the address that counts a click in a post's email and leads to `to`, a URL. */
export async function clickAddress(
  ctx: Context,
  { postId, personId, to }: Reader & { to: string },
): Promise<string> {
  const signature = await ctx.signer.sign(CLICK, `${postId}:${personId}:${to}`);
  const query = new URLSearchParams({ to }).toString();
  return `${ctx.settings.appOrigin}/mail/click/${postId}/${personId}/${signature}?${query}`;
}

/**
 * Returns where a click in a post's email leads; null for an address that the product did not
 * write. A link to another site is followed only while the post is up, so that a page which is
 * taken down lends our address to nobody: then it leads to the post's own page.
 */
export async function clickTarget(
  ctx: Context,
  { postId, personId, to, signature }: Reader & { to: string; signature: string },
): Promise<string | null> {
  if (!(await ctx.signer.isGenuine(CLICK, `${postId}:${personId}:${to}`, signature))) return null;
  const { appOrigin } = ctx.settings;
  if (to.startsWith(`${appOrigin}/`)) return to;
  const [post] = await ctx.db.all<{ isUp: number }>(
    sql`SELECT (state = 'published' AND held_at IS NULL AND deleted_at IS NULL) AS "isUp" FROM posts WHERE id = ${postId}`,
  );
  return post?.isUp === 1 ? to : `${appOrigin}/post/${postId}`;
}
