import type { ExternalAccountView } from "./external-accounts.tsx";
import { WALLET } from "#app/domain/identity/external-accounts/schema.ts";
import type { ExternalAccount } from "#app/domain/identity/external-accounts/schema.ts";
import { formatDay } from "#app/domain/time.ts";

/** Builds the display text of external accounts. `nameOf` gives a provider's name by id. */
export function externalAccountViews(
  accounts: readonly ExternalAccount[],
  nameOf: (providerId: string) => string,
): ExternalAccountView[] {
  return accounts.map(({ id, providerId, accountId, label, since }) => {
    const isWallet = providerId === WALLET;
    return {
      id,
      name: nameOf(providerId),
      label: label ?? (isWallet ? accountId : "Ligada no cadastro"),
      isWallet,
      since: formatDay(since),
    };
  });
}
