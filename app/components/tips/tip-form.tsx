import { useState } from "react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { paymentFormError } from "#app/components/checkout/form-error.ts";
import {
  CardFieldFrame,
  CardNeedsJavaScript,
  isSaveCardChecked,
} from "#app/components/checkout/card/card-field.tsx";
import { ChosenMethodLabel } from "#app/components/checkout/methods/chosen-method-label.tsx";
import { SaveCardField } from "#app/components/checkout/card/save-card-field.tsx";
import {
  selectedMethod,
  isTypedCard,
  methodChoices,
} from "#app/components/checkout/methods/method-choices.ts";
import type { SavedCardOption } from "#app/components/checkout/methods/method-choices.ts";
import { TaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { TermsNote } from "#app/components/checkout/terms-note.tsx";
import { useCardForm } from "#app/components/checkout/card/use-card-form.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { formatMoney } from "#app/domain/money.ts";
import { byMethod, takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import {
  MAXIMUM_TIP_CENTS,
  MINIMUM_TIP_CENTS,
  OTHER_AMOUNT,
  SUGGESTED_TIPS_CENTS,
  TIP_MESSAGE_MAX,
  parseTipAmount,
} from "#app/domain/purchases/tips/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type TipFormProps = {
  creatorName: string;
  methods: PaymentMethod[];
  cards: SavedCardOption[];
  cardFieldUrl: string | null;
  /** The least amount that a card pays (centavos). */
  minimumCardCents: number;
  /** Initial values, from the URL or from a refused form. */
  values: Record<string, string>;
  problem: FormProblem | undefined;
  /** Fields that identify the payer, while they are unknown. */
  who: ReactNode;
  /** Methods that need the payer's CPF or CNPJ, while no tax id is saved. */
  taxIdFor: PaymentMethod[];
  /** A guest confirms a code before the payment starts. */
  isGuest: boolean;
};

/**
 * Form for a tip: amount, message and payment method. The provider's frame first turns a card into
 * a token. Without JavaScript, the provider's own page asks for it.
 */
export function TipForm({
  creatorName,
  methods,
  cards,
  cardFieldUrl,
  minimumCardCents,
  values,
  problem,
  who,
  taxIdFor,
  isGuest,
}: TipFormProps) {
  const options = methodChoices({
    methods,
    cards,
    cardHint: `Em uma vez, a partir de ${formatMoney(minimumCardCents)}.`,
  });
  const [method, setMethod] = useState(() => selectedMethod(options, values.method));
  useFirstError(problem);
  const isCard = isTypedCard(method);
  const { form, token, field, isBusy } = useCardForm({
    cardFieldUrl,
    isCard,
    terms: (sent) => ({ amountCents: givenCents(sent), keeps: isSaveCardChecked(sent) }),
  });
  return (
    <Form method="post" {...form} noValidate className="group/pay flex flex-col gap-6">
      <input type="hidden" name="cardToken" ref={token} defaultValue="" />
      <FormMessage message={paymentFormError(problem)} link={problem?.link} />
      <Amounts values={values} errors={problem?.errors ?? {}} />
      <TextArea
        label={`Mensagem para ${creatorName}`}
        name="message"
        required={false}
        rows={3}
        limit={TIP_MESSAGE_MAX}
        defaultValue={values.message}
        error={problem?.errors.message}
        hint={`Só ${creatorName} lê. Até ${TIP_MESSAGE_MAX} letras.`}
      />
      {who}
      <Choices
        legend="Como você quer pagar"
        name="method"
        options={options}
        defaultValue={method}
        error={problem?.errors.method}
        onValueChange={setMethod}
      />
      <TaxIdField methods={taxIdFor} problem={problem} />
      {methods.some(takesCardDetails) ? <CardNeedsJavaScript cardFieldUrl={cardFieldUrl} /> : null}
      {isCard && !isGuest ? <CardFieldFrame {...field} /> : null}
      <div className="hidden group-has-[input[value=card]:checked]/pay:block">
        <SaveCardField savesCard={values.keep === "on"} />
      </div>
      <GiveButton isGuest={isGuest} isBusy={isBusy} />
      {isGuest ? null : <TermsNote />}
    </Form>
  );
}

/** Amount in the form (centavos). Null while it is not a valid amount, which the server reports. */
function givenCents(form: HTMLFormElement | null): number | null {
  const fields = new FormData(form ?? undefined);
  const amount = fields.get("amount");
  if (amount !== OTHER_AMOUNT) return Number(amount) || null;
  const other = fields.get("other");
  const typed = parseTipAmount(typeof other === "string" ? other : "");
  return "cents" in typed ? typed.cents : null;
}

/** Submit button. CSS alone picks its label by the method, so it works without JavaScript. */
function GiveButton({ isGuest, isBusy }: { isGuest: boolean; isBusy: boolean }) {
  return (
    <Button size="lg" className="w-full" disabled={isBusy} aria-busy={isBusy}>
      {isGuest ? "Receber o código e apoiar" : <ChosenMethodLabel labels={TIP_LABELS} />}
    </Button>
  );
}

const TIP_LABELS = byMethod((method) => methodTexts[method].tipLabel);

const PILL =
  "flex min-h-12 items-center justify-center rounded-field border border-edge bg-card px-3 font-semibold has-checked:border-leaf has-checked:bg-signal-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf";

/** One-tap suggested amounts. CSS alone shows the field of another amount when it is chosen. */
function Amounts({
  values,
  errors,
}: {
  values: Record<string, string>;
  errors: Record<string, string>;
}) {
  const chosen = values.amount ?? String(SUGGESTED_TIPS_CENTS[1]);
  return (
    <fieldset className="group/amount flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-small font-semibold">Quanto</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {SUGGESTED_TIPS_CENTS.map((cents) => (
          <label key={cents} className={`${PILL} tabular-nums`}>
            <input
              type="radio"
              name="amount"
              value={cents}
              defaultChecked={chosen === String(cents)}
              className="sr-only"
            />
            {formatMoney(cents)}
          </label>
        ))}
        <label className={PILL}>
          <input
            type="radio"
            name="amount"
            value={OTHER_AMOUNT}
            defaultChecked={chosen === OTHER_AMOUNT}
            className="sr-only"
          />
          Outro valor
        </label>
      </div>
      {errors.amount ? (
        <p className="text-small font-medium text-refusal">{errors.amount}</p>
      ) : null}
      <TextField
        label="Quanto você quer dar"
        name="other"
        inputMode="decimal"
        autoComplete="off"
        prefix="R$"
        maxLength={30}
        defaultValue={values.other}
        error={errors.other}
        hint={`De ${formatMoney(MINIMUM_TIP_CENTS)} a ${formatMoney(MAXIMUM_TIP_CENTS)}.`}
        className="mt-2 hidden group-has-[input[value=other]:checked]/amount:flex"
      />
    </fieldset>
  );
}
