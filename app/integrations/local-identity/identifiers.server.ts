import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import { phoneOfIdentifier } from "#app/domain/identity/contacts/rules/phones.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";
import { authSecondFactors } from "#drizzle/schema/local-second-factor.ts";

/**
 * Where a code for whoever typed an identifier goes: the address or number typed, or a username's
 * primary e-mail.
 */
type CodeDestination = { kind: ContactKind; address: string; isVerified: boolean };

/**
 * Who answers to an identifier: what signing in, a reset and a code need to know of them. `email`
 * is the primary one.
 */
export type IdentifierUser = {
  id: string;
  email: string;
  name: string;
  username: string | null;
  passwordHash: string | null;
  hasSecondFactor: boolean;
  reach: CodeDestination;
};

/** An identifier as it is compared: an e-mail or username in lower case, a phone in E.164. */
export function canonicalIdentifier(identifier: string): string {
  const typed = identifier.trim().toLowerCase();
  return phoneOfIdentifier(typed) ?? typed;
}

/**
 * The user who answers to what was typed: any confirmed e-mail or the one the account began with, a
 * confirmed phone in any format, or the username; null for nobody. One trip to the database
 * whatever was typed and whoever it is.
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

/** The primary e-mail of a user, where letters about the account go; null for nobody. */
export async function primaryEmailOf(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .select({ email: authUsers.email })
    .from(authUsers)
    .where(eq(authUsers.id, userId))
    .get();
  return row?.email ?? null;
}

/** A phone goes before a username of the same digits: new usernames have a letter. */
function holderId(typed: string, phone: string | null): SQL {
  if (typed.includes("@")) {
    return sql`(SELECT user_id FROM auth_emails WHERE email = ${typed} AND (verified_at IS NOT NULL OR is_primary = 1))`;
  }
  const byUsername = sql`(SELECT id FROM auth_users WHERE username = ${typed})`;
  return phone === null
    ? byUsername
    : sql`coalesce((SELECT user_id FROM auth_phones WHERE phone = ${phone} AND verified_at IS NOT NULL), ${byUsername})`;
}
