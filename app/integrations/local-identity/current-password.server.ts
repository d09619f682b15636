import { verifyPassword } from "better-auth/crypto";
import { and, eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { CurrentPasswordWrong } from "#app/domain/identity/errors.ts";
import { authAccounts } from "#drizzle/schema/local-identity.ts";
import { countTry, forgiveTry, signInAllowances } from "./attempts.server.ts";

/** The row that holds a user's password. */
export const credentialOf = (userId: string) => and(eq(authAccounts.userId, userId), eq(authAccounts.providerId, "credential"));

/** Whoever changes how an account is entered types its password. Wrong ones count as tries to sign in. `now` is the wall clock. */
export async function checkPassword(
  { db, now }: { db: Database; now: number },
  request: Request,
  { userId, currentPassword }: { userId: string; currentPassword: string },
): Promise<void> {
  const counted = await countTry(db, signInAllowances(userId, request), now);
  const credential = await db.select({ hash: authAccounts.password }).from(authAccounts).where(credentialOf(userId)).get();
  if (!credential?.hash || !(await verifyPassword({ hash: credential.hash, password: currentPassword }))) throw new CurrentPasswordWrong();
  await forgiveTry(db, counted);
}
