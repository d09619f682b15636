import type { Env } from "./env.ts";
import { stripeFieldPage } from "#app/integrations/stripe/card-field.ts";
import { readPaymentProvider } from "./payment-providers.ts";

/**
 * The page of ours that frames the card field of who takes cards; null where that one has a field,
 * or a page, of its own.
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
