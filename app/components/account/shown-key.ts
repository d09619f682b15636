import type { ApiKeyView } from "#app/components/account/key-facts.tsx";
import { isExpired } from "#app/domain/identity/rules/api-keys.ts";
import { SCOPE_LABELS } from "#app/domain/identity/schema/api-keys.ts";
import type { ApiKey } from "#app/domain/identity/schema/api-keys.ts";
import { formatAgo, formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A key in words. */
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
