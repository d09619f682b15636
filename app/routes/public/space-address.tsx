import { redirect } from "react-router";
import { loader as notFound } from "./not-found.tsx";
import { currentUsername } from "#app/domain/profiles/queries/usernames.server.ts";
import { publicSpacePath } from "#app/domain/profiles/rules.ts";
import { linkMarkOf, withLinkMark } from "#app/lib/link-mark.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/space-address.ts";

export { default, meta } from "./not-found.tsx";

/**
 * Leads from `/@username` to that page as the reader sees it, with one redirect. Every other
 * address of one segment is a page that does not exist.
 */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const typed = /^@(.+)$/.exec(params.address)?.[1];
  if (typed === undefined) return await notFound({ request, context });
  const username = (await currentUsername(context.get(domainContext), { key: typed })) ?? typed;
  const viewer = context.get(viewerContext);
  if (!viewer) return redirect(publicSpacePath(username) + url.search);
  if (viewer.username === username) return redirect("/me");
  const page = `/space/${encodeURIComponent(username)}`;
  return redirect(withLinkMark(page, linkMarkOf(url.searchParams)));
}
