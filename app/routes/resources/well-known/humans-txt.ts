import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/humans-txt.ts";

/** Says who makes the product. Source: https://humanstxt.org */
export function loader({ context }: Route.LoaderArgs): Response {
  const { appOrigin, company } = context.get(domainContext).settings;
  const lines = [
    "/* TEAM */",
    `Company: ${company.name}`,
    `Contact: ${company.email}`,
    "",
    "/* SITE */",
    `Address: ${appOrigin}/`,
    "Language: Português do Brasil",
    "Made for: whoever stops at the bandstand to listen",
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=0, s-maxage=3600",
    },
  });
}
