import { passkeyStartSchema } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/passkey-options.ts";

/**
 * Returns what the browser needs to create a passkey, after the password is typed. A refusal is
 * JSON, because only our own script calls this.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { registrationOptions } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).passkeys;
  const answer = await handleForm(request, passkeyStartSchema, async (input) =>
    Response.json(await registrationOptions(input)),
  );
  return answer instanceof Response ? answer : Response.json(answer.data, answer.init ?? {});
}
