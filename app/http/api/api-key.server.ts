import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { noteApiKeyUse } from "#app/domain/identity/api-keys/commands.server.ts";
import { apiKeyByHash } from "#app/domain/identity/api-keys/queries.server.ts";
import {
  formatApiKey,
  isExpired,
  isUseDueForUpdate,
  isWellFormedApiKey,
} from "#app/domain/identity/api-keys/rules.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { hex, sha256Hex } from "#app/lib/digest.ts";
import { toMember } from "#app/http/identity/identity.server.ts";
import { refusalOf } from "#app/http/refusal.ts";

const SECRET_BYTES = 20;
const HINT_LENGTH = 4;

/** Creates a random API key, and the values that the product stores of it. */
export async function mintApiKey(): Promise<{ key: string; tokenHash: string; hint: string }> {
  const key = formatApiKey(hex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))));
  return { key, tokenHash: await sha256Hex(key), hint: key.slice(-HINT_LENGTH) };
}

/**
 * The member and scopes of an API key; null if it is unknown, expired, revoked or of a suspended
 * account. Reads the primary database, so that a revocation takes effect at once.
 */
export async function memberByApiKey(
  env: Env,
  ctx: Context,
  key: string,
): Promise<{ member: Member; scopes: ApiScope[] } | null> {
  if (!isWellFormedApiKey(key)) return null;
  const primary = { ...ctx, db: openDatabase(env.DB) };
  const found = await apiKeyByHash(primary, { tokenHash: await sha256Hex(key) });
  if (!found || isExpired(found, ctx.now())) return null;
  try {
    const member = toMember(found.member);
    if (isUseDueForUpdate(found, ctx.now())) await noteApiKeyUse(primary, { keyId: found.keyId });
    return { member, scopes: found.scopes };
  } catch (error) {
    if (!refusalOf(error)) throw error;
    return null;
  }
}
