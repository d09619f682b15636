import type { SignInMethods } from "#app/domain/identity/external-accounts/schema.ts";

/** What proves that a change of an account is made by its owner. */
type OwnerProof = "password" | "recent_sign_in";

/**
 * Decides what a change of the account asks for: the password, where there is one. Without one it
 * asks for a sign-in within ten minutes, which a code by email renews.
 */
export const decideOwnerProof = ({ hasPassword }: Pick<SignInMethods, "hasPassword">): OwnerProof =>
  hasPassword ? "password" : "recent_sign_in";
