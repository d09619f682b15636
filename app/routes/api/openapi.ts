import { methodNotAllowed } from "#app/http/api/api.server.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { openApiDocument } from "#app/http/api/openapi.ts";
import type { Route } from "./+types/openapi.ts";

const API_VERSION = "1.0.0";

export function loader({ context, request }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  const baseUrl = env.API_BASE_URL ?? new URL("/api/v1", request.url).href;
  return Response.json(openApiDocument({ baseUrl, version: API_VERSION }), {
    headers: { "Cache-Control": "public, max-age=300" },
  });
}

export const action = methodNotAllowed("GET");
