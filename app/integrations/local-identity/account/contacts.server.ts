import { and, desc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Database, DbStatement, BatchWrite } from "#app/db/client.server.ts";
import { ContactAlreadyYours, ContactLimitReached } from "#app/domain/identity/contacts/errors.ts";
import { CONTACTS_MAX } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { Contact, ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { Instant } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { authChallenges } from "#drizzle/schema/local-challenges.ts";
import { authEmails, authPhones } from "#drizzle/schema/local-contacts.ts";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { consumeChallenge } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import type {
  Challenge,
  ChallengePurpose,
  ChallengeStore,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";

/** Emails and phones work alike, in separate tables. */
const TABLES = { email: authEmails, phone: authPhones } as const;
const PURPOSES: Record<ContactKind, ChallengePurpose> = {
  email: "email-verification",
  phone: "phone-verification",
};

/**
 * The purpose of a code that verifies a contact. Its subject is the contact's id, so that each has
 * one valid code.
 */
export const contactChallengePurpose = (kind: ContactKind): ChallengePurpose => PURPOSES[kind];

type FirstEmail = { userId: string; email: string; verifiedAt: Instant | null; createdAt: Instant };

/**
 * The statements that add a new user's first email, which is primary. Same batch as the user's own
 * row, which has the same address.
 */
export function emailStatements(
  db: Database,
  { userId, email, verifiedAt, createdAt }: FirstEmail,
): DbStatement[] {
  return [
    db
      .insert(authEmails)
      .values({ id: userId, userId, address: email, isPrimary: true, verifiedAt, createdAt }),
  ];
}

type Owned = { userId: string; contactId: string };

/** Every email or phone of a user, the primary first. */
export async function contactsOf(
  db: Database,
  kind: ContactKind,
  userId: string,
): Promise<Contact[]> {
  const table = TABLES[kind];
  const rows = await db
    .select()
    .from(table)
    .where(eq(table.userId, userId))
    .orderBy(desc(table.isPrimary), table.createdAt, table.id)
    .limit(CONTACTS_MAX[kind]);
  return rows.map(({ id, address, isPrimary, verifiedAt }) => ({
    id,
    address,
    isPrimary,
    isVerified: verifiedAt !== null,
  }));
}

/**
 * Adds an address or number as typed; it reserves nothing until a code verifies it. Returns an
 * existing unverified one again. Refuses a verified one of the same user, and more than
 * CONTACTS_MAX, for concurrent requests too.
 */
export async function addContact(
  { db, now }: Pick<ChallengeStore, "db" | "now">,
  kind: ContactKind,
  { userId, address }: { userId: string; address: string },
): Promise<string> {
  const table = TABLES[kind];
  const contact = (await contactsOf(db, kind, userId)).find((own) => own.address === address);
  if (contact?.isVerified) throw new ContactAlreadyYours(kind);
  if (contact) return contact.id;
  const id = timeOrderedId(now);
  const room = sql`(SELECT count(*) FROM ${table} WHERE ${table.userId} = ${userId}) < ${CONTACTS_MAX[kind]}`;
  const column = sql.identifier(table.address.name);
  const made = await db.all<{
    id: string;
  }>(sql`INSERT INTO ${table} (id, user_id, ${column}, created_at)
    SELECT ${id}, ${userId}, ${address}, ${now} WHERE ${room} ON CONFLICT (user_id, ${column}) DO NOTHING RETURNING id`);
  if (made.length > 0) return id;
  const meanwhile = (await contactsOf(db, kind, userId)).find((own) => own.address === address);
  if (!meanwhile) throw new ContactLimitReached(kind);
  return meanwhile.id;
}

/**
 * The writes after a correct code: confirms the contact, and makes a first phone primary. One
 * batch. The database refuses an address or number that somebody else confirmed first
 * (`auth_emails.email`, `auth_phones.phone`).
 */
export function provenContactWrites(
  vault: ChallengeStore,
  kind: ContactKind,
  challenge: Challenge,
): BatchWrite[] {
  const { subject, userId, address } = challenge;
  const { db, now } = vault;
  const table = TABLES[kind];
  if (userId === null) return [];
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE user_id = ${userId} AND is_primary = 1)`;
  const proven = db
    .update(table)
    .set({ verifiedAt: now, isPrimary: sql`(is_primary = 1 OR ${isFirst})` })
    .where(and(eq(table.id, subject), eq(table.userId, userId), eq(table.address, address)));
  return [
    consumeChallenge(vault, challenge),
    mustChangeOne(proven),
    ...(kind === "email" ? [mirroredProof(vault, { userId, email: address })] : []),
  ];
}

/**
 * The writes that make a confirmed contact primary; an email becomes the user's own. Stale if it is
 * not theirs or not confirmed.
 */
export function primaryContactWrites(
  { db, now }: ChallengeStore,
  kind: ContactKind,
  { userId, contactId }: Owned,
): BatchWrite[] {
  const table = TABLES[kind];
  const step = db
    .update(table)
    .set({ isPrimary: false })
    .where(and(eq(table.userId, userId), eq(table.isPrimary, true)));
  const rise = db
    .update(table)
    .set({ isPrimary: true })
    .where(and(eq(table.id, contactId), eq(table.userId, userId), isNotNull(table.verifiedAt)));
  const email = sql`(SELECT ${authEmails.address} FROM ${authEmails} WHERE ${authEmails.id} = ${contactId})`;
  const mirrored = db
    .update(authUsers)
    .set({ email, emailVerified: true, updatedAt: new Date(now) })
    .where(eq(authUsers.id, userId));
  return [step, mustChangeOne(rise), ...(kind === "email" ? [mustChangeOne(mirrored)] : [])];
}

/**
 * The writes that remove a contact, with every code sent to it. Stale for the primary one, unless
 * it is the last phone.
 */
export function removedContactWrites(
  { db }: ChallengeStore,
  kind: ContactKind,
  { userId, contactId }: Owned,
): BatchWrite[] {
  const table = TABLES[kind];
  const isLast = sql`NOT EXISTS (SELECT 1 FROM ${table} AS other WHERE other.user_id = ${userId} AND other.id <> ${contactId} AND other.verified_at IS NOT NULL)`;
  const mayGo =
    kind === "phone" ? or(eq(table.isPrimary, false), isLast) : eq(table.isPrimary, false);
  const address = sql`(SELECT ${table.address} FROM ${table} WHERE ${table.id} = ${contactId} AND ${table.userId} = ${userId})`;
  const codes = db
    .delete(authChallenges)
    .where(
      and(
        eq(authChallenges.userId, userId),
        or(eq(authChallenges.subject, contactId), eq(authChallenges.address, address)),
      ),
    );
  return [
    codes,
    mustChangeOne(
      db.delete(table).where(and(eq(table.id, contactId), eq(table.userId, userId), mayGo)),
    ),
  ];
}

/** Confirms an email that was verified in another way, by a reset code. */
export function confirmedEmailWrites(
  vault: ChallengeStore,
  { userId, email }: { userId: string; email: string },
): BatchWrite[] {
  const isOwnPrimary = and(
    eq(authEmails.userId, userId),
    eq(authEmails.address, email),
    eq(authEmails.isPrimary, true),
    isNull(authEmails.verifiedAt),
  );
  return [
    vault.db.update(authEmails).set({ verifiedAt: vault.now }).where(isOwnPrimary),
    mirroredProof(vault, { userId, email }),
  ];
}

/** Mirrors the confirmation of the primary email in the user's own row. */
function mirroredProof(
  { db, now }: ChallengeStore,
  { userId, email }: { userId: string; email: string },
): BatchWrite {
  return db
    .update(authUsers)
    .set({ emailVerified: true, updatedAt: new Date(now) })
    .where(and(eq(authUsers.id, userId), eq(authUsers.email, email)));
}
