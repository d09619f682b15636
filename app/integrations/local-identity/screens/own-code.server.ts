import { VerificationNotSent } from "#app/domain/identity/errors.ts";
import { ownCodeEmail } from "#app/domain/identity/emails/rules/emails.ts";
import { PasswordAsked } from "#app/domain/identity/external-accounts/errors.ts";
import { decideOwnerProof } from "#app/domain/identity/sign-in/rules/owner-proof.ts";
import {
  confirmByCodeRecently,
  localAccountStatus,
} from "#app/integrations/local-identity/account/account.server.ts";
import { signInMethods } from "#app/integrations/local-identity/external-accounts/external-accounts.server.ts";
import { codeLimits, countAttempt } from "#app/integrations/local-identity/rate-limits.server.ts";
import { checkCode } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { lastCodeRequest, sendCodeTo, codeRateLimitSubject } from "./sent-codes.server.ts";

/**
 * "Receber um código": emails a code to the current user, whose account has no password to type.
 * Refuses an account with one, and like `sendCodeTo`.
 */
export async function requestOwnCode(asked: LocalAskedLater): Promise<{ cookie: string }> {
  const { email } = await ownerWithoutPassword(asked);
  return sendCodeTo(asked, {
    purpose: "reauthentication",
    identifier: email,
    toVerifiedOnly: true,
    letter: ownCodeEmail,
    act: "confirmar que é você",
  });
}

/**
 * The right code counts as recent authentication for ten minutes. Refuses a wrong, used or expired
 * one, too many attempts, a code of another account, and an account with a password.
 */
export async function confirmByOwnCode(
  asked: LocalAsked,
  { code }: { code: string },
): Promise<void> {
  const accounts = accountsOf(asked);
  const { userId } = await ownerWithoutPassword(asked);
  const waiting = await lastCodeRequest(asked, { purpose: "reauthentication" });
  if (waiting?.userId !== userId) throw new VerificationNotSent();
  await countAttempt(
    accounts.db,
    codeLimits(await codeRateLimitSubject(asked, waiting), asked.request),
    asked.ctx.realNow(),
  );
  const challenge = await checkCode(accounts, waiting, code);
  await confirmByCodeRecently(accounts, asked.request, challenge);
}

async function ownerWithoutPassword(asked: LocalAsked) {
  const accounts = accountsOf(asked);
  const owner = await localAccountStatus(accounts, asked.request);
  if (decideOwnerProof(await signInMethods(accounts.db, owner.userId)) === "password")
    throw new PasswordAsked();
  return owner;
}
