import { ChartSection } from "#app/components/analytics/chart-section.tsx";
import { CohortTable } from "#app/components/analytics/cohort-table.tsx";
import { countText } from "#app/components/analytics/format.ts";
import { MoneyTd, RowLink, Td } from "#app/components/ui/table.tsx";
import type { PeopleSnapshot, Supporter } from "#app/domain/analytics/people/schema.ts";
import { cancellationReasons } from "#app/domain/subscriptions/schema.ts";

type OverallShown = Omit<PeopleSnapshot, "supporters"> & {
  mayMoney: boolean;
  supporters: Supporter[];
};

export function Overall({ shown, query }: { shown: OverallShown; query: string }) {
  return (
    <>
      <ChartSection
        id="permanencia"
        title="Quem continua"
        csv={`/analytics/files/permanencia.csv${query}`}
        note="De quem assinou pela primeira vez em cada mês, a parte que ainda assinava no fim dele e dos meses seguintes. Os últimos 12 meses em que alguém assinou, calculados uma vez por dia."
        columns={[]}
        table={shown.cohorts.length > 0 ? <CohortTable cohorts={shown.cohorts} /> : <None />}
      />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <ChartSection
          id="motivos"
          title="Por que saem"
          csv={`/analytics/files/motivos.csv${query}`}
          note={
            shown.reasons.length === 0
              ? "Ninguém cancelou nos últimos 12 meses."
              : "Os motivos que deram ao cancelar, nos últimos 12 meses."
          }
          isEmpty={shown.reasons.length === 0}
          columns={[{ title: "Motivo" }, { title: "Cancelamentos", numeric: true }]}
        >
          <tbody>
            {shown.reasons.map(({ reason, count }) => (
              <tr key={reason ?? ""}>
                <Td>{reason === null ? "Não disseram" : cancellationReasons[reason]}</Td>
                <Td numeric>{countText(count)}</Td>
              </tr>
            ))}
          </tbody>
        </ChartSection>
        {shown.mayMoney ? (
          <ChartSection
            id="apoio"
            title="Quem mais apoia"
            csv={`/analytics/files/apoio.csv${query}`}
            note={
              shown.supporters.length === 0
                ? "Quando alguém pagar, aparece aqui."
                : "Tudo o que cada pessoa já pagou, menos reembolsos e contestações. Calculado uma vez por dia."
            }
            isEmpty={shown.supporters.length === 0}
            columns={[{ title: "Pessoa" }, { title: "Pagou", numeric: true }]}
          >
            <tbody>
              {shown.supporters.map(({ username, name, paidCents }) => (
                <tr key={username}>
                  <Td className="wrap-anywhere">
                    <RowLink to={`/space/${username}`}>{name}</RowLink>
                  </Td>
                  <MoneyTd
                    to={`/settings/transactions?face=received&person=${username}`}
                    cents={paidCents}
                  />
                </tr>
              ))}
            </tbody>
          </ChartSection>
        ) : null}
      </div>
    </>
  );
}

const None = () => (
  <p className="text-small text-muted">
    Com a primeira assinatura paga, este quadro começa. Ele é calculado uma vez por dia.
  </p>
);
