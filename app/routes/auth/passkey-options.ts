import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/passkey-options.ts";

/** Returns what the browser needs before it can ask for a passkey. */
export async function action({ request, context }: Route.ActionArgs) {
  const { authenticationOptions } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).passkeys;
  return Response.json(await authenticationOptions());
}
