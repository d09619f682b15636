import { Link, useNavigation } from "react-router";
import { KeyFields } from "#app/components/payouts/destinations/key-fields.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type SellerDetailsFormProps = {
  problem: FormProblem | undefined;
  defaults: Record<string, string>;
  submitLabel: string;
  /** Text of the current payout destination: the form then asks for no key. */
  keeps: string | null;
};

const KINDS = [
  { value: "person", label: "Pessoa", hint: "Você vende em seu nome, com o seu CPF." },
  {
    value: "company",
    label: "Empresa",
    hint: "Quem vende é a empresa, com o CNPJ dela. MEI também.",
  },
];

/**
 * Form with the seller's identity and payout destination: the minimum that law and bank require.
 * CSS alone shows a company's fields when chosen.
 */
export function SellerDetailsForm({
  problem,
  defaults,
  submitLabel,
  keeps,
}: SellerDetailsFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values = { ...defaults, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm method="post" className="group/seller flex flex-col gap-5" noValidate>
      <FormMessage message={problem?.message} />
      <Choices
        legend="Quem vende"
        name="kind"
        options={KINDS}
        defaultValue={values.kind ?? "person"}
        error={errors.kind}
        className="sm:[&>label]:flex-1"
      />
      <CompanyFields values={values} errors={errors} />
      <TextField
        label="Nome completo"
        name="fullName"
        autoComplete="name"
        defaultValue={values.fullName}
        error={errors.fullName}
        limit={120}
        required
        hint={
          <>
            Como está no seu documento.
            <span className="group-has-[input[value=company]:checked]/seller:hidden">
              {" "}
              Aparece para quem compra, como a lei pede.
            </span>
          </>
        }
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <MaskedField
          mask="cpf"
          label="CPF"
          name="cpf"
          autoComplete="off"
          placeholder="000.000.000-00"
          maxLength={20}
          defaultValue={values.cpf}
          error={errors.cpf}
          required
        />
        <MaskedField
          mask="date"
          label="Data de nascimento"
          name="birthDate"
          autoComplete="bday"
          placeholder="31/12/1990"
          maxLength={20}
          defaultValue={values.birthDate}
          error={errors.birthDate}
          required
        />
      </div>
      {errors.contests ? (
        <CheckboxField
          label="O número é meu, e a outra conta não"
          name="contests"
          error={errors.contests}
          hint="Até a decisão, a sua página não vende."
        />
      ) : null}
      {keeps === null || errors.pixKey ? (
        <KeyFields
          values={values}
          errors={errors}
          kind={values.kind === "company" ? "cnpj" : null}
        />
      ) : (
        <p>
          O dinheiro continua indo para: {keeps}. Dá para trocar em{" "}
          <Link to="/settings/withdrawal-method" className="text-leaf underline underline-offset-4">
            Para onde vai o dinheiro
          </Link>
          .
        </p>
      )}
      <p className="text-small text-muted">
        Guardamos só o que a lei pede, e só a moderação vê. Conferimos em até 14 dias; enquanto isso
        você já vende, e os saques abrem com a aprovação.
      </p>
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </GuardedForm>
  );
}

type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

function CompanyFields({ values, errors }: FieldsProps) {
  return (
    <div className="hidden flex-col gap-5 group-has-[input[value=company]:checked]/seller:flex">
      <TextField
        label="Razão social"
        name="companyName"
        autoComplete="organization"
        defaultValue={values.companyName}
        error={errors.companyName}
        limit={120}
        hint="Como está no cartão CNPJ. Aparece para quem compra, com o CNPJ, como a lei pede."
      />
      <TextField
        label="CNPJ"
        name="cnpj"
        autoComplete="off"
        autoCapitalize="characters"
        placeholder="00.000.000/0000-00"
        maxLength={20}
        defaultValue={values.cnpj}
        error={errors.cnpj}
        hint="Pode ter letras."
      />
      <p className="font-semibold">Quem responde pela empresa</p>
    </div>
  );
}
