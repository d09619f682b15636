import { registerBodySchema } from "#app/http/api/api-schema.ts";
import {
  apiResponse,
  parseApiBody,
  methodNotAllowed,
  refuseApiKey,
  refuseIdentityUnavailable,
  unauthorized,
} from "#app/http/api/api.server.ts";
import { domainContext, incompleteMemberContext, viewerContext } from "#app/http/contexts.ts";
import { completeProfile } from "#app/http/identity/finish-profile.server.ts";
import type { Route } from "./+types/register.ts";

/**
 * Finishes the registration of the token's person. Without a token it refuses, because an account
 * starts with a proven email.
 */
export function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async () => {
    refuseIdentityUnavailable(context);
    // Whether the body repeats the registration tells the birth date, which no scope grants.
    refuseApiKey(context);
    const person = context.get(incompleteMemberContext) ?? context.get(viewerContext);
    if (!person) throw unauthorized();
    await completeProfile(
      { ctx },
      { personId: person.id, details: await parseApiBody(request, registerBodySchema) },
    );
    return { isRegistered: true };
  });
}

export const loader = methodNotAllowed("POST");
