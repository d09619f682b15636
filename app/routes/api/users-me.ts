import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { apiProfile } from "#app/http/api-views.ts";
import { answered, onlyAllows, unauthorized } from "#app/http/api.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/users-me.ts";

export function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  return answered(ctx, async () => {
    const profile = viewer && (await profileFor(ctx, { key: viewer.id, viewerId: viewer.id }));
    if (!profile) throw unauthorized();
    return apiProfile(ctx, profile, viewer);
  });
}

export const action = onlyAllows("GET");
