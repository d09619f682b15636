import { redirect } from "react-router";
import { embeddedScreens } from "#app/compose-identity.server.ts";
import {
  SecondFactorNeeded,
  SignInExpired,
} from "#app/domain/identity/sign-in/errors/second-factor.ts";
import { SECOND_FACTOR_WAIT_MS } from "#app/domain/identity/sign-in/rules/second-factor.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { memberOfProviderUser } from "./identity.server.ts";
import type { AuthRequest, SignedInMember } from "./session.server.ts";

const TICKET_COOKIE = "__Host-coreto-second-factor";
const TICKET_ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";

/**
 * Runs a sign-in. If a second factor is on, the browser stores a ticket for ten minutes after a
 * correct password. It is then asked for the code.
 */
export async function signInWithSecondFactor(
  to: string,
  enter: () => Promise<Response>,
): Promise<Response> {
  try {
    return await enter();
  } catch (error) {
    if (!(error instanceof SecondFactorNeeded)) throw error;
    return redirect(
      to === "/" ? "/auth/second-factor" : `/auth/second-factor?to=${encodeURIComponent(to)}`,
      {
        headers: {
          "Set-Cookie": `${TICKET_COOKIE}=${error.ticket}; ${TICKET_ATTRIBUTES}; Max-Age=${SECOND_FACTOR_WAIT_MS / SECOND_MS}`,
        },
      },
    );
  }
}

/** Whether this browser's sign-in still waits for its code. */
export async function isSecondFactorPending(asked: AuthRequest): Promise<boolean> {
  const ticket = requestCookie(asked.request, TICKET_COOKIE);
  const screens = embeddedScreens(asked);
  if (!ticket || !screens) return false;
  return screens.secondFactor.isTicketOpen(ticket);
}

/**
 * Signs in with the code after the password. Refuses a wrong or used code, too many attempts, an
 * expired ticket, and a suspended account.
 */
export async function signInWithCode(
  asked: AuthRequest,
  { code }: { code: string },
): Promise<SignedInMember> {
  const ticket = requestCookie(asked.request, TICKET_COOKIE);
  const screens = embeddedScreens(asked);
  if (!ticket || !screens) throw new SignInExpired();
  const { user, headers } = await screens.secondFactor.enterWithCode({ ticket, code });
  const member = await memberOfProviderUser(asked.ctx, "local", user);
  headers.append("Set-Cookie", `${TICKET_COOKIE}=; ${TICKET_ATTRIBUTES}; Max-Age=0`);
  return { member, headers };
}
