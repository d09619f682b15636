import { embedded } from "./embedded.server.ts";
import { memberOfProviderUser } from "./identity.server.ts";
import type { AuthRequest, SignedInMember } from "./session.server.ts";

/** Signs in with a sent code. Refuses like the embedded identity, and a suspended account. */
export async function signInByCode(
  asked: AuthRequest,
  typed: { code: string },
): Promise<SignedInMember> {
  const { user, headers } = await embedded(asked).signInCode.enterBySentCode(typed);
  return { member: await memberOfProviderUser(asked.ctx, "local", user), headers };
}
