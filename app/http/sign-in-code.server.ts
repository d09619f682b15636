import { embedded } from "#app/http/embedded.server.ts";
import { memberOf } from "#app/http/identity.server.ts";
import type { Asked, Entered } from "#app/http/session.server.ts";

/**
 * Signs in with the code that was sent. Refuses like the embedded identity, and a suspended
 * account.
 */
export async function signInBySentCode(asked: Asked, typed: { code: string }): Promise<Entered> {
  const { user, headers } = await embedded(asked).signInCode.enterBySentCode(typed);
  return { member: await memberOf(asked.ctx, "local", user), headers };
}
