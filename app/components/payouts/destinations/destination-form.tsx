import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { KeyFields } from "./key-fields.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { AccountKind, PixKeyKind } from "#app/domain/payments/schema.ts";
import { accountKinds } from "#app/domain/payments/schema.ts";
import { bankLabel, banks } from "#app/domain/payouts/destinations/rules/banks.ts";
import { DOUBTFUL_DIGIT_MESSAGE } from "#app/domain/payouts/destinations/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

export const ACCOUNT_KIND_LABELS: Record<AccountKind, string> = {
  checking: "Conta corrente",
  savings: "Poupança",
  payment: "Conta de pagamento",
};

const WAYS = [
  { value: "pix", label: "Chave Pix", hint: "Chega em minutos, em qualquer dia." },
  { value: "account", label: "Conta bancária", hint: "Chega por TED, nos dias úteis." },
];

type DestinationFormProps = {
  problem: FormProblem | undefined;
  way: "pix" | "account";
  kind: PixKeyKind | null;
  takesAccounts: boolean;
  ownerMasked: string | null;
};

/**
 * Form for another payout destination: a Pix key or a bank account. CSS alone shows the account's
 * fields when chosen.
 */
export function DestinationForm({
  problem,
  way,
  kind,
  takesAccounts,
  ownerMasked,
}: DestinationFormProps) {
  const isBusy = useNavigation().state !== "idle";
  const { values = {}, errors = {} } =
    problem?.values.schedule === undefined ? (problem ?? {}) : {};
  return (
    <Form method="post" className="group/place flex flex-col gap-5" noValidate>
      <ActingField />
      <FormMessage message={problem?.message} link={problem?.link} />
      {takesAccounts ? (
        <Choices
          legend="Trocar para"
          name="way"
          options={WAYS}
          defaultValue={values.way ?? way}
          className="sm:[&>label]:flex-1"
        />
      ) : null}
      <div className="flex flex-col gap-5 group-has-[input[value=account]:checked]/place:hidden">
        <KeyFields values={values} errors={errors} kind={kind} />
      </div>
      {takesAccounts ? (
        <AccountFields values={values} errors={errors} ownerMasked={ownerMasked} />
      ) : null}
      <p className="text-small text-muted">
        Por segurança, depois da troca os saques esperam 24 horas.
      </p>
      <Button size="lg" disabled={isBusy} className="self-start">
        Trocar
      </Button>
    </Form>
  );
}

type AccountFieldsProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  ownerMasked: string | null;
};

function AccountFields({ values, errors, ownerMasked }: AccountFieldsProps) {
  return (
    <div className="hidden flex-col gap-5 group-has-[input[value=account]:checked]/place:flex">
      <TextField
        label="Banco"
        name="bank"
        list="banks"
        autoComplete="off"
        maxLength={120}
        required
        defaultValue={values.bank}
        error={errors.bank}
        hint="Digite o nome ou o número, e escolha na lista."
      />
      <datalist id="banks">
        {banks.map((bank) => (
          <option key={bank.code} value={bankLabel(bank)} />
        ))}
      </datalist>
      <div className="grid grid-cols-2 gap-5 sm:grid-cols-[1fr_2fr_1fr]">
        <TextField
          label="Agência"
          name="branch"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          required
          defaultValue={values.branch}
          error={errors.branch}
          hint="Sem o dígito."
          className="col-span-2 sm:col-span-1"
        />
        <TextField
          label="Conta"
          name="account"
          inputMode="numeric"
          autoComplete="off"
          maxLength={18}
          required
          defaultValue={values.account}
          error={errors.account}
        />
        <TextField
          label="Dígito"
          name="accountDigit"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={1}
          required
          defaultValue={values.accountDigit}
          error={errors.accountDigit}
        />
      </div>
      {errors.accountDigit === DOUBTFUL_DIGIT_MESSAGE || values.digitSure === "on" ? (
        <CheckboxField
          label="Conferi: o dígito é este mesmo"
          name="digitSure"
          defaultChecked={values.digitSure === "on"}
        />
      ) : null}
      <Choices
        legend="Tipo de conta"
        name="accountKind"
        options={accountKinds.map((value) => ({ value, label: ACCOUNT_KIND_LABELS[value] }))}
        defaultValue={values.accountKind ?? "checking"}
        error={errors.accountKind}
      />
      <p className="text-small text-muted">
        A conta precisa ser sua: o banco devolve o que não estiver em nome de quem enviou os
        documentos{ownerMasked ? ` (${ownerMasked})` : ""}.
      </p>
    </div>
  );
}
