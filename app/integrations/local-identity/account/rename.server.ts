import { and, eq, sql } from "drizzle-orm";
import type { Database, BatchWrite } from "#app/db/client.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";

type Change = {
  personId: string;
  at: Instant;
  username?: string;
  name?: string;
  firstName?: string;
  lastName?: string;
};

/**
 * The writes that rename the local user of a person, for the batch of the profile's change. None
 * for a person of another provider.
 */
export function renameUserWrites(db: Database, { personId, at, ...change }: Change): BatchWrite[] {
  const userId = sql`(SELECT ${people.providerUserId} FROM ${people} WHERE ${people.id} = ${personId} AND ${people.provider} = 'local')`;
  return [
    db
      .update(authUsers)
      .set({ ...change, updatedAt: new Date(at) })
      .where(eq(authUsers.id, userId)),
  ];
}

/** The names of a person's local user; the parts are null until they were given separately. */
export async function accountNames(
  db: Database,
  { personId }: { personId: string },
): Promise<{ name: string; firstName: string | null; lastName: string | null } | null> {
  const row = await db
    .select({ name: authUsers.name, firstName: authUsers.firstName, lastName: authUsers.lastName })
    .from(authUsers)
    .innerJoin(people, and(eq(people.providerUserId, authUsers.id), eq(people.provider, "local")))
    .where(eq(people.id, personId))
    .get();
  return row ?? null;
}
