import { methodTexts } from "#app/components/payments/method-words.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * Text of an expired or canceled charge. Only Pix has a code, and a charge abandoned for another
 * method did not expire.
 */
export function unpaidText({
  status,
  method,
}: {
  status: "expired" | "canceled";
  method: PaymentMethod;
}): { title: string; text: string } {
  const { expired, paidLate } = methodTexts[method];
  if (status === "canceled")
    return {
      title: "Pagamento cancelado",
      text: `Este pagamento não vale mais, e nada foi cobrado por ele. ${paidLate}`,
    };
  return { title: expired.title, text: `${expired.text} ${paidLate}` };
}
