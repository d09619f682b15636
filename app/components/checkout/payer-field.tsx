import { PAYER_FIELD } from "#app/lib/payer-field.ts";

/**
 * For whom the form was shown, so that what they type comes back to them alone when their session
 * is over, and nobody who signs in meanwhile pays by it.
 */
export function PayerField({ payerId }: { payerId: string | null }) {
  return payerId === null ? null : <input type="hidden" name={PAYER_FIELD} value={payerId} />;
}
