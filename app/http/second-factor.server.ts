import { data, redirect } from "react-router";
import { clerkKeysGiven } from "#app/lib/clerk.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { SecondFactorNeeded, SignInExpired } from "#app/domain/identity/errors/second-factor.ts";
import { SECOND_FACTOR_WAIT_MS } from "#app/domain/identity/rules/second-factor.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { memberOf } from "#app/http/identity.server.ts";
import type { Asked } from "#app/http/session.server.ts";

const TICKET_COOKIE = "__Host-coreto-second-factor";
const TICKET_ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";

/**
 * The second factor's own functions, bound to who asks. Another provider has its own second factor:
 * these pages do not exist there.
 */
export async function secondFactors({ env, ctx }: Omit<Asked, "request">) {
  if (clerkKeysGiven(env) || !env.AUTH_SECRET)
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  const local = await import("#app/integrations/local-identity/second-factor.server.ts");
  const factors = local.localFactors(
    { db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" },
    ctx.realNow(),
  );
  return { ...local, factors };
}

/**
 * Runs a sign-in; where the password is right and not enough, the browser keeps a ticket for ten
 * minutes and is asked for the code.
 */
export async function orSecondFactor(
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

/** Whether this browser typed a password whose code is still owed. */
export async function owesCode({ env, ctx, request }: Asked): Promise<boolean> {
  const ticket = requestCookie(request, TICKET_COOKIE);
  if (!ticket || clerkKeysGiven(env) || !env.AUTH_SECRET) return false;
  const { userOfTicket } =
    await import("#app/integrations/local-identity/sign-in-ticket.server.ts");
  return (await userOfTicket({ secret: env.AUTH_SECRET, now: ctx.realNow() }, ticket)) !== null;
}

/**
 * The code after the password. Refuses a wrong or used code, too many tries, a ticket that is over,
 * and a suspended account.
 */
export async function signInWithCode(
  { env, ctx, request }: Asked,
  { code }: { code: string },
): Promise<{ member: Member; headers: Headers }> {
  const ticket = requestCookie(request, TICKET_COOKIE);
  if (!ticket || clerkKeysGiven(env) || !env.AUTH_SECRET) throw new SignInExpired();
  const { enterWithCode } = await import("#app/integrations/local-identity/provider.server.ts");
  const { user, headers } = await enterWithCode(
    { db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" },
    request,
    { ticket, code },
  );
  const member = await memberOf(ctx, "local", user);
  headers.append("Set-Cookie", `${TICKET_COOKIE}=; ${TICKET_ATTRIBUTES}; Max-Age=0`);
  return { member, headers };
}
