import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { MemberRow } from "#app/domain/identity/schema.ts";
import { LIVE_KEYS_MAX, scopesOf } from "./rules.ts";
import type { ApiKey, ApiScope } from "./schema.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { apiKeys, people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const SHOWN = {
  id: apiKeys.id,
  name: apiKeys.name,
  description: apiKeys.description,
  hint: apiKeys.hint,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
};

/**
 * Returns the keys that a member has not revoked, newest first, also expired ones. There are at
 * most LIVE_KEYS_MAX.
 */
export async function memberApiKeys(ctx: Context, input: { personId: string }): Promise<ApiKey[]> {
  const rows = await ctx.db
    .select(SHOWN)
    .from(apiKeys)
    .where(and(eq(apiKeys.personId, input.personId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(LIVE_KEYS_MAX)
    .all();
  return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
}

/** Returns the same keys page by page. */
export async function apiKeysPage(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<Page<ApiKey>> {
  const after = decodeCursor(cursor);
  const older = after
    ? sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (${after.at}, ${after.id})`
    : undefined;
  const rows = await ctx.db
    .select(SHOWN)
    .from(apiKeys)
    .where(and(eq(apiKeys.personId, personId), isNull(apiKeys.revokedAt), older))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(limit + 1);
  const keys = rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
  return pageOf(keys, limit, (key) => ({ at: key.createdAt, id: key.id }));
}

/** Returns the names of the active keys of a provider's user, newest first. */
export async function apiKeyNames(
  ctx: Context,
  input: { provider: string; providerUserId: string },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .innerJoin(
      people,
      and(
        eq(people.id, apiKeys.personId),
        eq(people.provider, input.provider),
        eq(people.providerUserId, input.providerUserId),
      ),
    )
    .where(
      and(
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.now())),
      ),
    )
    .orderBy(desc(apiKeys.createdAt))
    .limit(LIVE_KEYS_MAX);
  return rows.map(({ name }) => name);
}

/** Reads one of a member's own keys that is not revoked, or null. */
export async function apiKeyById(
  ctx: Context,
  input: { personId: string; keyId: string },
): Promise<ApiKey | null> {
  const row = await ctx.db
    .select(SHOWN)
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.id, input.keyId),
        eq(apiKeys.personId, input.personId),
        isNull(apiKeys.revokedAt),
      ),
    )
    .get();
  return row ? { ...row, scopes: scopesOf(row.scopes) } : null;
}

/** A presented key, with the member that it acts for. */
export type PresentedKey = {
  keyId: string;
  scopes: ApiScope[];
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
  member: MemberRow;
};

/**
 * Reads the key whose SHA-256 is `tokenHash`, unless it was revoked. The look-up by hash leaks
 * nothing about a key by its duration. The caller reads from the primary, so that a revocation
 * counts at once.
 */
export async function apiKeyByHash(
  ctx: Context,
  input: { tokenHash: string },
): Promise<PresentedKey | null> {
  const row = await ctx.db
    .select({
      keyId: apiKeys.id,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      id: people.id,
      email: people.email,
      bannedAt: people.bannedAt,
      registeredAt: people.registeredAt,
      leavingAt: people.leavingAt,
      deletedAt: people.deletedAt,
      isModerator: people.isModerator,
      username: profiles.username,
      name: profiles.name,
      avatarMediaId: profiles.avatarMediaId,
      isCreator: profiles.isCreator,
    })
    .from(apiKeys)
    .innerJoin(people, eq(people.id, apiKeys.personId))
    .innerJoin(profiles, eq(profiles.personId, apiKeys.personId))
    .where(and(eq(apiKeys.tokenHash, input.tokenHash), isNull(apiKeys.revokedAt)))
    .get();
  if (!row) return null;
  const { keyId, scopes, expiresAt, lastUsedAt, ...member } = row;
  return { keyId, scopes: scopesOf(scopes), expiresAt, lastUsedAt, member };
}
