import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { usernameInUse } from "#app/domain/identity/queries.server.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import {
  cloudflareContext,
  domainContext,
  incompleteMemberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import { embedded } from "./embedded.server.ts";

/** The content of "Complete o seu perfil": the known data, and whether the email is missing. */
export type ProfileCompletion = {
  /** The signed-in person; null for this browser's pending registration. */
  personId: string | null;
  asksEmail: boolean;
  email: string | null;
  values: Record<string, string>;
  errors: Record<string, string>;
};

/** Loads the profile to complete. Redirects everybody else: members to `to`, the rest to sign up. */
export async function loadProfileCompletion(
  context: Readonly<RouterContextProvider>,
  request: Request,
  to: string,
): Promise<ProfileCompletion> {
  const unfinished = context.get(incompleteMemberContext);
  if (unfinished) {
    const { id: personId, email, name, username } = unfinished;
    return { personId, asksEmail: false, email, values: { name, username }, errors: {} };
  }
  if (context.get(viewerContext)) throw redirect(to);
  const { env } = context.get(cloudflareContext);
  const ctx = context.get(domainContext);
  const pending = isClerkConfigured(env)
    ? null
    : await embedded({ env, ctx, request }).registration.waitingRegistration();
  if (!pending) throw redirect("/auth/register");
  const { name, username, birthDate, termsVersion, isEmailProven } = pending;
  const hasAccount =
    (await embedded({ env, ctx, request }).registration.provenAndTaken(pending)) !== null;
  const email = hasAccount ? null : pending.email;
  const isTaken = username !== null && (await usernameInUse(ctx, { username }));
  // A taken username is omitted if the provider proposed it; one that the person chose is shown
  // with the error.
  const wasChosen = termsVersion !== null;
  return {
    personId: null,
    asksEmail: !isEmailProven || hasAccount,
    email,
    values: {
      name: name ?? "",
      username: isTaken && !wasChosen ? "" : (username ?? ""),
      email: email ?? "",
      birthDate: birthDate?.split("-").toReversed().join("/") ?? "",
      termsVersion: termsVersion ?? "",
    },
    errors:
      isTaken && wasChosen ? { username: IDENTITY_MESSAGES.form_identifier_exists__username } : {},
  };
}
