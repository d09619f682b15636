import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";

/** The verified emails of a person. */
export async function verifiedEmails(
  db: Database,
  { personId }: { personId: string },
): Promise<string[]> {
  const rows = await db
    .select({ email: authEmails.address })
    .from(authEmails)
    .innerJoin(
      people,
      and(eq(people.providerUserId, authEmails.userId), eq(people.provider, "local")),
    )
    .where(and(eq(people.id, personId), isNotNull(authEmails.verifiedAt)));
  return rows.map((row) => row.email);
}
