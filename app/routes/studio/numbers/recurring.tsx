import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { RecurringChart } from "#app/components/analytics/recurring-chart.tsx";
import {
  RecurringFigures,
  RecurringMeanings,
} from "#app/components/analytics/recurring-figures.tsx";
import {
  RECURRING_LABELS,
  recurringMovesPath,
} from "#app/components/analytics/recurring-labels.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, Table, Td } from "#app/components/ui/table.tsx";
import {
  averageCents,
  lifetimeCents,
  recurringKinds,
} from "#app/domain/analytics/recurring/rules.ts";
import type { RecurringMove } from "#app/domain/analytics/recurring/rules.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { TIME_ZONE } from "#app/domain/time.ts";
import { loadRecurring } from "./recurring.server.ts";
import type { Route } from "./+types/recurring.ts";

export const meta: Route.MetaFunction = () => [{ title: "Receita recorrente · Coreto" }];

const MONTH = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  month: "short",
  year: "numeric",
});
const SHORT_MONTH = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, month: "short" });

export async function loader({ context }: Route.LoaderArgs) {
  const { months, now, churn, ...revenue } = await loadRecurring({ context });
  return {
    ...revenue,
    now,
    churn,
    averageCents: averageCents(now),
    lifetimeCents: lifetimeCents(now, churn),
    months: months.map((month) => ({
      ...month,
      name: MONTH.format(month.startsAt).replace(".", ""),
      shortName: SHORT_MONTH.format(month.startsAt).replace(".", ""),
    })),
  };
}

type Shown = Route.ComponentProps["loaderData"];

export default function RecurringRevenue({ loaderData: shown }: Route.ComponentProps) {
  const hasAny = shown.months.some(({ startCount, endCount }) => startCount + endCount > 0);
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Receita recorrente"
        lead={`O que as assinaturas ${shown.of === null ? "da sua página" : `da página de ${shown.of}`} valem por mês, sem descontar a taxa.`}
      />
      <div className="mb-6">
        <AnalyticsTabs query="" money />
      </div>
      {hasAny ? (
        <div className="flex flex-col gap-6">
          <RecurringFigures {...shown} />
          <Months months={shown.months} opens={shown.maySeeMoves} />
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
            <Parts
              title="Por plano"
              column="Plano"
              rows={shown.byPlan.map((part) => ({ ...part, name: part.planName }))}
            />
            <Parts
              title="Por forma de pagamento"
              column="Forma"
              rows={shown.byMethod.map((part) => ({
                ...part,
                name: methodTexts[part.method].debitedLabel,
              }))}
            />
          </div>
          <RecurringMeanings />
        </div>
      ) : (
        <EmptyState
          title="Ainda sem assinaturas pagas"
          action={<ButtonLink to="/me">Ver a página</ButtonLink>}
        >
          Com a primeira, você vê aqui quanto elas valem por mês e o que mudou em cada um.
        </EmptyState>
      )}
    </div>
  );
}

function Months({ months, opens }: { months: Shown["months"]; opens: boolean }) {
  return (
    <section aria-labelledby="por-mes" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="por-mes" className="text-heading">
          Mês a mês
        </h2>
        <ButtonLink to="/analytics/recurring.csv" reloadDocument variant="outline" size="sm">
          Baixar planilha
        </ButtonLink>
      </div>
      <Card className="p-5">
        <RecurringChart
          months={months.map(({ shortName, endCents, moves }) => ({
            shortName,
            endCents,
            cameCents: came(moves),
            wentCents: -(moves.contraction.monthlyCents + moves.churn.monthlyCents),
          }))}
        />
        <p className="mt-3 text-small text-muted">
          A barra inteira é o mês no fim; a parte forte é o que entrou nele. Abaixo da linha, o que
          saiu.
        </p>
      </Card>
      <Table
        caption="Receita recorrente por mês"
        scrolls
        columns={[
          { title: "Mês" },
          { title: "No início", numeric: true },
          ...recurringKinds.map((kind) => ({ title: RECURRING_LABELS[kind].title, numeric: true })),
          { title: "No fim", numeric: true },
        ]}
      >
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.startsAt}>
              <Td className="whitespace-nowrap first-letter:uppercase">{month.name}</Td>
              <MoneyTd cents={month.startCents} />
              {recurringKinds.map((kind) => (
                <MoneyTd
                  key={kind}
                  cents={month.moves[kind].monthlyCents}
                  to={
                    opens && month.moves[kind].count > 0
                      ? recurringMovesPath(kind, monthOf(month.startsAt))
                      : null
                  }
                />
              ))}
              <MoneyTd cents={month.endCents} />
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

const came = (moves: Shown["months"][number]["moves"]): number =>
  moves.new.monthlyCents + moves.reactivation.monthlyCents + moves.expansion.monthlyCents;

function Parts({
  title,
  column,
  rows,
}: {
  title: string;
  column: string;
  rows: (RecurringMove & { name: string })[];
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-heading">{title}</h2>
      <Table
        caption={title}
        columns={[
          { title: column },
          { title: "Assinaturas", numeric: true },
          { title: "Por mês", numeric: true },
        ]}
      >
        <tbody>
          {rows.map(({ name, count, monthlyCents }) => (
            <tr key={name}>
              <Td className="wrap-anywhere">{name}</Td>
              <Td numeric>{count}</Td>
              <MoneyTd cents={monthlyCents} />
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
