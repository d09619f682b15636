import { data, redirect } from "react-router";
import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { personEmailStatements } from "#app/domain/identity/commands/email.server.ts";
import { EmailAlreadyVerified, EmailTaken, EmailUnchanged, LinkClientMismatch, LinkFailed, VerificationExpired, VerificationUsed } from "#app/domain/identity/errors.ts";
import { isFresh } from "#app/domain/identity/rules/challenges.ts";
import { emailChangedLetter, emailChangeLetter, passwordChangedLetter, signUpAttemptLetter, verificationLetter } from "#app/domain/identity/rules/mails.ts";
import type { Letter } from "#app/domain/identity/rules/mails.ts";
import type { SignUp } from "#app/domain/identity/schema.ts";
import type { AccountStanding, LinkOutcome } from "#app/domain/identity/schema/account.ts";
import type { Env } from "#app/env.ts";
import { clientOf, keepClient } from "#app/http/client-cookie.ts";
import { signUp } from "#app/http/session.server.ts";
import type { Asked, Entered } from "#app/http/session.server.ts";
import type { Challenge } from "#app/integrations/local-identity/challenges.server.ts";

/** Like `Asked`, with somewhere to leave what the answer must not wait for. */
export type AskedLater = Asked & { waitUntil(work: Promise<unknown>): void };

/** The embedded identity's own functions. With another provider its pages do not exist. */
export async function embedded({ env, ctx }: { env: Env; ctx: Context }) {
  if (env.CLERK_SECRET_KEY || !env.AUTH_SECRET) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  const [account, challenges, attempts] = await Promise.all([
    import("#app/integrations/local-identity/account.server.ts"),
    import("#app/integrations/local-identity/challenges.server.ts"),
    import("#app/integrations/local-identity/attempts.server.ts"),
  ]);
  const options = { db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" };
  return { ...account, ...challenges, ...attempts, accounts: account.localAccounts(options, ctx.realNow()) };
}

/** How the account of whoever asks stands, and whether they typed their password within ten minutes. */
export async function standing(asked: Asked): Promise<AccountStanding & { isFresh: boolean }> {
  const { accounts, accountStanding } = await embedded(asked);
  const found = await accountStanding(accounts, asked.request);
  return { ...found, isFresh: isFresh(found.provedAt, asked.ctx.realNow()) };
}

/**
 * Sends whoever has not typed their password within ten minutes to do it, and back to `path`: before money and identity
 * change (domain rules, "Payouts"). Another provider asks for itself.
 */
export async function confirmFirst(asked: Asked, path: string): Promise<void> {
  if (asked.env.CLERK_SECRET_KEY || (await standing(asked)).isFresh) return;
  throw redirect(`/auth/confirm?to=${path}`);
}

/** What `/auth/account` shows of a sign-in that we keep ourselves; null where another provider keeps it. */
export async function ownSignIn(asked: Asked): Promise<Pick<AccountStanding, "email" | "isEmailVerified" | "newEmail"> | null> {
  if (asked.env.CLERK_SECRET_KEY) return null;
  const { email, isEmailVerified, newEmail } = await standing(asked);
  return { email, isEmailVerified, newEmail };
}

/**
 * "Criar conta", on our page or by a program, whose mail carries no link. A new e-mail is signed in at once and gets a code to confirm it; one that has an account gets a mail
 * that says so, and only a few such answers are given to one address.
 */
export async function signUpAndVerify(asked: AskedLater, input: SignUp, { by }: { by: "page" | "program" }): Promise<Entered> {
  const local = await embedded(asked);
  local.refuseCommonPassword(input.password);
  try {
    const { member, headers } = await signUp(asked, input);
    const kept = by === "page" ? keepClient(asked.request) : null;
    if (kept) headers.append("Set-Cookie", kept.cookie);
    asked.waitUntil(quietly(asked.ctx, async () => sendFirstCode(asked, { email: input.email, client: kept?.client ?? null })));
    return { member, headers };
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error;
    await local.countTry(local.accounts.db, local.takenAllowances(asked.request), asked.ctx.realNow());
    asked.waitUntil(quietly(asked.ctx, async () => tellOwner(asked, input.email)));
    throw error;
  }
}

async function sendFirstCode(asked: Asked, { email, client }: { email: string; client: string | null }): Promise<void> {
  const { accounts, userByEmail, openChallenge } = await embedded(asked);
  const user = await userByEmail(accounts.db, email);
  if (!user) return;
  const opened = await openChallenge(accounts, { purpose: "email-verification", subject: user.id, userId: user.id, email, client });
  const link = client === null ? null : linkTo(asked.ctx, `/auth/verify/${opened.token}`);
  await mail(asked.ctx, { key: opened.id, to: email }, verificationLetter({ code: opened.code, link }));
}

/** At most once in ten minutes, however many try. */
async function tellOwner({ ctx }: Asked, email: string): Promise<void> {
  const key = `sign-up-attempt:${email}:${Math.floor(ctx.realNow() / 600_000)}`;
  await mail(ctx, { key, to: email }, signUpAttemptLetter({ login: linkTo(ctx, "/auth/login"), reset: linkTo(ctx, "/auth/reset") }));
}

/** Sends the code and link for the address that waits for one: a new e-mail, or the account's own. Gives the cookie of the browser that may open the link. */
export async function sendVerification(asked: Asked, { newEmail }: { newEmail?: string } = {}): Promise<{ cookie: string; email: string }> {
  const { accounts, accountStanding, countTry, sendAllowances, openChallenge } = await embedded(asked);
  const { request, ctx } = asked;
  const account = await accountStanding(accounts, request);
  const changed = newEmail ?? account.newEmail;
  if (newEmail === account.email) throw new EmailUnchanged();
  if (changed === null && account.isEmailVerified) throw new EmailAlreadyVerified();
  await countTry(accounts.db, sendAllowances(account.userId, request), ctx.realNow());
  const { client, cookie } = keepClient(request);
  const purpose = changed === null ? "email-verification" : "email-change";
  const email = changed ?? account.email;
  const opened = await openChallenge(accounts, { purpose, subject: account.userId, userId: account.userId, email, client });
  const sent = { code: opened.code, link: linkTo(ctx, `/auth/verify/${opened.token}`) };
  await mail(ctx, { key: opened.id, to: email }, changed === null ? verificationLetter(sent) : emailChangeLetter(sent));
  return { cookie, email };
}

/** The code typed at `/auth/verify`: a new e-mail's where one waits, else the account's own. Gives the address that is proven now. */
export async function verifyByCode(asked: Asked, { code }: { code: string }): Promise<string> {
  const { accounts, accountStanding, challengeOf, countTry, codeAllowances, tryCode } = await embedded(asked);
  const account = await accountStanding(accounts, asked.request);
  await countTry(accounts.db, codeAllowances(account.userId, asked.request), asked.ctx.realNow());
  const purpose = account.newEmail === null ? "email-verification" : "email-change";
  const challenge = await tryCode(accounts, await challengeOf(accounts, { purpose, subject: account.userId }), code);
  return prove(asked, challenge);
}

/** What the link of a mail leads to in this browser; with `accept` it is used. */
export async function verifyByLink(asked: Asked, { token, accept }: { token: string; accept: boolean }): Promise<LinkOutcome> {
  const { accounts, challengeOfLink } = await embedded(asked);
  const client = clientOf(asked.request);
  return outcomeOf(async () => {
    const found = async (purpose: "email-verification" | "email-change") => challengeOfLink(accounts, { purpose, token, client });
    const challenge = await found("email-verification").catch(async (error: unknown) => {
      if (error instanceof LinkFailed) return found("email-change");
      throw error;
    });
    if (!accept) return "ready";
    await prove(asked, challenge);
    return "verified";
  });
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

/** One batch: the code is spent, the address is the account's and the person's. The old address is told. */
async function prove(asked: Asked, challenge: Challenge): Promise<string> {
  const { ctx } = asked;
  const { accounts, provenEmailStatements } = await embedded(asked);
  const { userId, email, purpose } = challenge;
  const isChange = purpose === "email-change";
  const former = isChange && userId !== null ? await formerEmail(asked, userId) : null;
  const ours = isChange && userId !== null ? personEmailStatements(ctx, { provider: "local", providerUserId: userId, email }) : [];
  try {
    await commit(ctx.db, [...provenEmailStatements({ ...accounts, db: ctx.db }, challenge), ...ours]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new EmailTaken("code") : error;
  }
  ctx.log("identity.email_proven", { isChange });
  if (former !== null) await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to: former }, emailChangedLetter({ newEmail: email })));
  return email;
}

async function formerEmail(asked: Asked, userId: string): Promise<string | null> {
  const { accounts, userById } = await embedded(asked);
  return (await userById(accounts.db, userId))?.email ?? null;
}

/** "Confirme a sua senha": fresh for ten minutes. */
export async function confirmPassword(asked: Asked, input: { currentPassword: string }): Promise<void> {
  const { accounts, provePassword } = await embedded(asked);
  await provePassword(accounts, asked.request, input);
}

/** "Trocar senha". The other sessions end and the address is told. */
export async function changeOwnPassword(asked: Asked, input: { currentPassword: string; password: string }): Promise<void> {
  const { accounts, changePassword } = await embedded(asked);
  const { email } = await changePassword(accounts, asked.request, input);
  await tellPasswordChanged(asked.ctx, email);
}

/** Ends one session of whoever asks. False when they have no such session. */
export async function endOneSession(asked: Asked, input: { sessionId: string }): Promise<boolean> {
  const { accounts, endSession } = await embedded(asked);
  return endSession(accounts, asked.request, input);
}

export async function tellPasswordChanged(ctx: Context, email: string): Promise<void> {
  await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to: email }, passwordChangedLetter({ reset: linkTo(ctx, "/auth/reset") })));
}

export async function mail(ctx: Context, { key, to }: { key: string; to: string }, letter: Letter): Promise<void> {
  await ctx.mailer.send({ key, to, ...letter });
}

export const linkTo = (ctx: Context, path: string): string => `${ctx.settings.appOrigin}${path}`;

/** For what is done already or must not be waited for: a failure is logged and told to nobody. */
export async function quietly(ctx: Context, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    ctx.log("identity.mail_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}
