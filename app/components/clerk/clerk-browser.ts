import type { ClerkSettings } from "#app/lib/clerk.ts";

/**
 * Loads Clerk in the browser, only where it is configured. On the server it is an empty module that
 * nobody calls.
 */
export const loadClerkBrowser = () => import("./browser.client.ts");

/**
 * Authorization header of a call to our own API: a token of the configured JWT template where Clerk
 * handles sign-in. If a token is unavailable, logs that and sends none. Source: spec, section 7.
 * The built-in identity uses its cookie instead.
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
