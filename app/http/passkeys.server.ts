import type { PasskeyAnswer } from "#app/domain/identity/schema/passkeys.ts";
import { embedded } from "#app/http/embedded.server.ts";
import { memberOf } from "#app/http/identity.server.ts";
import type { Asked, Entered } from "#app/http/session.server.ts";

/**
 * "Entrar com chave de acesso". Refuses an answer that is not a passkey of ours, and a suspended
 * account.
 */
export async function signInWithPasskey(
  asked: Asked,
  answer: { response: PasskeyAnswer },
): Promise<Entered> {
  const { user, headers } = await embedded(asked).passkeys.enterWithPasskey(answer);
  return { member: await memberOf(asked.ctx, "local", user), headers };
}
