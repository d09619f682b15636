import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { shownIdentifier } from "#app/domain/identity/rules/phones.ts";
import { resetLetter } from "#app/domain/identity/rules/mails.ts";
import type { LinkOutcome } from "#app/domain/identity/schema/account.ts";
import { clientOf } from "#app/integrations/local-identity/client-cookie.ts";
import { tellPasswordChanged } from "./account.server.ts";
import { askedForCode, sendCodeTo, triedSubject } from "./sent-codes.server.ts";
import {
  refuseCommonPassword,
  resetPassword,
} from "#app/integrations/local-identity/account.server.ts";
import { codeAllowances, countTry } from "#app/integrations/local-identity/attempts.server.ts";
import { challengeOfLink, tryCode } from "#app/integrations/local-identity/challenges.server.ts";
import { accountsOf } from "./asked.server.ts";
import { outcomeOf } from "./link-outcome.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { linkTo } from "#app/domain/identity/commands/letters.server.ts";

/**
 * "Esqueci minha senha": like `sendCodeTo`. The code may also prove the e-mail that the account
 * began with.
 */
export async function requestReset(
  asked: LocalAskedLater,
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
export async function resetWaiting(asked: LocalAsked): Promise<string | null> {
  const waiting = await askedForCode(asked, { purpose: "password-reset" });
  return waiting && shownIdentifier(waiting.address);
}

/** Sets the new password with the code that the mail brought to this browser's owner. */
export async function resetByCode(
  asked: LocalAsked,
  { code, password }: { code: string; password: string },
): Promise<void> {
  const accounts = accountsOf(asked);
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
  asked: LocalAsked,
  { token }: { token: string },
): Promise<LinkOutcome> {
  const accounts = accountsOf(asked);
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
  asked: LocalAsked,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const accounts = accountsOf(asked);
  refuseCommonPassword(password);
  const challenge = await challengeOfLink(accounts, {
    purpose: "password-reset",
    token,
    client: clientOf(asked.request),
  });
  await tellPasswordChanged(asked, await resetPassword(accounts, challenge, password));
}
