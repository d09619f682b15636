import type { ExternalProviderOption } from "#app/domain/identity/external-accounts/schema.ts";
import type { Env } from "#app/env.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { readExternalProviders } from "#app/external-providers.ts";

/**
 * The ways to sign in beside password and passkey, as buttons name them; nothing of them is loaded.
 * Null where another provider has its own.
 */
export function externalProviderOptions(env: Env): ExternalProviderOption[] | null {
  if (isClerkConfigured(env)) return null;
  return readExternalProviders(env).providers.map(({ id, name }) => ({ id, name }));
}
