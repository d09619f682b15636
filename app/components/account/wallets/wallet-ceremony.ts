import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import type { ExternalSignInPurpose } from "#app/domain/identity/external-accounts/schema.ts";

/** The interface that every wallet offers a page (EIP-1193). */
export type WalletProvider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
};

/** A wallet that announces itself (EIP-6963). `icon` is a data URL. */
export type FoundWallet = {
  id: string;
  name: string;
  icon: string | null;
  provider: WalletProvider;
};

type Signed = { done: true; message: string; signature: string } | { done: false; message: string };

const MAIN_NETWORK = "0x1";
const REJECTED = 4001;
const PENDING = -32_002;

/**
 * Asks the browser's wallets to announce themselves, and listens for later ones. Returns a function
 * that stops listening.
 */
export function listenForWallets(found: (wallet: FoundWallet) => void): () => void {
  const listener = (event: Event) => {
    const wallet = event instanceof CustomEvent ? announced(event.detail) : null;
    if (wallet) found(wallet);
  };
  window.addEventListener("eip6963:announceProvider", listener);
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  return () => window.removeEventListener("eip6963:announceProvider", listener);
}

/** The single injected wallet of browsers from before EIP-6963. */
export function injectedWallet(): FoundWallet | null {
  const provider: unknown = Reflect.get(window, "ethereum");
  return isProvider(provider)
    ? { id: "injected", name: "Carteira do navegador", icon: null, provider }
    : null;
}

/**
 * Reads the wallet's account and network, requests our challenge, then asks the wallet to sign it.
 * Failures have a Portuguese message.
 */
export async function walletCeremony(
  provider: WalletProvider,
  purpose: ExternalSignInPurpose,
): Promise<Signed> {
  try {
    const address = firstOf(await provider.request({ method: "eth_requestAccounts" }));
    if (address === null) return failed("web3_wallet_failed");
    if (!(await isOnMainNetwork(provider))) return failed("web3_wrong_network");
    const asked = await challenge(address, purpose);
    if (!asked.done) return asked;
    const signature = await provider.request({
      method: "personal_sign",
      params: [hexadecimal(asked.message), address],
    });
    if (typeof signature !== "string") return failed("web3_wallet_failed");
    const after = firstOf(await provider.request({ method: "eth_accounts" }));
    if (after?.toLowerCase() !== address.toLowerCase()) return failed("web3_account_switched");
    return { done: true, message: asked.message, signature };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

async function challenge(
  address: string,
  purpose: ExternalSignInPurpose,
): Promise<{ done: true; message: string } | { done: false; message: string }> {
  const answer = await fetch("/auth/wallet/challenge", {
    method: "POST",
    body: new URLSearchParams({ address, purpose }),
  });
  if (answer.redirected) window.location.assign(answer.url);
  const challengeAnswer = (await answer.json()) as {
    message?: string | null;
    errors?: Record<string, string>;
  };
  if (answer.ok && challengeAnswer.message) return { done: true, message: challengeAnswer.message };
  return {
    done: false,
    message:
      challengeAnswer.message ??
      Object.values(challengeAnswer.errors ?? {})[0] ??
      IDENTITY_MESSAGES.web3_wallet_failed,
  };
}

async function isOnMainNetwork(provider: WalletProvider): Promise<boolean> {
  if ((await provider.request({ method: "eth_chainId" })) === MAIN_NETWORK) return true;
  try {
    await provider.request({
      method: "wallet_switchEthereumChain",
      params: [{ chainId: MAIN_NETWORK }],
    });
  } catch {
    return false;
  }
  return (await provider.request({ method: "eth_chainId" })) === MAIN_NETWORK;
}

type Reason =
  | "web3_request_rejected"
  | "web3_request_pending"
  | "web3_wallet_failed"
  | "web3_wrong_network"
  | "web3_account_switched";

function reasonOf(error: unknown): Reason {
  const code: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  if (code === REJECTED) return "web3_request_rejected";
  return code === PENDING ? "web3_request_pending" : "web3_wallet_failed";
}

const failed = (reason: Reason): { done: false; message: string } => ({
  done: false,
  message: IDENTITY_MESSAGES[reason],
});

function announced(detail: unknown): FoundWallet | null {
  if (typeof detail !== "object" || detail === null) return null;
  const info: unknown = Reflect.get(detail, "info");
  const provider: unknown = Reflect.get(detail, "provider");
  if (typeof info !== "object" || info === null || !isProvider(provider)) return null;
  const [id, name, icon] = ["uuid", "name", "icon"].map((key): unknown => Reflect.get(info, key));
  if (typeof id !== "string" || typeof name !== "string") return null;
  return {
    id,
    name: name.slice(0, 60),
    icon: typeof icon === "string" && icon.startsWith("data:image/") ? icon : null,
    provider,
  };
}

function isProvider(value: unknown): value is WalletProvider {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "request") === "function"
  );
}

function firstOf(accounts: unknown): string | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : null;
  return typeof first === "string" ? first : null;
}

const hexadecimal = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
