import { useState } from "react";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { useNavigation } from "react-router";
import { singlePriceNetText } from "#app/components/plan-form/price-net.ts";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { GuardedForm } from "#app/components/ui/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { TICKET_KIND_NAME_MAX } from "#app/domain/events/rules.ts";
import { zonePlace } from "#app/domain/events/rules/times.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type TicketKindFormProps = {
  values: Record<string, string>;
  timeZone: string;
  feeBasisPoints: number;
  problem: FormProblem | undefined;
  submitLabel: string;
  /** The question for which dates of a repeating event it is; null for a single one. */
  scopeLegend: string | null;
};

/** The form of a kind of ticket: its name, price, number and sale. */
export function TicketKindForm({
  values: initial,
  timeZone,
  feeBasisPoints,
  problem,
  submitLabel,
  scopeLegend,
}: TicketKindFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values = { ...initial, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm method="post" className="flex flex-col gap-5" noValidate>
      <ActingField />
      <FormMessage message={problem?.message} link={problem?.link} />
      <TextField
        label="Nome do ingresso"
        name="name"
        defaultValue={values["name"]}
        error={errors["name"]}
        limit={TICKET_KIND_NAME_MAX}
        required
        placeholder="Inteira"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <PriceField
          initial={values["price"] ?? ""}
          error={errors["price"]}
          feeBasisPoints={feeBasisPoints}
        />
        <TextField
          label="Quantos"
          name="kindCapacity"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values["kindCapacity"]}
          error={errors["kindCapacity"]}
          required={false}
          hint="Em branco, quantos o evento tiver. Se todo tipo tem um número, a soma é o máximo do evento."
        />
        <SaleFields values={values} errors={errors} timeZone={timeZone} />
      </div>
      {scopeLegend === null ? null : (
        <ScopeChoices
          legend={scopeLegend}
          chosen={values["scope"] ?? "all"}
          error={errors["scope"]}
          hint="A venda começa e termina tanto tempo antes de cada data quanto nesta."
        />
      )}
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </GuardedForm>
  );
}

function SaleFields({
  values,
  errors,
  timeZone,
}: {
  values: Record<string, string>;
  errors: Record<string, string>;
  timeZone: string;
}) {
  return (
    <>
      <TextField
        type="datetime-local"
        label="Venda começa"
        name="saleStartsAt"
        defaultValue={values["saleStartsAt"]}
        error={errors["saleStartsAt"]}
        required={false}
        hint="Em branco, já."
      />
      <TextField
        type="datetime-local"
        label="Venda termina"
        name="saleEndsAt"
        defaultValue={values["saleEndsAt"]}
        error={errors["saleEndsAt"]}
        required={false}
        hint={`Em branco, no fim do evento. As horas são do fuso de ${zonePlace(timeZone)}.`}
      />
    </>
  );
}

function PriceField({
  initial,
  error,
  feeBasisPoints,
}: {
  initial: string;
  error: string | undefined;
  feeBasisPoints: number;
}) {
  const [price, setPrice] = useState(initial);
  const isRefused = error !== undefined && price === initial;
  const isFree = /^\s*0*(?:[,.]0{0,2})?\s*$/.test(price);
  const netText = isRefused || isFree ? null : singlePriceNetText(price, feeBasisPoints);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Preço do ingresso"
        name="price"
        prefix="R$"
        inputMode="decimal"
        autoComplete="off"
        placeholder="30,00"
        defaultValue={initial}
        error={error}
        required={false}
        aria-describedby="ticket-price-return"
        onInput={(event) => setPrice(event.currentTarget.value)}
        hint="Em branco ou zero, é de graça."
      />
      <p
        id="ticket-price-return"
        role="status"
        className={`text-small empty:hidden ${netText?.isProblem ? "font-medium text-attention" : "text-muted"}`}
      >
        {netText?.text}
      </p>
    </div>
  );
}
