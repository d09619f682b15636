import { verifyPassword } from "better-auth/crypto";
import { and, eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { CurrentPasswordWrong, ReauthenticationRequired } from "#app/domain/identity/errors.ts";
import { NoPasswordYet } from "#app/domain/identity/external-accounts/errors.ts";
import { isRecentAuth } from "#app/domain/identity/sign-in/rules/challenges.ts";
import { decideOwnerProof } from "#app/domain/identity/sign-in/rules/owner-proof.ts";
import { authAccounts } from "#drizzle/schema/local-identity.ts";
import {
  countAttempt,
  uncountAttempt,
  confirmLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";

/** A hash that takes the same time to check, for accounts that do not exist or have no password. */
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** The row that holds a user's password. */
export const credentialOf = (userId: string) =>
  and(eq(authAccounts.userId, userId), eq(authAccounts.providerId, "credential"));

export type TypedProof = { currentPassword?: string | undefined };

/**
 * Checks that a change of sign-in methods is made by the owner, as `decideOwnerProof` says: by the
 * typed password, or by a recent sign-in of an account without one. `now` is the wall clock.
 */
export async function confirmOwner(
  at: { db: Database; now: number },
  request: Request,
  {
    owner: { id: userId, provedAt },
    currentPassword = "",
  }: TypedProof & { owner: { id: string; provedAt: number } },
): Promise<void> {
  const hasPassword = (await passwordHashOf(at.db, userId)) !== null;
  if (decideOwnerProof({ hasPassword }) === "password")
    return await checkPassword(at, request, { userId, currentPassword });
  if (!isRecentAuth(provedAt, at.now))
    throw new ReauthenticationRequired({ before: "mudar a sua conta", way: "/auth/confirm" });
}

/**
 * Checks the current password before sign-in methods change. Wrong attempts count separately from
 * sign-ins, so that nobody without a session can exhaust them. `now` is the wall clock.
 */
export async function checkPassword(
  { db, now }: { db: Database; now: number },
  request: Request,
  { userId, currentPassword }: { userId: string; currentPassword: string },
): Promise<void> {
  const counted = await countAttempt(db, confirmLimits(userId, request), now);
  const hash = await passwordHashOf(db, userId);
  if (hash === null) throw new NoPasswordYet();
  if (!(await isPassword(hash, currentPassword))) throw new CurrentPasswordWrong();
  await uncountAttempt(db, counted);
}

async function passwordHashOf(db: Database, userId: string): Promise<string | null> {
  const credential = await db
    .select({ hash: authAccounts.password })
    .from(authAccounts)
    .where(credentialOf(userId))
    .get();
  return credential?.hash ?? null;
}

/** Whether `password` matches `hash`. Takes the same time without a hash. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  return (await verifyPassword({ hash: hash ?? NOBODYS_HASH, password })) && hash !== null;
}
