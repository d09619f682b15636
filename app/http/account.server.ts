import { data, redirect } from "react-router";
import type { Context } from "#app/domain/context.ts";
import {
  ConfirmationNeeded,
  LinkClientMismatch,
  LinkFailed,
  VerificationExpired,
  VerificationUsed,
} from "#app/domain/identity/errors.ts";
import { isFresh } from "#app/domain/identity/rules/challenges.ts";
import { passwordMadeLetter } from "#app/domain/identity/rules/outside-mails.ts";
import type { Letter } from "#app/domain/identity/rules/mails.ts";
import type { AccountStanding, LinkOutcome } from "#app/domain/identity/schema/account.ts";
import type { Env } from "#app/env.ts";
import { identityProvider } from "#app/http/identity.server.ts";
import type { Asked } from "#app/http/session.server.ts";

/** Like `Asked`, with somewhere to leave what the answer must not wait for. */
export type AskedLater = Asked & { waitUntil(work: Promise<unknown>): void };

/** The embedded identity's own functions. With another provider its pages do not exist. */
export async function embedded({ env, ctx }: { env: Env; ctx: Context }) {
  if (env.CLERK_SECRET_KEY || !env.AUTH_SECRET)
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  const [account, contacts, identifiers, challenges, attempts] = await Promise.all([
    import("#app/integrations/local-identity/account.server.ts"),
    import("#app/integrations/local-identity/contacts.server.ts"),
    import("#app/integrations/local-identity/identifiers.server.ts"),
    import("#app/integrations/local-identity/challenges.server.ts"),
    import("#app/integrations/local-identity/attempts.server.ts"),
  ]);
  const options = { db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" };
  return {
    ...account,
    ...contacts,
    ...identifiers,
    ...challenges,
    ...attempts,
    accounts: account.localAccounts(options, ctx.realNow()),
  };
}

/** How the account of whoever asks stands, and whether they typed their password within ten minutes. */
export async function standing(asked: Asked): Promise<AccountStanding & { isFresh: boolean }> {
  const { accounts, accountStanding } = await embedded(asked);
  const found = await accountStanding(accounts, asked.request);
  return { ...found, isFresh: isFresh(found.provedAt, asked.ctx.realNow()) };
}

/**
 * Sends whoever has not typed their password within ten minutes to do it, and back to `path`:
 * before money and identity change (domain rules, "Payouts"). With Clerk they sign in again.
 */
export async function confirmFirst(asked: Asked, path: string): Promise<void> {
  const way = await wayToConfirm(asked, path);
  if (way !== null) throw redirect(way);
}

/**
 * `confirmFirst` for a form in which much is typed: it comes back with all of it, and says where to
 * confirm. `before` is what is done by it, as "trocar …".
 */
export async function refuseUnconfirmed(
  asked: Asked,
  { path, before }: { path: string; before: string },
): Promise<void> {
  const way = await wayToConfirm(asked, path);
  if (way !== null) throw new ConfirmationNeeded({ before, way });
}

/** Where whoever asks shows that it is them and comes back to `path`; null where they just did. */
export async function wayToConfirm(asked: Asked, path: string): Promise<string | null> {
  if (!asked.env.CLERK_SECRET_KEY)
    return (await standing(asked)).isFresh ? null : `/auth/confirm?to=${path}`;
  const provedAt = await (await identityProvider(asked.env)).provedAt?.(asked.request);
  return typeof provedAt === "number" && isFresh(provedAt, asked.ctx.realNow())
    ? null
    : `/auth/again?to=${encodeURIComponent(path)}`;
}

/**
 * The primary e-mail of a sign-in that we keep ourselves, for `/auth/account`; null where another
 * provider keeps it.
 */
export async function ownSignIn(
  asked: Asked,
): Promise<Pick<AccountStanding, "email" | "isEmailVerified"> | null> {
  if (asked.env.CLERK_SECRET_KEY) return null;
  const { email, isEmailVerified } = await standing(asked);
  return { email, isEmailVerified };
}

/** Spec section 4: verified, expired, failed, client mismatch. */
export async function outcomeOf(act: () => Promise<LinkOutcome>): Promise<LinkOutcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof LinkFailed) return "failed";
    if (error instanceof LinkClientMismatch) return "client-mismatch";
    if (error instanceof VerificationExpired) return "expired";
    if (error instanceof VerificationUsed) return "verified";
    throw error;
  }
}

/** "Confirme a sua senha": fresh for ten minutes. */
export async function confirmPassword(
  asked: Asked,
  input: { currentPassword: string },
): Promise<void> {
  const { accounts, provePassword } = await embedded(asked);
  await provePassword(accounts, asked.request, input);
}

/** "Trocar senha". The other sessions end; gives whom to tell. */
export async function changeOwnPassword(
  asked: Asked,
  input: { currentPassword: string; password: string },
): Promise<{ userId: string }> {
  const { accounts, changePassword } = await embedded(asked);
  return changePassword(accounts, asked.request, input);
}

/** "Criar senha", of an account that came from outside. The address is told. */
export async function makeOwnPassword(asked: Asked, input: { password: string }): Promise<void> {
  const { accounts, makePassword } = await embedded(asked);
  const { email } = await makePassword(accounts, asked.request, input);
  await quietly(asked.ctx, async () =>
    mail(
      asked.ctx,
      { key: asked.ctx.newId(), to: email },
      passwordMadeLetter({ reset: linkTo(asked.ctx, "/auth/reset") }),
    ),
  );
}

/** Ends one session of whoever asks. False when they have no such session. */
export async function endOneSession(asked: Asked, input: { sessionId: string }): Promise<boolean> {
  const { accounts, endSession } = await embedded(asked);
  return endSession(accounts, asked.request, input);
}

export async function mail(
  ctx: Context,
  { key, to }: { key: string; to: string },
  letter: Letter,
): Promise<void> {
  await ctx.mailer.send({ key, to, ...letter });
}

export const linkTo = (ctx: Context, path: string): string => `${ctx.settings.appOrigin}${path}`;

/** Long enough for an answer to be on its way. */
const ANSWER_MS = 100;

/**
 * Leaves `act` for when the answer has gone, quietly: what only an account gets must not even begin
 * beside the answer, which would be a little later for it
 * (docs/decisions/identity/prove-the-email-before-the-account-exists.md).
 */
export function afterAnswer({ ctx, waitUntil }: AskedLater, act: () => Promise<void>): void {
  const gone = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_MS));
  waitUntil(gone.then(() => quietly(ctx, act)));
}

/** For what is done already or must not be waited for: a failure is logged and told to nobody. */
export async function quietly(ctx: Context, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    ctx.log("identity.mail_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}
