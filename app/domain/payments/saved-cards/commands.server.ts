import type { Context } from "#app/domain/context.ts";
import { loadPayer } from "#app/domain/payments/queries.server.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderSavedMethod } from "#app/domain/payments/schema.ts";

/**
 * Saves a person's card at the card acquirer without charging it. Its row is committed before.
 * `savedMethodId` is that row's id, the idempotency key, and the end of the bank's return address
 * (after `returnPath`). Throws ProviderRefused and ProviderUnclear.
 */
export async function requestCardSetup(
  ctx: Context,
  {
    savedMethodId,
    personId,
    cardToken,
    returnPath,
  }: { savedMethodId: string; personId: string; cardToken: string; returnPath: string },
): Promise<ProviderSavedMethod> {
  const provider = acquirerFor(ctx.payments, "card");
  const { taxId, ...payer } = await loadPayer(ctx, { personId });
  return await provider.saveMethod({
    savedMethodId,
    cardToken,
    payer: { ...payer, taxId: provider.needsPayerTaxId ? taxId : null },
    returnUrl: `${ctx.settings.appOrigin}${returnPath}/${savedMethodId}`,
  });
}
