import type { Env } from "#app/configuration/env.ts";
import { stripeFieldPage } from "#app/integrations/stripe/card-field.ts";
import { readPaymentProvider } from "#app/configuration/payment-providers.ts";

/**
 * Returns our page that frames the acquirer's card field. Null where that provider has its own
 * field or page.
 */
export function cardFieldPage(env: Env, { theme }: { theme: string | null }): Response | null {
  const { payments } = readPaymentProvider(env);
  const taker = payments?.providers.find(({ provider }) => provider === payments.card);
  if (taker?.provider !== "stripe" || taker.publishableKey === null) return null;
  return stripeFieldPage({
    publishableKey: taker.publishableKey,
    theme,
    nonce: crypto.randomUUID(),
  });
}
