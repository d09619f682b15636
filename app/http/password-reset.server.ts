import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { shownIdentifier } from "#app/domain/identity/rules/phones.ts";
import { resetLetter } from "#app/domain/identity/rules/mails.ts";
import type { LinkOutcome } from "#app/domain/identity/schema/account.ts";
import { embedded, linkTo, outcomeOf } from "#app/http/account.server.ts";
import type { AskedLater } from "#app/http/account.server.ts";
import { clientOf } from "#app/http/client-cookie.ts";
import { tellPasswordChanged } from "#app/http/security-letters.server.ts";
import { askedForCode, sendCodeTo, triedSubject } from "#app/http/sent-codes.server.ts";
import type { Asked } from "#app/http/session.server.ts";

/**
 * "Esqueci minha senha": like `sendCodeTo`. The code may also prove the e-mail that the account
 * began with.
 */
export async function requestReset(
  asked: AskedLater,
  { identifier }: { identifier: string },
): Promise<{ cookie: string }> {
  return sendCodeTo(asked, {
    purpose: "password-reset",
    identifier,
    toVerifiedOnly: false,
    letter: ({ code, token }) =>
      resetLetter({ code, link: linkTo(asked.ctx, `/auth/reset/${token}`) }),
    act: "criar uma nova senha",
  });
}

/** What this browser typed last to ask for a new password, or null. */
export async function resetWaiting(asked: Asked): Promise<string | null> {
  const waiting = await askedForCode(asked, { purpose: "password-reset" });
  return waiting && shownIdentifier(waiting.address);
}

/** Sets the new password with the code that the mail brought to this browser's owner. */
export async function resetByCode(
  asked: Asked,
  { code, password }: { code: string; password: string },
): Promise<void> {
  const { accounts, codeAllowances, countTry, refuseCommonPassword, resetPassword, tryCode } =
    await embedded(asked);
  refuseCommonPassword(password);
  const waiting = await askedForCode(asked, { purpose: "password-reset" });
  if (!waiting) throw new VerificationNotSent();
  await countTry(
    accounts.db,
    codeAllowances(await triedSubject(asked, waiting), asked.request),
    asked.ctx.realNow(),
  );
  const challenge = await tryCode(accounts, waiting, code);
  await tellPasswordChanged(asked, await resetPassword(accounts, challenge, password));
}

/** What the link of the mail leads to in this browser, before a new password is typed. */
export async function resetLinkOutcome(
  asked: Asked,
  { token }: { token: string },
): Promise<LinkOutcome> {
  const { accounts, challengeOfLink } = await embedded(asked);
  return outcomeOf(async () => {
    await challengeOfLink(accounts, {
      purpose: "password-reset",
      token,
      client: clientOf(asked.request),
    });
    return "ready";
  });
}

/** Sets the new password with the link of the mail, which stands for its code. */
export async function resetByLink(
  asked: Asked,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { accounts, challengeOfLink, refuseCommonPassword, resetPassword } = await embedded(asked);
  refuseCommonPassword(password);
  const challenge = await challengeOfLink(accounts, {
    purpose: "password-reset",
    token,
    client: clientOf(asked.request),
  });
  await tellPasswordChanged(asked, await resetPassword(accounts, challenge, password));
}
