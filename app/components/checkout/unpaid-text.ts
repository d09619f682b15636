import { methodTexts } from "#app/components/payments/method-words.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/**
 * What is said of a payment that nobody made in time, or that was let go for another way: only a
 * Pix has a code, and what was let go did not run out.
 */
export function unpaidText({
  status,
  method,
}: {
  status: "expired" | "canceled";
  method: PaymentMethod;
}): { title: string; sentence: string } {
  const { expired, paidLate } = methodTexts[method];
  if (status === "canceled")
    return {
      title: "Pagamento cancelado",
      sentence: `Este pagamento não vale mais, e nada foi cobrado por ele. ${paidLate}`,
    };
  return { title: expired.title, sentence: `${expired.sentence} ${paidLate}` };
}
