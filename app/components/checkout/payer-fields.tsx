import { TextField } from "#app/components/ui/field.tsx";
import type { FormProblem } from "#app/http/form.ts";
import { GuestFields } from "./guest-fields.tsx";

type PayerFieldsProps = { guest: { loginPath: string; values: Record<string, string> } | null; asksTaxId: boolean; problem: FormProblem | undefined };

/** Who pays, as far as it is still to be asked: everything of a guest, and of a member the number that the provider charges nobody without. */
export function PayerFields({ guest, asksTaxId, problem }: PayerFieldsProps) {
  const { values = {}, errors = {} } = problem ?? {};
  if (guest) return <GuestFields loginPath={guest.loginPath} values={{ ...guest.values, ...values }} errors={errors} />;
  if (!asksTaxId) return null;
  return (
    <TextField
      label="CPF ou CNPJ"
      name="taxId"
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={20}
      required
      defaultValue={values.taxId}
      error={errors.taxId}
      hint="O banco pede para fazer a cobrança. Guardamos para as próximas, e vai no seu recibo; quem vende não o vê."
    />
  );
}
