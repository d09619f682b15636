import { useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { formatMoney } from "#app/domain/money.ts";
import { MINIMUM_PRICE_CENTS } from "#app/domain/plans/rules/limits.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const KINDS = [
  { value: "percent", label: "Por cento" },
  { value: "amount", label: "Em reais" },
];

const LASTS = [
  { value: "first", label: "Só no primeiro pagamento" },
  {
    value: "some",
    label: "Nos primeiros pagamentos",
    hint: "Quantos, no campo abaixo. Depois volta o preço inteiro, e avisamos antes.",
  },
  { value: "always", label: "Em todos os pagamentos" },
];

/** Form with the terms of a new coupon. */
export function CouponForm({
  plans,
  problem,
}: {
  plans: { id: string; name: string }[];
  problem: FormProblem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values: Record<string, string> = { kind: "percent", lasts: "first", ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm method="post" className="flex flex-col gap-5" noValidate>
      <ActingField />
      <FormMessage message={problem?.message} />
      <TextField
        label="Código"
        name="code"
        defaultValue={values.code}
        error={errors.code}
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        placeholder="VOLTA10"
      />
      <Choices
        legend="Tipo de desconto"
        name="kind"
        options={KINDS}
        defaultValue={values.kind}
        error={errors.kind}
        className="sm:grid sm:grid-cols-2"
      />
      <TextField
        label="Desconto"
        name="discount"
        defaultValue={values.discount}
        error={errors.discount}
        required
        inputMode="decimal"
        autoComplete="off"
        placeholder="10"
        hint={`Em por cento, um número de 1 a 99; em reais, como 5,00. O preço com desconto nunca fica abaixo de ${formatMoney(MINIMUM_PRICE_CENTS)}.`}
      />
      <Choices
        legend="Até quando"
        name="lasts"
        options={LASTS}
        defaultValue={values.lasts}
        error={errors.lasts}
      />
      <TextField
        label="Quantos pagamentos"
        name="cycles"
        defaultValue={values.cycles}
        error={errors.cycles}
        required={false}
        inputMode="numeric"
        autoComplete="off"
        hint="Só para “nos primeiros pagamentos”."
      />
      <TextField
        label="Limite de usos"
        name="usesLimit"
        defaultValue={values.usesLimit}
        error={errors.usesLimit}
        required={false}
        inputMode="numeric"
        autoComplete="off"
        hint="Cada pessoa usa uma vez. Deixe em branco para não ter limite."
      />
      <TextField
        label="Último dia"
        name="expiresOn"
        type="date"
        defaultValue={values.expiresOn}
        error={errors.expiresOn}
        required={false}
        hint="Deixe em branco para não vencer."
      />
      {plans.length > 1 ? (
        <Choices
          legend="Planos"
          name="plans"
          type="checkbox"
          options={plans.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={values.plans?.split("\n")}
          error={errors.plans}
          hint="Sem nenhum marcado, vale para todos."
        />
      ) : null}
      <Button size="lg" disabled={isBusy} className="self-start">
        Criar cupom
      </Button>
    </GuardedForm>
  );
}
