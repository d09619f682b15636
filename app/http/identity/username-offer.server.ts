import type { RouterContextProvider } from "react-router";
import {
  isGivenUsername,
  suggestedUsername,
} from "#app/domain/identity/registration/rules/usernames.ts";
import { cloudflareContext, memberContext } from "#app/http/contexts.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";

/**
 * What a guest is offered after the purchase: to choose a username in the place of the one that
 * their account was given. Null for who has chosen one, and with Clerk, which changes it on its own
 * screens.
 */
export function usernameOffer(
  context: Readonly<RouterContextProvider>,
): { given: string; suggested: string } | null {
  const { name, username } = context.get(memberContext);
  if (!isGivenUsername(username) || isClerkConfigured(context.get(cloudflareContext).env))
    return null;
  return { given: username, suggested: suggestedUsername(name) };
}
