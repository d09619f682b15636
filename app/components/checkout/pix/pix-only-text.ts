import { formatMoney } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

export const PREPAID_PIX_ONLY =
  "Vários períodos de uma vez se pagam só com Pix: cartão e Pix Automático cobram um período por vez.";

/**
 * Why only Pix is offered: several periods are paid at once, or the amount is below what a card
 * takes. Null where a card is offered too, or where nothing of this explains it.
 */
export function pixOnlyText({
  methods,
  amountCents,
  isPrepaid,
}: {
  methods: readonly PaymentMethod[];
  amountCents: number;
  isPrepaid: boolean;
}): string | null {
  if (methods.includes("card")) return null;
  if (isPrepaid) return PREPAID_PIX_ONLY;
  return amountCents < paymentMethods.card.minimumCents
    ? `Valores abaixo de ${formatMoney(paymentMethods.card.minimumCents)} se pagam só com Pix.`
    : null;
}
