import type { ReactNode } from "react";
import { ChartSection } from "./chart-section.tsx";
import { CohortTable } from "./cohort-table.tsx";
import { countText } from "./format.ts";
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
        <Ranking
          id="motivos"
          title="Por que saem"
          query={query}
          none="Ninguém cancelou nos últimos 12 meses."
          note="Os motivos que deram ao cancelar, nos últimos 12 meses."
          columns={["Motivo", "Cancelamentos"]}
          rows={shown.reasons.map(({ reason, count }) => (
            <tr key={reason ?? ""}>
              <Td>{reason === null ? "Não disseram" : cancellationReasons[reason]}</Td>
              <Td numeric>{countText(count)}</Td>
            </tr>
          ))}
        />
        {shown.mayMoney ? (
          <Ranking
            id="apoio"
            title="Quem mais apoia"
            query={query}
            none="Quando alguém pagar, aparece aqui."
            note="Tudo o que cada pessoa já pagou, menos reembolsos e contestações. Calculado uma vez por dia."
            columns={["Pessoa", "Pagou"]}
            rows={shown.supporters.map(({ username, name, paidCents }) => (
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
          />
        ) : null}
      </div>
    </>
  );
}

type RankingProps = {
  /** Also the name of its spreadsheet. */
  id: string;
  title: string;
  query: string;
  /** Said in place of a table without rows. */
  none: string;
  note: string;
  columns: readonly [string, string];
  rows: ReactNode[];
};

/** Names and a number each, most first. */
function Ranking({ id, title, query, none, note, columns: [name, number], rows }: RankingProps) {
  const isEmpty = rows.length === 0;
  return (
    <ChartSection
      id={id}
      title={title}
      csv={`/analytics/files/${id}.csv${query}`}
      note={isEmpty ? none : note}
      isEmpty={isEmpty}
      columns={[{ title: name }, { title: number, numeric: true }]}
    >
      <tbody>{rows}</tbody>
    </ChartSection>
  );
}

const None = () => (
  <p className="text-small text-muted">
    Com a primeira assinatura paga, este quadro começa. Ele é calculado uma vez por dia.
  </p>
);
