import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { signInLetter } from "#app/domain/identity/rules/mails.ts";
import { shownIdentifier } from "#app/domain/identity/rules/phones.ts";
import type { Identified } from "#app/domain/identity/schema.ts";
import { codeAllowances, countTry } from "#app/integrations/local-identity/attempts.server.ts";
import { tryCode } from "#app/integrations/local-identity/challenges.server.ts";
import { enterWithSentCode } from "#app/integrations/local-identity/provider.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { askedForCode, sendCodeTo, triedSubject } from "./sent-codes.server.ts";

/**
 * "Entrar com um código": like `sendCodeTo`, and only to what its owner confirmed, so that nobody
 * waits in an account for its true owner.
 */
export async function requestSignInCode(
  asked: LocalAskedLater,
  { identifier }: { identifier: string },
): Promise<{ cookie: string }> {
  return sendCodeTo(asked, {
    purpose: "sign-in",
    identifier,
    toVerifiedOnly: true,
    letter: signInLetter,
    act: "entrar",
  });
}

/** What this browser typed last to enter by a code, or null. */
export async function signInCodeWaiting(asked: LocalAsked): Promise<string | null> {
  const waiting = await askedForCode(asked, { purpose: "sign-in" });
  return waiting && shownIdentifier(waiting.address);
}

/**
 * Signs in with the code that went to the person who asked in this browser. Refuses a wrong, used
 * or old one and too many tries; where a second factor is on, it is asked for like after a
 * password.
 */
export async function enterBySentCode(
  asked: LocalAsked,
  { code }: { code: string },
): Promise<Identified> {
  const { local, ctx, request } = asked;
  const accounts = accountsOf(asked);
  const waiting = await askedForCode(asked, { purpose: "sign-in" });
  if (!waiting) throw new VerificationNotSent();
  await countTry(
    accounts.db,
    codeAllowances(await triedSubject(asked, waiting), request),
    ctx.realNow(),
  );
  const challenge = await tryCode(accounts, waiting, code);
  return enterWithSentCode(local, request, challenge);
}
