import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { everyProvider } from "#app/domain/payments/rules/providers.ts";

/** What each provider that is configured says it holds of ours now, free or on its way (centavos), by name; null of one that does not answer. */
export async function providerBalances(ctx: Context): Promise<Map<string, Cents | null>> {
  const asked = everyProvider(ctx.payments).map(async (provider): Promise<[string, Cents | null]> => {
    try {
      const { availableCents, pendingCents } = await provider.balance();
      return [provider.name, availableCents + pendingCents];
    } catch (error) {
      ctx.log("payments.balance_unknown", { provider: provider.name, error: error instanceof Error ? error.name : "unknown" });
      return [provider.name, null];
    }
  });
  return new Map(await Promise.all(asked));
}
