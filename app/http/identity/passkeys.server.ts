import type { PasskeyAnswer } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { embedded } from "./embedded.server.ts";
import { memberOfProviderUser } from "./identity.server.ts";
import type { AuthRequest, SignedInMember } from "./session.server.ts";

/** "Entrar com chave de acesso". Refuses an answer of an unknown passkey, and a suspended account. */
export async function signInWithPasskey(
  asked: AuthRequest,
  answer: { response: PasskeyAnswer },
): Promise<SignedInMember> {
  const { user, headers } = await embedded(asked).passkeys.enterWithPasskey(answer);
  return { member: await memberOfProviderUser(asked.ctx, "local", user), headers };
}
