import type { Database } from "#app/db/client.server.ts";
import type { AccountErasure } from "#app/domain/identity/identity-provider/schema/provider.ts";
import { deleteUser } from "#app/integrations/clerk/backend-api.server.ts";
import type { BackendApi } from "#app/integrations/clerk/backend-api.server.ts";
import { sweepStatement } from "#app/integrations/local-identity/abandoned.server.ts";
import { eraseUserStatements } from "#app/integrations/local-identity/erasure.server.ts";
import { renameUserWrites } from "#app/integrations/local-identity/rename.server.ts";
import { verifiedEmails } from "#app/integrations/local-identity/verified-emails.server.ts";

/**
 * Forgets users where they are kept, whichever provider signs people in today: a product that
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
    // Clerk gives an account no primary e-mail that it has not verified.
    verifiedEmails: async ({ personId, email }) =>
      clerk ? [email] : await verifiedEmails(db, { personId }),
    // Where we keep passwords ourselves, one signs in by the same username.
    renameWrites: (named) => (clerk ? [] : renameUserWrites(db, named)),
    abandonedStatement: (now) => sweepStatement(db, now),
  };
}
