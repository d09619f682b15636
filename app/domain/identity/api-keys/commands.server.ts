import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ApiKeyNameTaken, ApiKeyNotFound, TooManyApiKeys } from "./errors.ts";
import { expiryOf, LIVE_KEYS_MAX, scopesText } from "./rules.ts";
import type { NewApiKey } from "./schema.ts";
import { apiKeys } from "#drizzle/schema/identity.ts";

/**
 * `tokenHash` is the SHA-256 of the key, which is stored nowhere. `hint` is its last four
 * characters.
 */
export type CreateApiKey = NewApiKey & { personId: string; tokenHash: string; hint: string };

/**
 * Creates an API key for a member and returns its id. Refuses a name that another of their keys
 * has, and more than LIVE_KEYS_MAX keys. The insert itself counts, so that parallel ones are
 * counted too. Source: spec sections 3 and 9.
 */
export async function createApiKey(ctx: Context, input: CreateApiKey): Promise<{ keyId: string }> {
  const keyId = ctx.newId();
  const now = ctx.now();
  const { personId, name, description, tokenHash, hint } = input;
  const own = and(eq(apiKeys.personId, personId), isNull(apiKeys.revokedAt));
  // In the order of the table's columns. The last two are the last use and the revocation.
  const insert = ctx.db.insert(apiKeys).select(sql`
    SELECT ${keyId}, ${personId}, ${name}, ${description}, ${tokenHash}, ${hint}, ${scopesText(input.scopes)}, ${expiryOf(input.lifetime, now)}, ${now}, NULL, NULL
    WHERE (SELECT COUNT(*) FROM ${apiKeys} WHERE ${own}) < ${LIVE_KEYS_MAX}`);
  try {
    await commit(ctx.db, [mustChangeOne(insert)]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TooManyApiKeys();
    if (error instanceof UniqueViolation && error.columns.includes("api_keys.name"))
      throw new ApiKeyNameTaken();
    throw error;
  }
  ctx.log("identity.api_key_created", { personId, keyId });
  return { keyId };
}

/** Revokes the key for ever and returns its name. Refuses another member's key, and a revoked one. */
export async function revokeApiKey(
  ctx: Context,
  { personId, keyId }: { personId: string; keyId: string },
): Promise<{ name: string }> {
  const own = and(eq(apiKeys.id, keyId), eq(apiKeys.personId, personId), isNull(apiKeys.revokedAt));
  const [revoked] = await ctx.db
    .update(apiKeys)
    .set({ revokedAt: ctx.now() })
    .where(own)
    .returning({ name: apiKeys.name });
  if (!revoked) throw new ApiKeyNotFound();
  ctx.log("identity.api_key_revoked", { personId, keyId });
  return revoked;
}

/** Records that a key was used now. The caller checks `isUseDueForUpdate` first. */
export async function noteApiKeyUse(ctx: Context, { keyId }: { keyId: string }): Promise<void> {
  await ctx.db.update(apiKeys).set({ lastUsedAt: ctx.now() }).where(eq(apiKeys.id, keyId));
}
