import { redirect } from "react-router";
import { usernameSince } from "#app/domain/profiles/queries/usernames.server.ts";
import { isFeedFile } from "#app/domain/syndication/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import {
  textDocumentResponse,
  feedContentType,
  publicFeedDocument,
} from "#app/http/public-pages/feeds.server.ts";
import type { Route } from "./+types/public-feed.ts";

const FEED_PAGE = "public, max-age=0, s-maxage=300, stale-while-revalidate=600";

/**
 * Returns a page as RSS, Atom or JSON Feed, the same for everyone. Redirects a username that was
 * left less than a year ago to the present one.
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const { username } = params;
  const file = url.pathname.split("/").at(-1) ?? "";
  if (!isFeedFile(file)) return nothingToFollow();
  const document = await publicFeedDocument(ctx, { username, file });
  if (!document) {
    const today = await usernameSince(ctx, { username });
    return today === null ? nothingToFollow() : redirect(`/space/${today}/${file}`, 301);
  }
  if (document.username !== username) return redirect(`/space/${document.username}/${file}`, 301);
  return textDocumentResponse(document.text, feedContentType(file), {
    "Cache-Control": FEED_PAGE,
    "Access-Control-Allow-Origin": "*",
  });
}

function nothingToFollow(): Response {
  return new Response("Não encontramos esta página.", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
