import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { passkeys } from "#app/http/passkeys.server.ts";
import type { Route } from "./+types/passkey-options.ts";

/** What the browser needs before it can ask for a passkey. */
export async function action({ context }: Route.ActionArgs) {
  const { authenticationOptions, factors, site } = await passkeys({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
  });
  return Response.json(await authenticationOptions(factors, site));
}
