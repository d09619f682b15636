import { hashPassword } from "better-auth/crypto";
import type { Database, DbStatement } from "#app/db/client.server.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";
import { emailStatements } from "#app/integrations/local-identity/account/contacts.server.ts";

/**
 * The first sign-in method of an account: a password, an external account, or a code sent to its
 * email.
 */
export type FirstCredential =
  | { kind: "password"; passwordHash: string }
  | { kind: "outside"; providerId: string; accountId: string }
  | { kind: "code" };

export type NewUser = {
  userId: string;
  name: string;
  username: string;
  email: string;
  createdAt: number;
  by: FirstCredential;
  /** False only for imported people: signing up verifies the address. */
  isEmailVerified?: boolean;
};

/** The provider id of a password in `auth_accounts`. */
export const CREDENTIAL = "credential";

/** Hashes with scrypt, as better-auth verifies it. Takes about 40 ms of CPU. */
export const passwordHashOf = (password: string): Promise<string> => hashPassword(password);

/**
 * The statements that create a user who can sign in. User, email and credential are in one batch.
 * better-auth's own sign-up writes them one by one, and a crash between leaves an unusable email.
 */
export function registrationStatements(db: Database, person: NewUser): DbStatement[] {
  const { userId, name, username, email, createdAt, by, isEmailVerified = true } = person;
  const at = new Date(createdAt);
  return [
    db.insert(authUsers).values({
      id: userId,
      name,
      email,
      emailVerified: isEmailVerified,
      username,
      createdAt: at,
      updatedAt: at,
    }),
    ...emailStatements(db, {
      userId,
      email,
      verifiedAt: isEmailVerified ? createdAt : null,
      createdAt,
    }),
    ...(by.kind === "code"
      ? []
      : [
          db.insert(authAccounts).values({
            id: userId,
            userId,
            ...credentialOf(by, userId),
            createdAt: at,
            updatedAt: at,
          }),
        ]),
  ];
}

const credentialOf = (by: Exclude<FirstCredential, { kind: "code" }>, userId: string) =>
  by.kind === "password"
    ? { providerId: CREDENTIAL, accountId: userId, password: by.passwordHash }
    : { providerId: by.providerId, accountId: by.accountId };
