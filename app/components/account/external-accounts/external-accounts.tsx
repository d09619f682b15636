import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

export type ExternalAccountView = {
  id: string;
  name: string;
  label: string;
  isWallet: boolean;
  since: string;
};

/** External accounts and wallets that sign in to this account, or a text when there are none. */
export function ExternalAccountList({
  accounts,
  empty,
}: {
  accounts: readonly ExternalAccountView[];
  empty: string;
}) {
  if (accounts.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line">
        {accounts.map((account) => (
          <li
            key={account.id}
            className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
          >
            <span className="flex min-w-0 flex-1 basis-48 flex-col">
              <span className="font-semibold">{account.name}</span>
              <span
                className={`text-small text-muted wrap-anywhere ${account.isWallet ? "font-mono" : ""}`}
              >
                {account.label}
              </span>
              <span className="text-small text-muted">Desde {account.since}</span>
            </span>
            <ButtonLink
              to={`/auth/account/connections/${account.id}/removal`}
              variant="outline"
              size="sm"
              aria-label={`Desligar ${account.name} ${account.label}`}
            >
              Desligar
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
