import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * Label of the method chosen in a form (`group/pay`), by CSS alone, so it works without JavaScript.
 * `automatic` is the label of Pix Automático, where offered.
 */
export function ChosenMethodLabel({
  labels,
  automatic = null,
}: {
  labels: Record<PaymentMethod, string>;
  automatic?: string | null;
}) {
  return (
    <>
      {PAYMENT_METHODS.map((method) => (
        <span key={method} className={SHOWN_FOR[method]}>
          {labels[method]}
        </span>
      ))}
      {automatic === null ? null : (
        <span className="hidden group-has-[input[value=automatic]:checked]/pay:inline">
          {automatic}
        </span>
      )}
    </>
  );
}

/** Visibility classes by method. Without a choice, Pix shows. */
const SHOWN_FOR: Record<PaymentMethod, string> = {
  pix: "group-has-[input[value^=card]:checked]/pay:hidden group-has-[input[value=automatic]:checked]/pay:hidden",
  card: "hidden group-has-[input[value^=card]:checked]/pay:inline",
};
