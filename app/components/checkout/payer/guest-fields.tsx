import { Link } from "react-router";
import {
  BirthDateField,
  EmailField,
  TermsField,
} from "#app/components/account/sign-in/registration-fields.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { NAME_MAX } from "#app/domain/identity/schema.ts";

type GuestFieldsProps = {
  loginPath: string;
  values: Record<string, string>;
  errors: Record<string, string>;
};

/** Identity fields of a payer without an account, which is created with the payment. */
export function GuestFields({ loginPath, values, errors }: GuestFieldsProps) {
  const typed = { values, errors };
  return (
    <section aria-label="Seus dados" className="flex flex-col gap-4">
      <p className="text-muted">
        Já tem conta?{" "}
        <Link
          to={loginPath}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Entrar
        </Link>
      </p>
      <TextField
        label="Nome"
        name="name"
        autoComplete="name"
        required
        limit={NAME_MAX}
        defaultValue={values.name}
        error={errors.name}
      />
      <EmailField {...typed} />
      <MaskedField
        mask="cpf-or-cnpj"
        label="CPF ou CNPJ"
        name="taxId"
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={20}
        required
        defaultValue={values.taxId}
        error={errors.taxId}
        hint="Vai no seu recibo. Quem vende não o vê."
      />
      <BirthDateField {...typed} />
      <TermsField {...typed} />
    </section>
  );
}
