import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { useNavigation } from "react-router";
import { SalePriceField } from "#app/components/plan-form/sale-price-field.tsx";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { TICKET_KIND_NAME_MAX } from "#app/domain/events/rules.ts";
import { zonePlace } from "#app/domain/events/times/rules.ts";
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
  const values = { ...initial, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <SpaceForm problem={problem}>
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
        <SalePriceField
          label="Preço do ingresso"
          placeholder="30,00"
          hint="Em branco ou zero, é de graça."
          initial={values["price"] ?? ""}
          error={errors["price"]}
          feeBasisPoints={feeBasisPoints}
          mayBeFree
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
    </SpaceForm>
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
