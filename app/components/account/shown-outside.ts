import type { ExternalAccountView } from "#app/components/account/outside-accounts.tsx";
import { WALLET } from "#app/domain/identity/schema/outside.ts";
import type { ExternalAccount } from "#app/domain/identity/schema/outside.ts";
import { formatDay } from "#app/domain/time.ts";

/** Outside accounts in words. `nameOf` gives the name of a provider by its id. */
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
