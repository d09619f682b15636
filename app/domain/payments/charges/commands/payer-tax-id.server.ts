import type { Context } from "#app/domain/context.ts";
import { TaxIdRequired } from "#app/domain/payments/errors.ts";
import { hasPayerTaxId } from "#app/domain/payments/queries.server.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * Refuses TaxIdRequired if the acquirer of `method` requires a CPF or CNPJ and the payer has none
 * saved. A command calls it before it writes or cancels anything. Nothing is then lost for a charge
 * that cannot be made.
 */
export async function requirePayerTaxId(
  ctx: Context,
  { payerId, method }: { payerId: string; method: PaymentMethod },
): Promise<void> {
  if (!acquirerFor(ctx.payments, method).needsPayerTaxId) return;
  if (!(await hasPayerTaxId(ctx, { payerId }))) throw new TaxIdRequired();
}
