import type { Context } from "#app/domain/context.ts";
import { loadPayer } from "#app/domain/payments/queries.server.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderSavedMethod } from "#app/domain/payments/schema.ts";

/**
 * Asks who takes cards to keep the one of `cardToken` for a person, without charging anything. Its
 * row is committed before: `savedMethodId` is that row's id, the key, and the end of the address
 * (after `returnPath`) where its bank sends them back. Throws ProviderRefused and ProviderUnclear.
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
