import {
  AccountDeleted,
  IdentityProviderUnavailable,
} from "#app/domain/identity/identity-provider/errors.ts";
import { clerkUserSchema } from "./user.ts";
import type { ClerkUser } from "./user.ts";

export type BackendApi = { apiUrl: string; secretKey: string };

const GIVES_UP_AFTER_MS = 10_000;

/**
 * Loads one user, only when the product first sees them. Refuses a deleted user, and when Clerk
 * does not answer.
 */
export async function userOf(api: BackendApi, userId: string): Promise<ClerkUser> {
  const response = await call(api, "GET", `/v1/users/${encodeURIComponent(userId)}`);
  if (response.status === 404) throw new AccountDeleted();
  if (!response.ok) throw new IdentityProviderUnavailable();
  return clerkUserSchema.parse(await response.json());
}

/** Revokes a session at Clerk; a missing one counts as revoked. Refuses when Clerk does not answer. */
export async function revokeSession(api: BackendApi, sessionId: string): Promise<void> {
  const response = await call(api, "POST", `/v1/sessions/${encodeURIComponent(sessionId)}/revoke`);
  if (!response.ok && response.status !== 404) throw new IdentityProviderUnavailable();
}

/** Deletes a user at Clerk; a missing one counts as deleted. Refuses when Clerk does not answer. */
export async function deleteUser(api: BackendApi, userId: string): Promise<void> {
  const response = await call(api, "DELETE", `/v1/users/${encodeURIComponent(userId)}`);
  if (!response.ok && response.status !== 404) throw new IdentityProviderUnavailable();
}

async function call(
  { apiUrl, secretKey }: BackendApi,
  method: "GET" | "POST" | "DELETE",
  path: string,
): Promise<Response> {
  try {
    return await fetch(apiUrl + path, {
      method,
      headers: { Authorization: `Bearer ${secretKey}`, Accept: "application/json" },
      signal: AbortSignal.timeout(GIVES_UP_AFTER_MS),
    });
  } catch {
    throw new IdentityProviderUnavailable();
  }
}

const PATIENCE_MS = 2_000;

/** Whether Clerk answers at all, with any status. */
export async function isAnswering({ apiUrl }: { apiUrl: string }): Promise<boolean> {
  try {
    await fetch(`${apiUrl}/v1/jwks`, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}
