import { getAddress, recoverMessageAddress, size } from "viem/utils";
import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import type { WalletAnswer } from "#app/domain/identity/external-accounts/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { ATTEMPT_LIFE_MS } from "./external-attempts.server.ts";

/** Ethereum's main network: an address is the same everywhere, and one network is easier to explain. */
const MAIN_NETWORK = 1;
const STATEMENT =
  "Entrar no Coreto com esta carteira. Assinar nao custa nada e nao movimenta dinheiro.";
const PATH = "/auth/wallet";
/**
 * R, s and v. Anything longer is a contract's (ERC-1271, ERC-6492), which only its network could
 * check.
 */
const SIGNATURE_BYTES = 65;

type Site = { origin: string };

/** What a wallet is asked to sign (EIP-4361), for ten minutes. */
export function walletMessage(
  { origin }: Site,
  { address, nonce, now }: { address: string; nonce: string; now: Instant },
): string {
  const { host, protocol } = new URL(origin);
  return createSiweMessage({
    address: getAddress(address),
    chainId: MAIN_NETWORK,
    domain: host,
    // Without one, https is meant.
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
 * The nonce of a signed message, before anything of it is believed: the caller spends it, once.
 * Refuses whatever is not, letter by letter, a message that we write: every field is read, judged,
 * and written again.
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
 * The address that signed a message which `nonceOfMessage` took. Refuses one issued later than now
 * or over, a contract's signature and any other key's.
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
