import { getAddress, recoverMessageAddress, size } from "viem/utils";
import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import type { WalletAnswer } from "#app/domain/identity/external-accounts/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { ATTEMPT_LIFE_MS } from "./external-attempts.server.ts";

/** Ethereum's main network. An address is the same on every network, and one is easier to explain. */
const MAIN_NETWORK = 1;
const STATEMENT =
  "Entrar no Coreto com esta carteira. Assinar nao custa nada e nao movimenta dinheiro.";
const PATH = "/auth/wallet";
/**
 * R, s and v. A longer signature is a contract's (ERC-1271, ERC-6492), which only its network can
 * verify.
 */
const SIGNATURE_BYTES = 65;

type Site = { origin: string };

/** The message that a wallet signs (EIP-4361), valid for ten minutes. */
export function walletMessage(
  { origin }: Site,
  { address, nonce, now }: { address: string; nonce: string; now: Instant },
): string {
  const { host, protocol } = new URL(origin);
  return createSiweMessage({
    address: getAddress(address),
    chainId: MAIN_NETWORK,
    domain: host,
    // Without a scheme, https is implied.
    ...(protocol === "https:" ? {} : { scheme: protocol.slice(0, -1) }),
    uri: origin + PATH,
    version: "1",
    statement: STATEMENT,
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(now + ATTEMPT_LIFE_MS),
  });
}

/**
 * The nonce of a signed message, before its signature is verified: the caller consumes it, once.
 * Refuses any message that we did not write exactly so: every field is parsed, validated, and
 * written again.
 */
export function nonceOfMessage(
  { origin }: Site,
  { message }: Pick<WalletAnswer, "message">,
): string {
  const { address, nonce, issuedAt, chainId } = parseSiweMessage(message);
  if (
    address === undefined ||
    nonce === undefined ||
    issuedAt === undefined ||
    Number.isNaN(issuedAt.getTime())
  )
    throw new ExternalSignInFailed("web3_message_invalid");
  if (chainId !== MAIN_NETWORK) throw new ExternalSignInFailed("web3_wrong_network");
  const ours = writtenAgain({ origin }, { address, nonce, now: issuedAt.getTime() });
  if (message !== ours) throw new ExternalSignInFailed("web3_message_invalid");
  return nonce;
}

function writtenAgain(
  site: Site,
  parts: { address: string; nonce: string; now: Instant },
): string | null {
  try {
    return walletMessage(site, parts);
  } catch {
    return null;
  }
}

/**
 * The address that signed a message accepted by `nonceOfMessage`. Refuses one issued in the future
 * or expired, a contract's signature and any other key's.
 */
export async function addressOfSignature(
  { message, signature }: WalletAnswer,
  now: Instant,
): Promise<string> {
  const { address, issuedAt, expirationTime } = parseSiweMessage(message);
  if (address === undefined || issuedAt === undefined || expirationTime === undefined)
    throw new ExternalSignInFailed("web3_message_invalid");
  if (now < issuedAt.getTime() || now >= expirationTime.getTime())
    throw new ExternalSignInFailed("web3_message_expired");
  const signed = `0x${signature.slice(2)}` as const;
  if (size(signed) > SIGNATURE_BYTES) throw new ExternalSignInFailed("web3_contract_wallet");
  const signer =
    size(signed) === SIGNATURE_BYTES
      ? await recoverMessageAddress({ message, signature: signed }).catch(() => null)
      : null;
  if (signer === null || signer !== address)
    throw new ExternalSignInFailed("web3_signature_invalid");
  return signer;
}
