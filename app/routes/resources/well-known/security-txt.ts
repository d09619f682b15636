import { DAY_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/security-txt.ts";

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/** Says where to report a security problem. Source: RFC 9116. */
export function loader({ context }: Route.LoaderArgs): Response {
  const ctx = context.get(domainContext);
  const { appOrigin, company } = ctx.settings;
  const lines = [
    `Contact: mailto:${company.email}`,
    `Expires: ${new Date(ctx.now() + VALID_MS).toISOString()}`,
    "Preferred-Languages: pt, en",
    `Canonical: ${appOrigin}/.well-known/security.txt`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=0, s-maxage=3600",
    },
  });
}
