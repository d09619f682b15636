import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { apiProfile } from "#app/http/api/api-views.ts";
import {
  apiResponse,
  methodNotAllowed,
  requiredApiViewer,
  unauthorized,
} from "#app/http/api/api.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/users-me.ts";

export function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async () => {
    const viewer = requiredApiViewer(context, "profile:read");
    const profile = await profileFor(ctx, { key: viewer.id, viewerId: viewer.id });
    if (!profile) throw unauthorized();
    return apiProfile(ctx, profile, viewer);
  });
}

export const action = methodNotAllowed("GET");
