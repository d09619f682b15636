import { signUpAndVerify } from "#app/http/account.server.ts";
import { registerBodySchema } from "#app/http/api-schema.ts";
import { answered, jsonBody, onlyAllows } from "#app/http/api.server.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/register.ts";

/** With a token there is nothing left to do: its person was made on first sight. */
export function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  if (context.get(viewerContext)) return Response.json({ isRegistered: true });
  const register = async () => {
    const input = await jsonBody(request, registerBodySchema);
    const { env, ctx: execution } = context.get(cloudflareContext);
    await signUpAndVerify({ env, ctx, request, waitUntil: (work) => execution.waitUntil(work) }, input, { by: "program" });
    return { isRegistered: true };
  };
  return answered(ctx, register, 201);
}

export const loader = onlyAllows("POST");
