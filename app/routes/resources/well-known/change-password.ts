import { redirect } from "react-router";
import { cloudflareContext } from "#app/http/contexts.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import type { Route } from "./+types/change-password.ts";

/**
 * Leads password managers to the page that changes the password. Source: W3C, "A Well-Known URL for
 * Changing Passwords". With Clerk it is a part of the account page.
 */
export function loader({ context }: Route.LoaderArgs): Response {
  const { env } = context.get(cloudflareContext);
  return redirect(isClerkConfigured(env) ? "/auth/account" : "/auth/account/password");
}
