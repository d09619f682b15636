import { PAYER_FIELD } from "#app/lib/payer-field.ts";

/**
 * Hidden field with the payer that the form was shown for. After their session ends, the typed
 * values return only to them. Another account that signs in cannot pay with the form.
 */
export function PayerField({ payerId }: { payerId: string | null }) {
  return payerId === null ? null : <input type="hidden" name={PAYER_FIELD} value={payerId} />;
}
