import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { resetLetter } from "#app/domain/identity/rules/mails.ts";
import type { LinkOutcome } from "#app/domain/identity/schema/account.ts";
import { embedded, linkTo, mail, outcomeOf, quietly, tellPasswordChanged } from "#app/http/account.server.ts";
import type { AskedLater } from "#app/http/account.server.ts";
import { clientOf, keepClient } from "#app/http/client-cookie.ts";
import type { Asked } from "#app/http/session.server.ts";

/**
 * "Esqueci minha senha": the same reads, the same write and the same answer whether the e-mail has an account; the mail goes out behind
 * the answer. Gives the cookie of the browser that may go on. Refuses too many and too soon, for both alike.
 */
export async function requestReset(asked: AskedLater, { email }: { email: string }): Promise<{ cookie: string }> {
  const { accounts, countTry, sendAllowances, userByEmail, openChallenge } = await embedded(asked);
  const { request, ctx } = asked;
  const subject = await subjectOf(accounts.secret, email);
  await countTry(accounts.db, sendAllowances(subject, request), ctx.realNow());
  const user = await userByEmail(accounts.db, email);
  const { client, cookie } = keepClient(request);
  const opened = await openChallenge(accounts, { purpose: "password-reset", subject, userId: user?.id ?? null, email, client });
  if (user) {
    const letter = resetLetter({ code: opened.code, link: linkTo(ctx, `/auth/reset/${opened.token}`) });
    asked.waitUntil(quietly(ctx, async () => mail(ctx, { key: opened.id, to: email }, letter)));
  }
  return { cookie };
}

/** The e-mail for which this browser asked a new password last, or null. */
export async function resetWaiting(asked: Asked): Promise<string | null> {
  const { accounts, challengeOfClient } = await embedded(asked);
  const client = clientOf(asked.request);
  if (client === null) return null;
  return (await challengeOfClient(accounts, { purpose: "password-reset", client }))?.email ?? null;
}

/** Sets the new password with the code that the mail brought to this browser's owner. */
export async function resetByCode(asked: Asked, { code, password }: { code: string; password: string }): Promise<void> {
  const { accounts, challengeOfClient, codeAllowances, countTry, refuseCommonPassword, resetPassword, tryCode } = await embedded(asked);
  refuseCommonPassword(password);
  const client = clientOf(asked.request);
  const waiting = client === null ? null : await challengeOfClient(accounts, { purpose: "password-reset", client });
  if (!waiting) throw new VerificationNotSent();
  await countTry(accounts.db, codeAllowances(waiting.subject, asked.request), asked.ctx.realNow());
  const challenge = await tryCode(accounts, waiting, code);
  await resetPassword(accounts, challenge, password);
  await tellPasswordChanged(asked.ctx, challenge.email);
}

/** What the link of the mail leads to in this browser, before a new password is typed. */
export async function resetLinkOutcome(asked: Asked, { token }: { token: string }): Promise<LinkOutcome> {
  const { accounts, challengeOfLink } = await embedded(asked);
  return outcomeOf(async () => {
    await challengeOfLink(accounts, { purpose: "password-reset", token, client: clientOf(asked.request) });
    return "ready";
  });
}

/** Sets the new password with the link of the mail, which stands for its code. */
export async function resetByLink(asked: Asked, { token, password }: { token: string; password: string }): Promise<void> {
  const { accounts, challengeOfLink, refuseCommonPassword, resetPassword } = await embedded(asked);
  refuseCommonPassword(password);
  const challenge = await challengeOfLink(accounts, { purpose: "password-reset", token, client: clientOf(asked.request) });
  await resetPassword(accounts, challenge, password);
  await tellPasswordChanged(asked.ctx, challenge.email);
}

/** Nobody's name in the table: the keyed hash of what was typed. */
async function subjectOf(secret: string, email: string): Promise<string> {
  const { keyedHash } = await import("#app/integrations/local-identity/secrets.ts");
  return keyedHash(secret, "reset", email);
}
