import { hashPassword } from "better-auth/crypto";
import type { Database, Statement } from "#app/db/client.server.ts";
import { authAccounts, authUsers } from "#drizzle/schema/local-identity.ts";

export type Registration = {
  userId: string;
  name: string;
  username: string;
  email: string;
  passwordHash: string;
  createdAt: number;
  /** Only for people whose address needs no proof: the seed's. */
  isEmailVerified?: boolean;
};

/** scrypt, as better-auth verifies it. Takes about 40 ms of CPU. */
export const passwordHashOf = (password: string): Promise<string> => hashPassword(password);

/**
 * The statements that make somebody who can sign in: user and credential go in one batch, where better-auth's own sign-up writes
 * one after the other and a crash between leaves an e-mail that nobody can use.
 */
export function registrationStatements(db: Database, person: Registration): Statement[] {
  const at = new Date(person.createdAt);
  return [
    db.insert(authUsers).values({
      id: person.userId,
      name: person.name,
      email: person.email,
      emailVerified: person.isEmailVerified ?? false,
      username: person.username,
      createdAt: at,
      updatedAt: at,
    }),
    db.insert(authAccounts).values({
      id: person.userId,
      accountId: person.userId,
      providerId: "credential",
      userId: person.userId,
      password: person.passwordHash,
      createdAt: at,
      updatedAt: at,
    }),
  ];
}
