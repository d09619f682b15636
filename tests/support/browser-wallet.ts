import type { Page } from "playwright-core";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

/** How the wallet behaves. A test changes it as its owner would. */
type WalletMood = {
  chainId: string;
  rejects: boolean;
  refusesSwitch: boolean;
  switchesAccountAfterSigning: boolean;
};
export type BrowserWallet = { address: string; mood: WalletMood };

type Answer = { result: unknown } | { code: number };

/**
 * Installs a wallet in the page as a browser extension does (EIP-1193). It announces itself
 * (EIP-6963). An old one is only in `window.ethereum`. It signs with a real key.
 */
export async function installWallet(page: Page, { isOld = false } = {}): Promise<BrowserWallet> {
  const account = privateKeyToAccount(generatePrivateKey());
  const mood: WalletMood = {
    chainId: "0x1",
    rejects: false,
    refusesSwitch: false,
    switchesAccountAfterSigning: false,
  };
  let hasSigned = false;
  await page.exposeFunction(
    "answerOfWallet",
    async (method: string, params: unknown[]): Promise<Answer> => {
      if (method === "eth_requestAccounts" || method === "eth_accounts") {
        const other = hasSigned && mood.switchesAccountAfterSigning;
        return {
          result: [
            other ? "0x000000000000000000000000000000000000dEaD" : account.address.toLowerCase(),
          ],
        };
      }
      if (method === "eth_chainId") return { result: mood.chainId };
      if (method === "wallet_switchEthereumChain") {
        if (mood.refusesSwitch) return { code: 4001 };
        mood.chainId = "0x1";
        return { result: null };
      }
      if (method !== "personal_sign" || mood.rejects) return { code: 4001 };
      hasSigned = true;
      return {
        result: await account.signMessage({ message: { raw: String(params[0]) as `0x${string}` } }),
      };
    },
  );
  await page.addInitScript(injected, isOld);
  return { address: account.address, mood };
}

/** Runs in the page. */
function injected(isOld: boolean): void {
  const provider = {
    async request({
      method,
      params = [],
    }: {
      method: string;
      params?: unknown[];
    }): Promise<unknown> {
      const ask = Reflect.get(window, "answerOfWallet") as (
        method: string,
        params: unknown[],
      ) => Promise<Answer>;
      const answer = await ask(method, params);
      if ("code" in answer) throw Object.assign(new Error("refused"), { code: answer.code });
      return answer.result;
    },
  };
  if (isOld) return void Reflect.set(window, "ethereum", provider);
  const info = {
    uuid: "350670db-19fa-4704-a166-e52e178b59d2",
    name: "Carteira de Teste",
    icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
    rdns: "test.wallet",
  };
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
    );
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}
