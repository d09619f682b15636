import { isPublicPage } from "./cache.ts";

/**
 * Beside the pages for everyone: the way in, which is what a visitor gets for `/`, and the pictures
 * that those pages show.
 */
const KNOWN = [/^\/auth\/(login|register)\/?$/, /^\/media\//];

/**
 * Whether a search engine may keep what is at `pathname`. Everything else is a member's, or leads
 * to one's.
 */
export function isIndexable(pathname: string): boolean {
  return isPublicPage(pathname) || KNOWN.some((known) => known.test(pathname));
}

/** `response`, saying so where no search engine may keep it. */
export function withRobotsHeader(response: Response, pathname: string): Response {
  if (isIndexable(pathname) || response.headers.has("X-Robots-Tag")) return response;
  const answer = new Response(response.body, response);
  answer.headers.set("X-Robots-Tag", "noindex");
  return answer;
}
