import { AsyncLocalStorage } from "node:async_hooks";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { BetterAuthOptions } from "better-auth/minimal";
import { eq, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { memberStatement } from "#app/domain/identity/queries.server.ts";
import type { MemberRow } from "#app/domain/identity/schema.ts";
import {
  authAccounts,
  authSessions,
  authUsers,
  authVerifications,
} from "#drizzle/schema/local-identity.ts";

const TABLES = {
  user: authUsers,
  session: authSessions,
  account: authAccounts,
  verification: authVerifications,
};

/**
 * Passes the member of a session to the caller while better-auth, which does not know members,
 * reads the session.
 */
export const sessionCompanion = new AsyncLocalStorage<{ member?: MemberRow | undefined }>();

/**
 * Adapts better-auth to our tables. Reads a session, its user and the person in one database
 * request; better-auth would need two, and we a third.
 */
export function sessionAdapter(db: Database) {
  const adapterFor = drizzleAdapter(db, { provider: "sqlite", transaction: false, schema: TABLES });
  return (options: BetterAuthOptions) => {
    const adapter = adapterFor(options);
    const findOne: typeof adapter.findOne = async (query) => {
      const [condition] = query.where;
      const isSessionOfToken =
        query.model === "session" &&
        query.join?.user === true &&
        query.where.length === 1 &&
        condition?.field === "token";
      if (!isSessionOfToken) return adapter.findOne(query);
      const token = String(condition.value);
      const [[row], [member]] = await db.batch([
        db
          .select({ session: authSessions, user: authUsers })
          .from(authSessions)
          .innerJoin(authUsers, eq(authUsers.id, authSessions.userId))
          .where(eq(authSessions.token, token)),
        memberStatement(
          { db },
          {
            provider: "local",
            providerUserId: sql`(SELECT ${authSessions.userId} FROM ${authSessions} WHERE ${authSessions.token} = ${token})`,
          },
        ),
      ]);
      const companion = sessionCompanion.getStore();
      if (companion) companion.member = member;
      // The type parameter of better-auth: the session with its user.
      return (row ? { ...row.session, user: row.user } : null) as never;
    };
    return { ...adapter, findOne };
  };
}
