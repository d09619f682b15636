import { verifyPassword } from "better-auth/crypto";
import { and, eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { CurrentPasswordWrong } from "#app/domain/identity/errors.ts";
import { NoPasswordYet } from "#app/domain/identity/external-accounts/errors.ts";
import { authAccounts } from "#drizzle/schema/local-identity.ts";
import { countAttempt, uncountAttempt, confirmLimits } from "./rate-limits.server.ts";

/** A hash that takes the same time to check, for accounts that do not exist or have no password. */
const NOBODYS_HASH = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** The row that holds a user's password. */
export const credentialOf = (userId: string) =>
  and(eq(authAccounts.userId, userId), eq(authAccounts.providerId, "credential"));

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
  const credential = await db
    .select({ hash: authAccounts.password })
    .from(authAccounts)
    .where(credentialOf(userId))
    .get();
  if (!credential?.hash) throw new NoPasswordYet();
  if (!(await isPassword(credential.hash, currentPassword))) throw new CurrentPasswordWrong();
  await uncountAttempt(db, counted);
}

/** Whether `password` matches `hash`. Takes the same time without a hash. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  return (await verifyPassword({ hash: hash ?? NOBODYS_HASH, password })) && hash !== null;
}
