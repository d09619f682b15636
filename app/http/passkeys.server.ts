import type { PasskeyAnswer } from "#app/domain/identity/schema/passkeys.ts";
import { embedded } from "#app/http/embedded.server.ts";
import { memberOfProviderUser } from "#app/http/identity.server.ts";
import type { AuthRequest, SignedInMember } from "#app/http/session.server.ts";

/**
 * "Entrar com chave de acesso". Refuses an answer that is not a passkey of ours, and a suspended
 * account.
 */
export async function signInWithPasskey(
  asked: AuthRequest,
  answer: { response: PasskeyAnswer },
): Promise<SignedInMember> {
  const { user, headers } = await embedded(asked).passkeys.enterWithPasskey(answer);
  return { member: await memberOfProviderUser(asked.ctx, "local", user), headers };
}
