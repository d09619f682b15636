import { MaskedField } from "#app/components/ui/masked-field.tsx";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type TaxIdFieldProps = {
  /**
   * The ways of paying that need it, of which the form (`group/pay`) has a choice; none where it is
   * not asked.
   */
  methods: readonly PaymentMethod[];
  problem: FormProblem | undefined;
  /** It is asked for free days, whatever they go on with. */
  isTrial?: boolean;
};

/**
 * The number that a provider charges nobody without, or that has free days once: there while a way
 * is chosen that needs it, by CSS alone, so that it does without JavaScript too.
 */
export function TaxIdField({ methods, problem, isTrial = false }: TaxIdFieldProps) {
  if (methods.length === 0) return null;
  return (
    <RequiredTaxIdField
      problem={problem}
      why={isTrial ? "O período grátis é uma vez por CPF ou CNPJ." : WHY}
      className={methods.length > 1 ? "" : ONLY_FOR[methods[0] ?? "pix"]}
    />
  );
}

const WHY = "O banco pede para fazer a cobrança.";

/** The same in a form that has no choice. */
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
      // Not `required`: a browser would stop a form for a field that is hidden.
      aria-required
      defaultValue={values.taxId}
      error={errors.taxId}
      hint={`${why} Guardamos para as próximas cobranças, e vai no seu recibo; quem vende não o vê.`}
      className={className}
    />
  );
}

const ONLY_FOR: Record<PaymentMethod, string> = {
  pix: "hidden group-has-[input[value=pix]:checked]/pay:flex group-has-[input[value=automatic]:checked]/pay:flex",
  card: "hidden group-has-[input[value^=card]:checked]/pay:flex",
};
