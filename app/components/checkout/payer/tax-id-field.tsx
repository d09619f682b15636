import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { shownForMethod } from "#app/components/checkout/methods/shown-for-method.ts";

type TaxIdFieldProps = {
  /**
   * Payment methods that need a tax id, from the choice in the form (`group/pay`). Empty where none
   * is asked.
   */
  methods: readonly PaymentMethod[];
  problem: FormProblem | undefined;
  /** A trial needs the tax id, whatever method follows it. */
  isTrial?: boolean;
};

/**
 * Tax id field. Some providers charge nobody without one, and a trial is granted once per tax id.
 * CSS alone shows it for a method that needs it, so it works without JavaScript.
 */
export function TaxIdField({ methods, problem, isTrial = false }: TaxIdFieldProps) {
  if (methods.length === 0) return null;
  return (
    <RequiredTaxIdField
      problem={problem}
      why={isTrial ? "O período grátis é uma vez por CPF ou CNPJ." : WHY}
      className={methods.length > 1 ? "" : shownForMethod[methods[0] ?? "pix"].field}
    />
  );
}

const WHY = "O banco pede para fazer a cobrança.";

/** Tax id field of a form without a choice of methods. */
export function RequiredTaxIdField({
  problem,
  why = WHY,
  className = "",
}: {
  problem: FormProblem | undefined;
  why?: string;
  className?: string;
}) {
  const { values = {}, errors = {} } = problem ?? {};
  return (
    <MaskedField
      mask="cpf-or-cnpj"
      label="CPF ou CNPJ"
      name="taxId"
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={20}
      // Not `required`: the browser would block the form for a hidden field.
      aria-required
      defaultValue={values.taxId}
      error={errors.taxId}
      hint={`${why} Guardamos para as próximas cobranças, e vai no seu recibo; quem vende não o vê.`}
      className={className}
    />
  );
}
