import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ApiKeyNameTaken, ApiKeyNotFound, TooManyApiKeys } from "./errors.ts";
import { expiryOf, LIVE_KEYS_MAX, scopesText } from "./rules.ts";
import type { NewApiKey } from "./schema.ts";
import { apiKeys } from "#drizzle/schema/identity.ts";

/**
 * `tokenHash` is the SHA-256 of the key, which the product keeps nowhere; `hint` its last four
 * characters.
 */
export type CreateApiKey = NewApiKey & { personId: string; tokenHash: string; hint: string };

/**
 * Gives a member a key; answers its id. Refuses a name that another of their keys has, and more
 * than LIVE_KEYS_MAX keys: the count is part of the insert, so that parallel ones are counted too.
 * Source: spec sections 3 and 9.
 */
export async function createApiKey(ctx: Context, input: CreateApiKey): Promise<{ keyId: string }> {
  const keyId = ctx.newId();
  const now = ctx.now();
  const { personId, name, description, tokenHash, hint } = input;
  const own = and(eq(apiKeys.personId, personId), isNull(apiKeys.revokedAt));
  // In the order of the table's columns; the last two are the last use and the revocation.
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

/**
 * From now on the key opens nothing, for ever; gives its name. Refuses a key that is not the
 * member's or is revoked already.
 */
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

/** Notes that a key was used now. The caller asks `isUseDueForUpdate` first. */
export async function noteApiKeyUse(ctx: Context, { keyId }: { keyId: string }): Promise<void> {
  await ctx.db.update(apiKeys).set({ lastUsedAt: ctx.now() }).where(eq(apiKeys.id, keyId));
}
