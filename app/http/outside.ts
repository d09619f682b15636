import type { OutsideChoice } from "#app/domain/identity/schema/outside.ts";
import type { Env } from "#app/env.ts";
import { clerkKeysGiven } from "#app/lib/clerk.ts";
import { readOutsideProviders } from "#app/outside-providers.ts";

/**
 * The ways to sign in beside password and passkey, as buttons name them; nothing of them is loaded.
 * Null where another provider has its own.
 */
export function outsideChoices(env: Env): OutsideChoice[] | null {
  if (clerkKeysGiven(env)) return null;
  return readOutsideProviders(env).providers.map(({ id, name }) => ({ id, name }));
}
