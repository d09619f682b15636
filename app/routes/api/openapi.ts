import { methodNotAllowed } from "#app/http/api/api.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { openApiDocument } from "#app/http/api/openapi.ts";
import type { Route } from "./+types/openapi.ts";

const API_VERSION = "1.0.0";

export function loader({ context, request }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  const baseUrl = env.API_BASE_URL ?? new URL("/api/v1", request.url).href;
  const { settings } = context.get(domainContext);
  const hasEvents = !isHiddenPath("/events", settings);
  return Response.json(openApiDocument({ baseUrl, version: API_VERSION, hasEvents }), {
    headers: { "Cache-Control": "public, max-age=300" },
  });
}

export const action = methodNotAllowed("GET");
