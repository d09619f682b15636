import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import { phoneOfIdentifier } from "#app/domain/identity/contacts/rules/phones.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";
import { authSecondFactors } from "#drizzle/schema/local-second-factor.ts";

/**
 * The destination of a code for a typed identifier: the typed address or number, or a username's
 * primary email.
 */
type CodeDestination = { kind: ContactKind; address: string; isVerified: boolean };

/** The user of an identifier, as sign-in, reset and codes need them. `email` is the primary one. */
export type IdentifierUser = {
  id: string;
  email: string;
  name: string;
  username: string | null;
  passwordHash: string | null;
  hasSecondFactor: boolean;
  reach: CodeDestination;
};

/** Normalises an identifier for comparison: an email or username in lower case, a phone in E.164. */
export function canonicalIdentifier(identifier: string): string {
  const typed = identifier.trim().toLowerCase();
  return phoneOfIdentifier(typed) ?? typed;
}

/**
 * Finds the user of an identifier: a confirmed email or the account's first one, a confirmed phone
 * in any format, or the username. Null if there is none. One database request in every case.
 */
export async function userByIdentifier(
  db: Database,
  identifier: string,
): Promise<IdentifierUser | null> {
  const typed = identifier.trim().toLowerCase();
  const phone = phoneOfIdentifier(typed);
  const [row] = await db
    .select({
      id: authUsers.id,
      email: authUsers.email,
      isEmailVerified: authUsers.emailVerified,
      name: authUsers.name,
      username: authUsers.username,
      passwordHash: authAccounts.password,
      secondFactorSince: authSecondFactors.confirmedAt,
      isTypedVerified:
        sql<number>`(EXISTS (SELECT 1 FROM auth_emails WHERE email = ${typed} AND verified_at IS NOT NULL AND user_id = auth_users.id)
        OR EXISTS (SELECT 1 FROM auth_phones WHERE phone = ${phone} AND verified_at IS NOT NULL AND user_id = auth_users.id))`.as(
          "is_typed_verified",
        ),
    })
    .from(authUsers)
    .leftJoin(
      authAccounts,
      and(eq(authAccounts.userId, authUsers.id), eq(authAccounts.providerId, "credential")),
    )
    .leftJoin(
      authSecondFactors,
      and(eq(authSecondFactors.userId, authUsers.id), isNotNull(authSecondFactors.confirmedAt)),
    )
    .where(eq(authUsers.id, holderId(typed, phone)));
  if (!row) return null;
  const { secondFactorSince, isTypedVerified, isEmailVerified, ...holder } = row;
  const isVerified = isTypedVerified === 1;
  const byEmail: CodeDestination = typed.includes("@")
    ? { kind: "email", address: typed, isVerified }
    : { kind: "email", address: holder.email, isVerified: isEmailVerified };
  const reach: CodeDestination =
    phone !== null && isVerified ? { kind: "phone", address: phone, isVerified } : byEmail;
  return { ...holder, hasSecondFactor: secondFactorSince !== null, reach };
}

/** The primary email of a user, for emails about the account; null if the user does not exist. */
export async function primaryEmailOf(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .select({ email: authUsers.email })
    .from(authUsers)
    .where(eq(authUsers.id, userId))
    .get();
  return row?.email ?? null;
}

/** A phone takes precedence over a username of the same digits: new usernames contain a letter. */
function holderId(typed: string, phone: string | null): SQL {
  if (typed.includes("@")) {
    return sql`(SELECT user_id FROM auth_emails WHERE email = ${typed} AND (verified_at IS NOT NULL OR is_primary = 1))`;
  }
  const byUsername = sql`(SELECT id FROM auth_users WHERE username = ${typed})`;
  return phone === null
    ? byUsername
    : sql`coalesce((SELECT user_id FROM auth_phones WHERE phone = ${phone} AND verified_at IS NOT NULL), ${byUsername})`;
}
