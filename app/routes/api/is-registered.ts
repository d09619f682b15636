import { apiResponse, methodNotAllowed, refuseIdentityUnavailable } from "#app/http/api.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/is-registered.ts";

/** About the person of the token only: nobody learns who else has an account. */
export function loader({ context }: Route.LoaderArgs) {
  return apiResponse(context.get(domainContext), async () => {
    refuseIdentityUnavailable(context);
    return { isRegistered: context.get(viewerContext) !== null };
  });
}

export const action = methodNotAllowed("GET");
