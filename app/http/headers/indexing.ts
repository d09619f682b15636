import { isPublicPage } from "./cache.ts";

/**
 * Besides public pages: the sign-in pages, which a visitor gets for `/`, the pictures of public
 * pages, and the addresses that lead to them.
 */
const INDEXED_PATHS = [
  /^\/auth\/(login|register)\/?$/,
  /^\/media\//,
  /^\/@[^/]+\/?$/,
  /^\/ajuda\/?$/,
];

/**
 * Whether search engines may index `pathname`. Every other page is for members, or redirects to
 * one.
 */
export function isIndexable(pathname: string): boolean {
  return isPublicPage(pathname) || INDEXED_PATHS.some((pattern) => pattern.test(pathname));
}

/** Adds a noindex header to `response` if its path may not be indexed. */
export function withRobotsHeader(response: Response, pathname: string): Response {
  if (isIndexable(pathname) || response.headers.has("X-Robots-Tag")) return response;
  const answer = new Response(response.body, response);
  answer.headers.set("X-Robots-Tag", "noindex");
  return answer;
}
