import {
  apiResponse,
  methodNotAllowed,
  refuseIdentityUnavailable,
} from "#app/http/api/api.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/is-registered.ts";

/** Returns whether the token's own person is registered. Reveals nobody else's account. */
export function loader({ context }: Route.LoaderArgs) {
  return apiResponse(context.get(domainContext), async () => {
    refuseIdentityUnavailable(context);
    return { isRegistered: context.get(viewerContext) !== null };
  });
}

export const action = methodNotAllowed("GET");
