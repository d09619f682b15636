import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { formatIdentifier } from "#app/domain/identity/contacts/rules/phones.ts";
import { passwordResetEmail } from "#app/domain/identity/emails/rules/emails.ts";
import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";
import { browserSecret } from "#app/integrations/local-identity/sessions/client-cookie.ts";
import { notifyPasswordChanged } from "./account.server.ts";
import { lastCodeRequest, sendCodeTo, codeRateLimitSubject } from "./sent-codes.server.ts";
import {
  refuseCommonPassword,
  resetPassword,
} from "#app/integrations/local-identity/account/account.server.ts";
import { codeLimits, countAttempt } from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  challengeByLink,
  checkCode,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { accountsOf } from "./asked.server.ts";
import { outcomeOf } from "./link-outcome.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { linkTo } from "#app/domain/identity/commands/letters.server.ts";

/** "Esqueci minha senha": like `sendCodeTo`. The code can also verify the account's first email. */
export async function requestPasswordReset(
  asked: LocalAskedLater,
  { identifier }: { identifier: string },
): Promise<{ cookie: string }> {
  return sendCodeTo(asked, {
    purpose: "password-reset",
    identifier,
    toVerifiedOnly: false,
    letter: ({ code, token }) =>
      passwordResetEmail({ code, link: linkTo(asked.ctx, `/auth/reset/${token}`) }),
    act: "criar uma nova senha",
  });
}

/** The last identifier typed in this browser for a password reset; null without one. */
export async function pendingPasswordReset(asked: LocalAsked): Promise<string | null> {
  const waiting = await lastCodeRequest(asked, { purpose: "password-reset" });
  return waiting && formatIdentifier(waiting.address);
}

/** Sets the new password with the emailed code, in the browser that requested it. */
export async function resetPasswordByCode(
  asked: LocalAsked,
  { code, password }: { code: string; password: string },
): Promise<void> {
  const accounts = accountsOf(asked);
  refuseCommonPassword(password);
  const waiting = await lastCodeRequest(asked, { purpose: "password-reset" });
  if (!waiting) throw new VerificationNotSent();
  await countAttempt(
    accounts.db,
    codeLimits(await codeRateLimitSubject(asked, waiting), asked.request),
    asked.ctx.realNow(),
  );
  const challenge = await checkCode(accounts, waiting, code);
  await notifyPasswordChanged(asked, await resetPassword(accounts, challenge, password));
}

/** The outcome of the email's link in this browser, before a new password is typed. */
export async function passwordResetLinkOutcome(
  asked: LocalAsked,
  { token }: { token: string },
): Promise<LinkOutcome> {
  const accounts = accountsOf(asked);
  return outcomeOf(async () => {
    await challengeByLink(accounts, {
      purpose: "password-reset",
      token,
      client: browserSecret(asked.request),
    });
    return "ready";
  });
}

/** Sets the new password with the email's link, which replaces its code. */
export async function resetPasswordByLink(
  asked: LocalAsked,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const accounts = accountsOf(asked);
  refuseCommonPassword(password);
  const challenge = await challengeByLink(accounts, {
    purpose: "password-reset",
    token,
    client: browserSecret(asked.request),
  });
  await notifyPasswordChanged(asked, await resetPassword(accounts, challenge, password));
}
