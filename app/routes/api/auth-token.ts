import { tokenBodySchema } from "#app/http/api/api-schema.ts";
import { apiResponse, parseApiBody, methodNotAllowed } from "#app/http/api/api.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { issueToken } from "#app/http/identity/session.server.ts";
import type { Route } from "./+types/auth-token.ts";

export function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async () => {
    const input = await parseApiBody(request, tokenBodySchema);
    const asked = { env: context.get(cloudflareContext).env, ctx, request };
    const { token, expiresAt } = await asIdentityUnavailable(ctx, () => issueToken(asked, input));
    return { token, tokenType: "Bearer", expiresAt: new Date(expiresAt).toISOString() };
  });
}

export const loader = methodNotAllowed("POST");
