import type { Database } from "#app/db/client.server.ts";
import type { AccountErasure } from "#app/domain/identity/identity-provider/schema/provider.ts";
import { deleteUser } from "#app/integrations/clerk/backend-api.server.ts";
import type { BackendApi } from "#app/integrations/clerk/backend-api.server.ts";
import { sweepStatement } from "#app/integrations/local-identity/registration/abandoned.server.ts";
import { eraseUserStatements } from "#app/integrations/local-identity/account/erasure.server.ts";
import { renameUserWrites } from "#app/integrations/local-identity/account/rename.server.ts";
import { verifiedEmails } from "#app/integrations/local-identity/account/verified-emails.server.ts";

/**
 * Deletes users at every identity provider, whichever one signs people in today. A product that
 * changed provider has people of both.
 */
export function accountErasure(db: Database, clerk: BackendApi | null): AccountErasure {
  return {
    erasureStatements: ({ provider, providerUserId }) =>
      provider === "local" ? eraseUserStatements(db, providerUserId) : [],
    async forget({ provider, providerUserId }) {
      if (provider !== "clerk") return;
      if (!clerk)
        throw new Error("Clerk's keys are not configured, and one of its users is to be deleted");
      await deleteUser(clerk, providerUserId);
    },
    // Clerk verifies every primary email.
    verifiedEmails: async ({ personId, email }) =>
      clerk ? [email] : await verifiedEmails(db, { personId }),
    // With embedded passwords, the sign-in uses the same username.
    renameWrites: (named) => (clerk ? [] : renameUserWrites(db, named)),
    abandonedStatement: (now) => sweepStatement(db, now),
  };
}
