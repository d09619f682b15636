import { registerBodySchema } from "#app/http/api-schema.ts";
import {
  answered,
  jsonBody,
  onlyAllows,
  refuseSilence,
  unauthorized,
} from "#app/http/api.server.ts";
import { domainContext, unfinishedContext, viewerContext } from "#app/http/contexts.ts";
import { finishProfile } from "#app/http/finish-profile.server.ts";
import type { Route } from "./+types/register.ts";

/**
 * Finishes the registration of the token's person. Without a token nobody registers here: an
 * account begins with the proof of an e-mail.
 */
export function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return answered(ctx, async () => {
    refuseSilence(context);
    const person = context.get(unfinishedContext) ?? context.get(viewerContext);
    if (!person) throw unauthorized();
    await finishProfile(
      { ctx },
      { personId: person.id, details: await jsonBody(request, registerBodySchema) },
    );
    return { isRegistered: true };
  });
}

export const loader = onlyAllows("POST");
