import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { transferFault } from "#app/domain/payments/providers/rules/transfer-faults.ts";
import type { PaymentProvider, PixKeyKind } from "#app/domain/payments/schema.ts";
import { KEY_LOOKUPS_PER_MINUTE } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { externalKey } from "./answers.ts";
import { EXTERNAL_KEYS_PATH, get } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";

/** Formats a key for Asaas, with its kind: a phone without the country code. */
export const asaasKey = (kind: PixKeyKind, key: string): { type: string; key: string } => ({
  type: kind.toUpperCase(),
  key: kind === "phone" ? key.replace(/^\+55/, "") : key,
});

/**
 * Looks up the owner of a key in DICT. A 400 or 404 means that the key does not exist, unless it is
 * about our account. A sixth key within a minute (`KEY_LOOKUPS_PER_MINUTE`; Asaas, "Limites da
 * API") is not requested. It is unclear, as the 429 would be, and uses none of the account's
 * requests.
 */
export function asaasPixKeys(api: AsaasApi) {
  return {
    async pixKeyOwner({ kind, key }) {
      if (!(await hasTurn(api)))
        throw new ProviderUnclear(`GET ${EXTERNAL_KEYS_PATH}: asked for often enough`, {
          retryAfterMs: MINUTE_MS,
        });
      try {
        const { owner } = await api.ask(externalKey, get(EXTERNAL_KEYS_PATH, asaasKey(kind, key)));
        return { name: owner.name, taxId: owner.cpfCnpj };
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        if (transferFault(error.code) === "house")
          throw new ProviderUnclear(`GET ${EXTERNAL_KEYS_PATH}: ${error.code}`, {
            retryAfterMs: MINUTE_MS,
          });
        return null;
      }
    },
  } satisfies Partial<PaymentProvider>;
}

/** Acquires one of five leases, each held for a minute. */
async function hasTurn(api: AsaasApi): Promise<boolean> {
  for (let turn = 0; turn < KEY_LOOKUPS_PER_MINUTE; turn += 1)
    if (await api.takeTurn(`key-owner:${turn}`, MINUTE_MS)) return true;
  return false;
}
