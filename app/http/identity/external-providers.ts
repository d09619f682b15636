import type { ExternalProviderOption } from "#app/domain/identity/external-accounts/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { readExternalProviders } from "#app/configuration/external-providers.ts";

/**
 * The external sign-in methods for buttons; loads nothing of them. Null with another provider,
 * which has its own.
 */
export function externalProviderOptions(env: Env): ExternalProviderOption[] | null {
  if (isClerkConfigured(env)) return null;
  return readExternalProviders(env).providers.map(({ id, name }) => ({ id, name }));
}
