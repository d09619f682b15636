import { methodSchema } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/**
 * The label of the method that a form (`group/pay`) has chosen, by CSS alone, so that it does
 * without JavaScript too. `automatic`: the label of Pix Automático, where a form has it.
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
      {methodSchema.options.map((method) => (
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

/** The first method is shown where none is chosen. */
const SHOWN_FOR: Record<PaymentMethod, string> = {
  pix: "group-has-[input[value^=card]:checked]/pay:hidden group-has-[input[value=automatic]:checked]/pay:hidden",
  card: "hidden group-has-[input[value^=card]:checked]/pay:inline",
};
