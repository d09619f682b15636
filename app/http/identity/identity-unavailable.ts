import { loggableFault } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { IdentityProviderUnavailable } from "#app/domain/identity/identity-provider/errors.ts";
import { refusalOf } from "#app/http/refusal.ts";

/**
 * Calls the identity provider, the embedded one or Clerk. A fault is logged and becomes a refusal,
 * so that a form is shown again as typed. Examples are a database or a network that does not
 * answer. Other refusals, redirects and responses pass.
 */
export async function asIdentityUnavailable<Answer>(
  ctx: Pick<Context, "log">,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (refusalOf(error) || !(error instanceof Error)) throw error;
    const { name, message, cause } = loggableFault(error);
    ctx.log("identity.provider_silent", { name, message, cause });
    throw new IdentityProviderUnavailable();
  }
}
