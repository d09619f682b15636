import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import type { Arrival } from "#app/domain/identity/embedded/schema.ts";
import { WALLET } from "#app/domain/identity/external-accounts/schema.ts";
import type {
  ExternalSignInPurpose,
  WalletAnswer,
} from "#app/domain/identity/external-accounts/schema.ts";
import {
  countAttempt,
  externalSignInLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  browserSecret,
  ensureBrowserSecret,
} from "#app/integrations/local-identity/sessions/client-cookie.ts";
import {
  startExternalAttempt,
  consumeExternalAttempt,
} from "#app/integrations/local-identity/external-accounts/external-attempts.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked } from "./asked.server.ts";
import { arrive, whoGoes } from "./outside.server.ts";

/**
 * The message for this browser's wallet to sign, and the cookie that binds the answer to the
 * browser.
 */
export async function walletChallenge(
  asked: LocalAsked,
  { address, purpose }: { address: string; purpose: ExternalSignInPurpose },
  confirm: () => Promise<void>,
): Promise<{ message: string; cookie: string }> {
  const { ctx, request } = asked;
  const accounts = accountsOf(asked);
  await countAttempt(accounts.db, externalSignInLimits(request), ctx.realNow());
  const userId = await whoGoes(asked, purpose, confirm);
  const { client, cookie } = ensureBrowserSecret(request);
  const nonce = await startExternalAttempt(accounts, {
    providerId: WALLET,
    purpose,
    userId,
    client,
    returnPath: "/",
  });
  const { walletMessage } =
    await import("#app/integrations/local-identity/external-accounts/wallets.server.ts");
  return { message: walletMessage(asked.local, { address, nonce, now: ctx.realNow() }), cookie };
}

/**
 * Handles a signed message (EIP-4361). Its nonce is consumed even if the signature is wrong: one
 * attempt per message.
 */
export async function walletAnswered(
  asked: LocalAsked,
  answer: WalletAnswer,
  { to }: { to: string },
): Promise<Arrival> {
  const { addressOfSignature, nonceOfMessage } =
    await import("#app/integrations/local-identity/external-accounts/wallets.server.ts");
  const token = nonceOfMessage(asked.local, answer);
  const attempt = await consumeExternalAttempt(accountsOf(asked), {
    providerId: WALLET,
    token,
    client: browserSecret(asked.request),
  }).catch(throwWalletRefusal);
  const accountId = await addressOfSignature(answer, asked.ctx.realNow());
  const person = {
    providerId: WALLET,
    accountId,
    email: null,
    isEmailProven: false,
    name: null,
    username: null,
  };
  return arrive(asked, { ...attempt, returnPath: to }, person);
}

function throwWalletRefusal(error: unknown): never {
  const isOver =
    error instanceof ExternalSignInFailed &&
    (error.code === "oauth_attempt_used" || error.code === "oauth_attempt_expired");
  throw isOver ? new ExternalSignInFailed("web3_message_expired") : error;
}
