import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { signInCodeEmail } from "#app/domain/identity/emails/rules/emails.ts";
import { formatIdentifier } from "#app/domain/identity/contacts/rules/phones.ts";
import type { Identified } from "#app/domain/identity/schema.ts";
import { codeLimits, countAttempt } from "#app/integrations/local-identity/rate-limits.server.ts";
import { checkCode } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { enterWithSentCode } from "#app/integrations/local-identity/provider.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { lastCodeRequest, sendCodeTo, codeRateLimitSubject } from "./sent-codes.server.ts";

/**
 * "Entrar com um código": like `sendCodeTo`, but only to a confirmed contact, so that nobody
 * prepares an account for the contact's true owner.
 */
export async function requestSignInCode(
  asked: LocalAskedLater,
  { identifier }: { identifier: string },
): Promise<{ cookie: string }> {
  return sendCodeTo(asked, {
    purpose: "sign-in",
    identifier,
    toVerifiedOnly: true,
    letter: signInCodeEmail,
    act: "entrar",
  });
}

/** The last identifier typed in this browser for a sign-in code; null without one. */
export async function signInCodeWaiting(asked: LocalAsked): Promise<string | null> {
  const waiting = await lastCodeRequest(asked, { purpose: "sign-in" });
  return waiting && formatIdentifier(waiting.address);
}

/**
 * Signs in with the code sent to the person who asked in this browser. Refuses a wrong, used or
 * expired one and too many attempts. A second factor is required as after a password.
 */
export async function enterBySentCode(
  asked: LocalAsked,
  { code }: { code: string },
): Promise<Identified> {
  const { local, ctx, request } = asked;
  const accounts = accountsOf(asked);
  const waiting = await lastCodeRequest(asked, { purpose: "sign-in" });
  if (!waiting) throw new VerificationNotSent();
  await countAttempt(
    accounts.db,
    codeLimits(await codeRateLimitSubject(asked, waiting), request),
    ctx.realNow(),
  );
  const challenge = await checkCode(accounts, waiting, code);
  return enterWithSentCode(local, request, challenge);
}
