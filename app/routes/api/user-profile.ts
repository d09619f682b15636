import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { apiProfile } from "#app/http/api/api-views.ts";
import {
  apiResponse,
  apiViewer,
  methodNotAllowed,
  userNotFound,
} from "#app/http/api/api.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/user-profile.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewer = apiViewer(context, "people:read");
  return apiResponse(ctx, async () => {
    const profile = await profileFor(ctx, { key: params.username, viewerId: viewer?.id ?? null });
    if (profile?.username !== params.username.toLowerCase()) throw userNotFound();
    return apiProfile(ctx, profile, apiViewer(context, "profile:read"));
  });
}

export const action = methodNotAllowed("GET");
