import type { ClerkSettings } from "#app/lib/clerk.ts";

/**
 * Clerk in the browser, loaded only where it is configured. On the server it is an empty module
 * that nobody calls.
 */
export const loadClerkBrowser = () => import("./browser.client.ts");

/**
 * What goes with a call of our own API: a token of the configured JWT template where Clerk signs
 * people in. A token that cannot be had is logged, and the call goes without it. Source: spec,
 * section 7. The embedded identity's cookie goes by itself.
 */
export async function authorization(
  clerk: ClerkSettings | null,
): Promise<{ Authorization?: string }> {
  if (!clerk) return {};
  try {
    const { templateToken } = await loadClerkBrowser();
    const token = await templateToken(clerk.publishableKey, clerk.jwtTemplate);
    return token === null ? {} : { Authorization: `Bearer ${token}` };
  } catch (error) {
    console.error(
      JSON.stringify({
        event: "identity.token_failed",
        error: error instanceof Error ? error.name : "unknown",
      }),
    );
    return {};
  }
}
