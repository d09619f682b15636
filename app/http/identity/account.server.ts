import { redirect } from "react-router";
import { identityProvider } from "#app/compose-identity.server.ts";
import { ReauthenticationRequired } from "#app/domain/identity/errors.ts";
import { isRecentAuth } from "#app/domain/identity/sign-in/rules/challenges.ts";
import { decideOwnerProof } from "#app/domain/identity/sign-in/rules/owner-proof.ts";
import type { AccountStatus } from "#app/domain/identity/account/schema.ts";
import type { Later } from "#app/domain/identity/embedded/schema.ts";
import { embedded } from "./embedded.server.ts";
import type { AuthRequest } from "./session.server.ts";

/** Like `AuthRequest`, with a way to defer work until after the response. */
export type DeferrableRequest = AuthRequest & Later;

/**
 * The account status of the current user, and whether they proved to be themselves within ten
 * minutes.
 */
async function accountStatus(asked: AuthRequest): Promise<AccountStatus & { isFresh: boolean }> {
  const found = await embedded(asked).account.accountStatus();
  return { ...found, isFresh: isRecentAuth(found.provedAt, asked.ctx.realNow()) };
}

/**
 * Requires reauthentication before money and identity change (domain rules, "Payouts"). Redirects a
 * user who has not proved to be themselves within ten minutes, and back to `path`. With Clerk they
 * sign in again.
 */
export async function requireReauthentication(asked: AuthRequest, path: string): Promise<void> {
  const way = await reauthenticationPath(asked, path);
  if (way !== null) throw redirect(way);
}

/**
 * Whether a change of the account asks for the password. An account without one confirms by a
 * recent sign-in instead: it is redirected to a code by email, and back to `path`.
 */
export async function asksPassword(asked: AuthRequest, path: string): Promise<boolean> {
  const methods = await embedded(asked).outside.ownWaysIn();
  if (decideOwnerProof(methods) === "password") return true;
  await requireReauthentication(asked, path);
  return false;
}

/**
 * `requireReauthentication` for a long form: the form is shown again as typed, and says where to
 * confirm. `before` is the action, such as "trocar …".
 */
export async function refuseWithoutReauthentication(
  asked: AuthRequest,
  { path, before }: { path: string; before: string },
): Promise<void> {
  const way = await reauthenticationPath(asked, path);
  if (way !== null) throw new ReauthenticationRequired({ before, way });
}

/** The address where the current user reauthenticates and returns to `path`; null if they just did. */
export async function reauthenticationPath(
  asked: AuthRequest,
  path: string,
): Promise<string | null> {
  if (!asked.env.CLERK_SECRET_KEY)
    return (await accountStatus(asked)).isFresh ? null : `/auth/confirm?to=${path}`;
  const provedAt = await (await identityProvider(asked.env)).provedAt?.(asked.request);
  return typeof provedAt === "number" && isRecentAuth(provedAt, asked.ctx.realNow())
    ? null
    : `/auth/again?to=${encodeURIComponent(path)}`;
}

/** The primary email of an embedded sign-in, for `/auth/account`; null with another provider. */
export async function primarySignInEmail(
  asked: AuthRequest,
): Promise<Pick<AccountStatus, "email" | "isEmailVerified"> | null> {
  if (asked.env.CLERK_SECRET_KEY) return null;
  const { email, isEmailVerified } = await accountStatus(asked);
  return { email, isEmailVerified };
}
