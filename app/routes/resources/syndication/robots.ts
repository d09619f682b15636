import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/robots.ts";

/**
 * Paths that robots must not crawl. Pages that they can read but not index say so by `X-Robots-
 * Tag`.
 */
const CLOSED = [
  "/admin",
  "/api/",
  "/checkout",
  "/feed/",
  "/gift/",
  "/messages",
  "/notifications",
  "/pix/",
  "/renewal/",
  "/resources/",
  "/settings",
];

export function loader({ context }: Route.LoaderArgs): Response {
  const { appOrigin } = context.get(domainContext).settings;
  const rules = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${appOrigin}/sitemap.xml`,
    "",
  ];
  return new Response(rules.join("\n"), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=0, s-maxage=3600",
    },
  });
}
