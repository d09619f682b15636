import { and, count, desc, eq, isNotNull, ne, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import type {
  ExternalAccount,
  SignInMethods,
} from "#app/domain/identity/external-accounts/schema.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { authAccounts } from "#drizzle/schema/local-identity.ts";
import { authPasskeys } from "#drizzle/schema/local-passkeys.ts";
import { credentialOf } from "#app/integrations/local-identity/account/current-password.server.ts";

const OUTSIDE_MAX = 10;

type ExternalAccountRef = { providerId: string; accountId: string };
type ExternalAccountStore = { db: Database; now: number };

/** The user of an external account; null if none. */
export async function userOfExternalAccount(
  db: Database,
  { providerId, accountId }: ExternalAccountRef,
): Promise<string | null> {
  const row = await db
    .select({ userId: authAccounts.userId })
    .from(authAccounts)
    .where(isAccount({ providerId, accountId }))
    .get();
  return row?.userId ?? null;
}

/** The sign-in methods of `userId`. */
export async function signInMethods(db: Database, userId: string): Promise<SignInMethods> {
  const [credentials, passkeys, rows] = await db.batch([
    db
      .select({ credentialId: authAccounts.id })
      .from(authAccounts)
      .where(and(credentialOf(userId), isNotNull(authAccounts.password))),
    db.select({ passkeys: count() }).from(authPasskeys).where(eq(authPasskeys.userId, userId)),
    db
      .select()
      .from(authAccounts)
      .where(isOutsideOf(userId))
      .orderBy(desc(authAccounts.createdAt), desc(authAccounts.id))
      .limit(OUTSIDE_MAX),
  ]);
  return {
    hasPassword: credentials.length > 0,
    passkeys: passkeys[0]?.passkeys ?? 0,
    outside: rows.map(asOutside),
  };
}

/**
 * Connects an external account as a sign-in method. Refuses one that is already connected, and more
 * than OUTSIDE_MAX, for concurrent requests too.
 */
export async function connectExternalAccount(
  { db, now }: ExternalAccountStore,
  {
    userId,
    providerId,
    accountId,
    label,
  }: ExternalAccountRef & { userId: string; label: string | null },
): Promise<void> {
  const id = timeOrderedId(now);
  const made = await db.all<{ id: string }>(sql`
    INSERT INTO auth_accounts (id, account_id, provider_id, user_id, label, created_at, updated_at)
    SELECT ${id}, ${accountId}, ${providerId}, ${userId}, ${label}, ${now}, ${now}
    WHERE (SELECT COUNT(*) FROM auth_accounts WHERE user_id = ${userId} AND provider_id <> 'credential') < ${OUTSIDE_MAX}
    ON CONFLICT (provider_id, account_id) DO NOTHING RETURNING id`);
  if (made.length > 0) return;
  const owner = await userOfExternalAccount(db, { providerId, accountId });
  if (owner === null) throw new ExternalSignInFailed("oauth_too_many");
  throw new ExternalSignInFailed(
    owner === userId ? "LINKED_ACCOUNT_ALREADY_EXISTS" : "SOCIAL_ACCOUNT_ALREADY_LINKED",
  );
}

/** Updates the label of an external account to its current email. */
export async function relabelExternalAccount(
  db: Database,
  { providerId, accountId, label }: ExternalAccountRef & { label: string | null },
): Promise<void> {
  if (label === null) return;
  await db
    .update(authAccounts)
    .set({ label })
    .where(
      and(
        isAccount({ providerId, accountId }),
        or(sql`${authAccounts.label} IS NULL`, ne(authAccounts.label, label)),
      ),
    );
}

/** One of a user's own external accounts. Refuses anybody else's. */
export async function memberExternalAccountRow(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<ExternalAccount> {
  const row = await db
    .select()
    .from(authAccounts)
    .where(and(isOutsideOf(userId), eq(authAccounts.id, id)))
    .get();
  if (!row) throw new ExternalSignInFailed("ACCOUNT_NOT_FOUND");
  return asOutside(row);
}

/**
 * Disconnects an external account. Refuses the last sign-in method: a password, a passkey or
 * another account of `usable` must remain. The condition is in the statement, so that of two
 * concurrent requests one is refused.
 */
export async function removeExternalAccount(
  db: Database,
  { userId, id, usable }: { userId: string; id: string; usable: readonly string[] },
): Promise<ExternalAccount> {
  const account = await memberExternalAccountRow(db, { userId, id });
  const another = sql`(EXISTS (SELECT 1 FROM auth_accounts stays WHERE stays.user_id = ${userId} AND stays.id <> ${id}
      AND (stays.password IS NOT NULL OR stays.provider_id IN (SELECT value FROM json_each(${JSON.stringify(usable)}))))
    OR EXISTS (SELECT 1 FROM auth_passkeys key WHERE key.user_id = ${userId}))`;
  const gone = db
    .delete(authAccounts)
    .where(and(isOutsideOf(userId), eq(authAccounts.id, id), another));
  try {
    await commit(db, [mustChangeOne(gone)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new ExternalSignInFailed("oauth_last_way") : error;
  }
  return account;
}

const isAccount = ({ providerId, accountId }: ExternalAccountRef) =>
  and(eq(authAccounts.providerId, providerId), eq(authAccounts.accountId, accountId));
const isOutsideOf = (userId: string) =>
  and(eq(authAccounts.userId, userId), ne(authAccounts.providerId, "credential"));

function asOutside(row: typeof authAccounts.$inferSelect): ExternalAccount {
  return {
    id: row.id,
    providerId: row.providerId,
    accountId: row.accountId,
    label: row.label,
    since: row.createdAt.getTime(),
  };
}
