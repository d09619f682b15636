import type { ApiKeyView } from "./api-key-details.tsx";
import { isExpired } from "#app/domain/identity/api-keys/rules.ts";
import { SCOPE_LABELS } from "#app/domain/identity/api-keys/schema.ts";
import type { ApiKey } from "#app/domain/identity/api-keys/schema.ts";
import { formatAgo, formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Builds the display text of an API key. */
export function apiKeyView(key: ApiKey, now: Instant): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    description: key.description,
    hint: key.hint,
    scopes: key.scopes.map((scope) => SCOPE_LABELS[scope].label),
    created: formatMinute(key.createdAt),
    expires: key.expiresAt === null ? null : formatMinute(key.expiresAt),
    lastUsed: key.lastUsedAt === null ? null : formatAgo(key.lastUsedAt, now),
    isExpired: isExpired(key, now),
  };
}
