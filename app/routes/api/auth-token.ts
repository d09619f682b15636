import { tokenBodySchema } from "#app/http/api-schema.ts";
import { answered, jsonBody, onlyAllows } from "#app/http/api.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { issueToken } from "#app/http/session.server.ts";
import type { Route } from "./+types/auth-token.ts";

export function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return answered(ctx, async () => {
    const input = await jsonBody(request, tokenBodySchema);
    const { token, expiresAt } = await issueToken({ env: context.get(cloudflareContext).env, ctx, request }, input);
    return { token, tokenType: "Bearer", expiresAt: new Date(expiresAt).toISOString() };
  });
}

export const loader = onlyAllows("POST");
