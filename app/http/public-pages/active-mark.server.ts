import { redirect } from "react-router";
import { isLinkActive } from "#app/domain/analytics/links/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { LINK_MARK, linkMarkOf } from "#app/lib/link-mark.ts";

/**
 * Returns the mark of the creator's link in a public page's address; null for none. Redirects to
 * the page without a mark that is no active link of the creator, so that no made-up one has a page
 * of its own.
 */
export async function activeMark(
  ctx: Context,
  request: Request,
  { creatorId }: { creatorId: string },
): Promise<string | null> {
  const url = new URL(request.url);
  const slug = linkMarkOf(url.searchParams);
  if (slug === null || (await isLinkActive(ctx, { creatorId, slug }))) return slug;
  url.searchParams.delete(LINK_MARK);
  throw redirect(url.pathname + url.search);
}
