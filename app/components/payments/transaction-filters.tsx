import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { ChevronDown } from "lucide-react";
import { Form, Link } from "react-router";
import {
  TRANSACTION_KIND_LABELS,
  TRANSACTION_STATE_LABELS,
  STATES_BY_SIDE,
} from "./transaction-labels.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { transactionKinds } from "#app/domain/billing/schema.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";

type StatementPeriodLink = { name: string; from: string; until: string };
type FiltersProps = {
  face: StatementSide;
  values: Record<string, string>;
  errors: Record<string, string>;
  periods: StatementPeriodLink[];
  isFiltered: boolean;
};

/**
 * Filters of a statement, as links and a GET form. They work without JavaScript, and their URL can
 * be shared.
 */
export function TransactionFilters({ face, values, errors, periods, isFiltered }: FiltersProps) {
  const isNarrowed =
    ["state", "method", "kind", "person"].some((name) => values[name]) ||
    Object.keys(errors).length > 0;
  return (
    <div className="flex flex-col gap-3">
      <nav aria-label="Período" className="flex flex-wrap gap-2">
        {periods.map((period) => {
          const isHere =
            (values.from ?? "") === period.from && (values.until ?? "") === period.until;
          return (
            <Link
              key={period.name}
              to={statementUrl(face, { ...values, from: period.from, until: period.until })}
              aria-current={isHere ? "true" : undefined}
              className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold ${isHere ? "border-leaf bg-signal-soft" : "border-line bg-card hover:border-edge"}`}
            >
              {period.name}
            </Link>
          );
        })}
      </nav>
      <details
        open={isNarrowed || undefined}
        className="group rounded-card border border-line bg-card"
      >
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-5 font-semibold [&::-webkit-details-marker]:hidden">
          Filtrar
          <ChevronDown
            aria-hidden="true"
            className="size-5 text-muted transition-transform group-open:rotate-180"
          />
        </summary>
        <Form
          method="get"
          action="/settings/transactions"
          className="flex flex-col gap-4 px-5 pb-5"
          noValidate
        >
          <input type="hidden" name="face" value={face} />
          {["subscription", "plan", "link", "item", "refunds"].map((name) =>
            values[name] ? (
              <input key={name} type="hidden" name={name} value={values[name]} />
            ) : null,
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              key={`from-${values.from}`}
              label="De"
              name="from"
              type="date"
              defaultValue={values.from}
              error={errors.from}
            />
            <TextField
              key={`until-${values.until}`}
              label="Até"
              name="until"
              type="date"
              defaultValue={values.until}
              error={errors.until}
            />
            <SelectField
              key={`state-${values.state}`}
              label="Situação"
              name="state"
              defaultValue={values.state}
              options={[
                anyOf("Todas"),
                ...STATES_BY_SIDE[face].map((state) => ({
                  value: state,
                  label: TRANSACTION_STATE_LABELS[state],
                })),
              ]}
            />
            <SelectField
              key={`method-${values.method}`}
              label="Forma de pagamento"
              name="method"
              defaultValue={values.method}
              options={[
                anyOf("Todas"),
                ...PAYMENT_METHODS.map((method) => ({
                  value: method,
                  label: paymentMethods[method].label,
                })),
              ]}
            />
            <SelectField
              key={`kind-${values.kind}`}
              label="Tipo"
              name="kind"
              defaultValue={values.kind}
              options={[
                anyOf("Todos"),
                ...transactionKinds.map((kind) => ({
                  value: kind,
                  label: TRANSACTION_KIND_LABELS[kind],
                })),
              ]}
            />
            <TextField
              key={`person-${values.person}`}
              label={face === "paid" ? "Para quem" : "De quem"}
              name="person"
              placeholder="@nome.de.usuario"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              defaultValue={values.person}
              error={errors.person}
              maxLength={257}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button variant="outline">Mostrar</Button>
            {isFiltered || isNarrowed ? (
              <ButtonLink to={statementUrl(face, {})} variant="ghost">
                Limpar filtros
              </ButtonLink>
            ) : null}
          </div>
        </Form>
      </details>
    </div>
  );
}

const anyOf = (label: string) => ({ value: "", label });

/** URL of a statement with these fields; omits empty ones. */
export function statementUrl(
  face: StatementSide,
  values: Record<string, string>,
  path = "/settings/transactions",
): string {
  const search = new URLSearchParams({ face });
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return `${path}?${search.toString()}`;
}
