import { Wallet } from "lucide-react";
import { useEffect, useState } from "react";
import { useSubmit } from "react-router";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import type { ExternalSignInPurpose } from "#app/domain/identity/external-accounts/schema.ts";
import { injectedWallet, listenForWallets, walletCeremony } from "./wallet-ceremony.ts";
import type { FoundWallet } from "./wallet-ceremony.ts";

type WalletButtonsProps = {
  purpose: ExternalSignInPurpose;
  action: string;
  verb: string;
  problem: string | null | undefined;
};

/** One button for each wallet of this browser. Without JavaScript, a text says it is needed. */
export function WalletButtons({ purpose, action, verb, problem }: WalletButtonsProps) {
  const isAwake = useHydrated();
  const wallets = useWallets();
  const submit = useSubmit();
  const [message, setMessage] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const sign = async (wallet: FoundWallet) => {
    setBusy(true);
    setMessage(null);
    const ceremony = await walletCeremony(wallet.provider, purpose);
    setBusy(false);
    if (!ceremony.done) return setMessage(ceremony.message);
    return submit(
      { message: ceremony.message, signature: ceremony.signature },
      { method: "post", action },
    );
  };
  if (!isAwake)
    return (
      <p className="text-muted">
        Uma carteira conversa com a página por JavaScript. Ligue o JavaScript do navegador, ou entre
        de outra forma.
      </p>
    );
  return (
    <div className="flex flex-col gap-3">
      <FormMessage message={message ?? problem} />
      {wallets.length === 0 ? (
        <p className="text-muted">{IDENTITY_MESSAGES.web3_wallet_missing}</p>
      ) : null}
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          type="button"
          variant="outline"
          size="lg"
          disabled={isBusy}
          onClick={() => void sign(wallet)}
        >
          {wallet.icon ? (
            <img src={wallet.icon} alt="" width={20} height={20} className="size-5" />
          ) : (
            <Wallet aria-hidden="true" className="size-5" />
          )}
          {verb} {wallet.name}
        </Button>
      ))}
      {isBusy ? (
        <p role="status" className="text-muted">
          Confirme na sua carteira.
        </p>
      ) : null}
    </div>
  );
}

/** Wallets that announce themselves, or the injected one of older browsers. */
function useWallets(): FoundWallet[] {
  const [wallets, setWallets] = useState<FoundWallet[]>([]);
  const isAwake = useHydrated();
  useEffect(
    () =>
      listenForWallets((found) =>
        setWallets((current) =>
          current.some(({ id }) => id === found.id) ? current : [...current, found],
        ),
      ),
    [],
  );
  const injected = isAwake && wallets.length === 0 ? injectedWallet() : null;
  return injected ? [injected] : wallets;
}
