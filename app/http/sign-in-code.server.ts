import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { signInLetter } from "#app/domain/identity/rules/mails.ts";
import { shownIdentifier } from "#app/domain/identity/rules/phones.ts";
import { embedded } from "#app/http/account.server.ts";
import type { AskedLater } from "#app/http/account.server.ts";
import { memberOf } from "#app/http/identity.server.ts";
import { askedForCode, sendCodeTo, triedSubject } from "#app/http/sent-codes.server.ts";
import type { Asked, Entered } from "#app/http/session.server.ts";

/**
 * "Entrar com um código": like `sendCodeTo`, and only to what its owner confirmed, so that nobody
 * waits in an account for its true owner.
 */
export async function requestSignInCode(
  asked: AskedLater,
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
export async function signInCodeWaiting(asked: Asked): Promise<string | null> {
  const waiting = await askedForCode(asked, { purpose: "sign-in" });
  return waiting && shownIdentifier(waiting.address);
}

/**
 * Signs in with the code that went to the person who asked in this browser. Refuses a wrong, used
 * or old one and too many tries; where a second factor is on, it is asked for like after a
 * password. Refuses a suspended account.
 */
export async function signInBySentCode(asked: Asked, { code }: { code: string }): Promise<Entered> {
  const { accounts, codeAllowances, countTry, tryCode } = await embedded(asked);
  const { env, ctx, request } = asked;
  const waiting = await askedForCode(asked, { purpose: "sign-in" });
  if (!waiting) throw new VerificationNotSent();
  await countTry(
    accounts.db,
    codeAllowances(await triedSubject(asked, waiting), request),
    ctx.realNow(),
  );
  const challenge = await tryCode(accounts, waiting, code);
  const { enterWithSentCode } = await import("#app/integrations/local-identity/provider.server.ts");
  const { user, headers } = await enterWithSentCode(
    { db: env.DB, secret: accounts.secret, origin: env.APP_ORIGIN ?? "" },
    request,
    challenge,
  );
  return { member: await memberOf(ctx, "local", user), headers };
}
