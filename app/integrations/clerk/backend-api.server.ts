import { z } from "zod";

export type BackendApi = { apiUrl: string; secretKey: string };

const GIVES_UP_AFTER_MS = 10_000;

/** What the product reads of Clerk's user; a webhook carries the same object. Source: `UserJSON` of @clerk/backend. */
export const clerkUserSchema = z.object({
  id: z.string().min(1),
  username: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  banned: z.boolean().default(false),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z.array(z.object({ id: z.string(), email_address: z.string() })).default([]),
  updated_at: z.number().int(),
});
export type ClerkUser = z.infer<typeof clerkUserSchema>;

/** One user, asked only when the product sees them for the first time. */
export async function userOf(api: BackendApi, userId: string): Promise<ClerkUser> {
  const response = await call(api, "GET", `/v1/users/${encodeURIComponent(userId)}`);
  if (!response.ok) throw new Error(`clerk: GET user answered ${response.status}`);
  return clerkUserSchema.parse(await response.json());
}

/** Ends a session at Clerk. One that is gone already counts as ended. */
export async function revokeSession(api: BackendApi, sessionId: string): Promise<void> {
  const response = await call(api, "POST", `/v1/sessions/${encodeURIComponent(sessionId)}/revoke`);
  if (!response.ok && response.status !== 404) throw new Error(`clerk: revoking a session answered ${response.status}`);
}

function call({ apiUrl, secretKey }: BackendApi, method: "GET" | "POST", path: string): Promise<Response> {
  return fetch(apiUrl + path, {
    method,
    headers: { Authorization: `Bearer ${secretKey}`, Accept: "application/json" },
    signal: AbortSignal.timeout(GIVES_UP_AFTER_MS),
  });
}
