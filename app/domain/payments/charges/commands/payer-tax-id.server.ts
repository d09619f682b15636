import type { Context } from "#app/domain/context.ts";
import { TaxIdRequired } from "#app/domain/payments/errors.ts";
import { hasPayerTaxId } from "#app/domain/payments/queries.server.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/**
 * For a command that writes, or takes something back, before it charges: refuses TaxIdRequired
 * where who takes `method` charges nobody without a CPF or CNPJ and none is kept of who pays, so
 * that nothing is lost for a charge that cannot be made.
 */
export async function requirePayerTaxId(
  ctx: Context,
  { payerId, method }: { payerId: string; method: PaymentMethod },
): Promise<void> {
  if (!acquirerFor(ctx.payments, method).needsPayerTaxId) return;
  if (!(await hasPayerTaxId(ctx, { payerId }))) throw new TaxIdRequired();
}
