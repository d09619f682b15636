import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { BetterAuthOptions } from "better-auth/minimal";
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { authAccounts, authSessions, authUsers, authVerifications } from "#drizzle/schema/local-identity.ts";

const TABLES = { user: authUsers, session: authSessions, account: authAccounts, verification: authVerifications };

/** better-auth over our tables, with a session and its user in one trip to the database: it would make two of every page. */
export function sessionAdapter(db: Database) {
  const adapterFor = drizzleAdapter(db, { provider: "sqlite", transaction: false, schema: TABLES });
  return (options: BetterAuthOptions) => {
    const adapter = adapterFor(options);
    const findOne: typeof adapter.findOne = async (query) => {
      const [condition] = query.where;
      const isSessionOfToken = query.model === "session" && query.join?.user === true && query.where.length === 1 && condition?.field === "token";
      if (!isSessionOfToken) return adapter.findOne(query);
      const row = await db
        .select({ session: authSessions, user: authUsers })
        .from(authSessions)
        .innerJoin(authUsers, eq(authUsers.id, authSessions.userId))
        .where(eq(authSessions.token, String(condition.value)))
        .get();
      // What better-auth asks for by its type parameter: the session with its user.
      return (row ? { ...row.session, user: row.user } : null) as never;
    };
    return { ...adapter, findOne };
  };
}
