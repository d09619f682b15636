import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { ChevronDown } from "lucide-react";
import { Form, Link } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { audienceStates } from "#app/domain/subscriptions/audience/rules.ts";
import type { AudienceState } from "#app/domain/subscriptions/audience/rules.ts";

const STATE_TEXTS: Record<AudienceState, string> = {
  active: "Ativas",
  trialing: "Período grátis",
  upcoming: "Vão começar",
  past_due: "Em atraso",
  requires_action: "Falta confirmar",
  paused: "Pausadas",
  canceled: "Canceladas",
  expired: "Expiradas",
};

type Values = Record<string, string>;
type FiltersProps = {
  values: Values;
  counts: { count: number; byStatus: Partial<Record<AudienceState, number>> };
  plans: { id: string; name: string }[];
  isFiltered: boolean;
};

/** URL of the list with these fields; omits empty ones. */
export function audienceUrl(values: Values, path = "/me/subscribers"): string {
  const search = new URLSearchParams(
    Object.entries(values).filter(([, value]) => value !== ""),
  ).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** Filters of the subscriber list: statuses with counts as links, the rest as a GET form. */
export function AudienceFilters({ values, counts, plans, isFiltered }: FiltersProps) {
  const shown = audienceStates.filter(
    (state) => (counts.byStatus[state] ?? 0) > 0 || values.status === state,
  );
  const isNarrowed = ["plan", "method", "search"].some((name) => values[name]);
  return (
    <div className="flex flex-col gap-3">
      <nav aria-label="Situação" className="flex flex-wrap gap-2">
        <StateLink
          label="Todas"
          count={counts.count}
          to={audienceUrl({ ...values, status: "" })}
          isHere={!values.status}
        />
        {shown.map((state) => (
          <StateLink
            key={state}
            label={STATE_TEXTS[state]}
            count={counts.byStatus[state] ?? 0}
            to={audienceUrl({ ...values, status: state })}
            isHere={values.status === state}
          />
        ))}
      </nav>
      <details
        open={isNarrowed || undefined}
        className="group rounded-card border border-line bg-card"
      >
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-5 font-semibold [&::-webkit-details-marker]:hidden">
          Procurar e filtrar
          <ChevronDown
            aria-hidden="true"
            className="size-5 text-muted transition-transform group-open:rotate-180"
          />
        </summary>
        <Form
          method="get"
          action="/me/subscribers"
          role="search"
          className="flex flex-col gap-4 px-5 pb-5"
        >
          <input type="hidden" name="status" value={values.status} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              key={`search-${values.search}`}
              label="Nome ou @usuário"
              name="search"
              type="search"
              defaultValue={values.search}
              maxLength={60}
              className="sm:col-span-2"
            />
            <SelectField
              key={`plan-${values.plan}`}
              label="Plano"
              name="plan"
              defaultValue={values.plan}
              options={[
                { value: "", label: "Todos" },
                ...plans.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            <SelectField
              key={`method-${values.method}`}
              label="Forma de pagamento"
              name="method"
              defaultValue={values.method}
              options={[
                { value: "", label: "Todas" },
                ...PAYMENT_METHODS.map((method) => ({
                  value: method,
                  label: paymentMethods[method].label,
                })),
                { value: "comp", label: "Cortesia" },
                { value: "gift", label: "Presente" },
              ]}
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button variant="outline">Mostrar</Button>
            {isFiltered ? (
              <ButtonLink to="/me/subscribers" variant="ghost">
                Limpar filtros
              </ButtonLink>
            ) : null}
          </div>
        </Form>
      </details>
    </div>
  );
}

function StateLink({
  label,
  count,
  to,
  isHere,
}: {
  label: string;
  count: number;
  to: string;
  isHere: boolean;
}) {
  return (
    <Link
      to={to}
      aria-current={isHere ? "true" : undefined}
      className={`inline-flex min-h-11 items-center gap-2 rounded-full border px-4 text-small font-semibold ${isHere ? "border-leaf bg-signal-soft" : "border-line bg-card hover:border-edge"}`}
    >
      {label}
      <span className="font-normal text-muted tabular-nums">{count.toLocaleString("pt-BR")}</span>
    </Link>
  );
}
