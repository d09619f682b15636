import { internalPath } from "#app/lib/own-path.ts";

/**
 * Where a form without JavaScript returns: the path it names, the page it was on, or `fallback`.
 * Only paths on this site.
 */
export function returnPath(request: Request, to: string | undefined, fallback: string): string {
  if (to) return internalPath(to, fallback);
  const from = URL.parse(request.headers.get("Referer") ?? "");
  if (from?.origin !== new URL(request.url).origin) return fallback;
  return internalPath(from.pathname + from.search, fallback);
}
