import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { shownForMethod } from "./shown-for-method.ts";

/**
 * Label of the method chosen in a form (`group/pay`). `automatic` is the label of Pix Automático,
 * where offered.
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
        <span key={method} className={shownForMethod[method].label}>
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
