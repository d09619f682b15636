import { eq } from "drizzle-orm";
import type { Database, DbStatement } from "#app/db/client.server.ts";
import { authChallenges } from "#drizzle/schema/local-challenges.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authAccounts, authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { authOutsideAttempts } from "#drizzle/schema/local-outside.ts";
import { authPasskeyChallenges, authPasskeys } from "#drizzle/schema/local-passkeys.ts";
import { authBackupCodes, authSecondFactors } from "#drizzle/schema/local-second-factor.ts";

/** The statements that delete all sign-in data of `userId`. The email can then be registered again. */
export function eraseUserStatements(db: Database, userId: string): DbStatement[] {
  return [
    db.delete(authSessions).where(eq(authSessions.userId, userId)),
    db.delete(authAccounts).where(eq(authAccounts.userId, userId)),
    db.delete(authOutsideAttempts).where(eq(authOutsideAttempts.userId, userId)),
    db.delete(authPasskeys).where(eq(authPasskeys.userId, userId)),
    db.delete(authPasskeyChallenges).where(eq(authPasskeyChallenges.userId, userId)),
    db.delete(authSecondFactors).where(eq(authSecondFactors.userId, userId)),
    db.delete(authBackupCodes).where(eq(authBackupCodes.userId, userId)),
    db.delete(authChallenges).where(eq(authChallenges.userId, userId)),
    db.delete(authEmails).where(eq(authEmails.userId, userId)),
    db.delete(authPhones).where(eq(authPhones.userId, userId)),
    db.delete(authOutsideAttempts).where(eq(authOutsideAttempts.userId, userId)),
    db.delete(authUsers).where(eq(authUsers.id, userId)),
  ];
}
