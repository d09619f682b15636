import { BarChart } from "./bar-chart.tsx";
import { ChartSection } from "./chart-section.tsx";
import { Figure, Figures } from "./figures.tsx";
import { countText, percentText } from "./format.ts";
import { DIMENSION_LABELS, sourceText } from "./source-labels.ts";
import { Td } from "#app/components/ui/table.tsx";
import type { AudienceSums, FunnelStep } from "#app/domain/analytics/people/rules.ts";
import type { SourceSum } from "#app/domain/analytics/people/schema.ts";
import { MOST_VALUES } from "#app/domain/analytics/rollups/rules.ts";
import { changeShare } from "#app/domain/analytics/ranges/rules.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import { counted } from "#app/domain/text.ts";
import { viewDimensions } from "#app/domain/analytics/views/schema.ts";

export type PeopleShown = {
  range: AnalyticsRange;
  mayMoney: boolean;
  followersCount: number;
  subscribersCount: number;
  now: AudienceSums;
  before: AudienceSums | null;
  funnel: FunnelStep[];
  buckets: {
    from: number;
    until: number;
    label: string;
    follows: number;
    starts: number;
    ends: number;
  }[];
  sources: SourceSum[];
};

type Props = { shown: PeopleShown; query: string };

export function Counts({ shown: { now, before, ...shown } }: { shown: PeopleShown }) {
  const change = (name: keyof AudienceSums) => changeShare(now[name], before?.[name] ?? null);
  return (
    <Figures>
      <Figure name="Novos seguidores" value={countText(now.follows)} change={change("follows")}>
        Começaram a seguir nestes dias. Ao todo:{" "}
        {counted(shown.followersCount, "seguidor", "seguidores")}.
      </Figure>
      <Figure name="Períodos grátis" value={countText(now.trials)} change={change("trials")}>
        Começaram a experimentar um plano nestes dias.
      </Figure>
      <Figure name="Novas assinaturas" value={countText(now.starts)} change={change("starts")}>
        Começaram a pagar, ou voltaram. Hoje:{" "}
        {counted(shown.subscribersCount, "assinatura paga", "assinaturas pagas")}.
      </Figure>
      <Figure name="Saídas" value={countText(now.ends)} change={change("ends")} lessIsBetter>
        Assinaturas pagas que terminaram ou pausaram nestes dias.
      </Figure>
    </Figures>
  );
}

export function Movement({ shown, query }: Props) {
  return (
    <ChartSection
      id="movimento"
      title="Seguidores e assinaturas"
      csv={`/analytics/files/pessoas.csv${query}`}
      folds
      chart={
        <BarChart
          title="Novos seguidores"
          description={`${counted(shown.now.follows, "novo seguidor", "novos seguidores")} nestes dias. Os valores estão na tabela abaixo.`}
          format={countText}
          bars={shown.buckets.map(({ label, follows, from, until }) => ({
            label,
            value: follows,
            days: { from, until },
          }))}
        />
      }
      columns={[
        { title: "Dias" },
        { title: "Seguidores", numeric: true },
        { title: "Assinaturas", numeric: true },
        { title: "Saídas", numeric: true },
      ]}
    >
      <tbody>
        {shown.buckets.toReversed().map(({ from, label, follows, starts, ends }) => (
          <tr key={from}>
            <Td>{label}</Td>
            <Td numeric>{countText(follows)}</Td>
            <Td numeric>{countText(starts)}</Td>
            <Td numeric>{countText(ends)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

const STEP_LABELS = {
  visits: "Visitaram",
  follows: "Começaram a seguir",
  starts: "Assinaram",
} as const;

export function Funnel({ shown, query }: Props) {
  return (
    <ChartSection
      id="caminho"
      title="Da visita à assinatura"
      csv={`/analytics/files/pessoas.csv${query}`}
      note="De cada 100 visitantes destes dias, quantas pessoas começaram a seguir e quantas assinaram no mesmo período. Ninguém é identificado: são contagens, não o caminho de cada um."
      columns={[
        { title: "Passo" },
        { title: "Pessoas", numeric: true },
        { title: "Dos visitantes", numeric: true },
      ]}
    >
      <tbody>
        {shown.funnel.map(({ name, count, share }) => (
          <tr key={name}>
            <Td>{STEP_LABELS[name]}</Td>
            <Td numeric>{countText(count)}</Td>
            <Td numeric>{name === "visits" ? "" : percentText(share)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

export function Sources({ shown, query }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <SourceTables shown={shown} query={query} />
      <p className="text-small text-muted">
        Cada quadro mostra os 10 primeiros. De cada dia guardamos os {MOST_VALUES} mais vistos de
        cada quadro; a soma do resto aparece como “Outros”.
      </p>
    </div>
  );
}

function SourceTables({ shown, query }: Props) {
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {viewDimensions.map((dimension) => {
        const rows = shown.sources.filter((source) => source.dimension === dimension);
        const { title, column } = DIMENSION_LABELS[dimension];
        return (
          <ChartSection
            key={dimension}
            id={dimension}
            title={title}
            csv={`/analytics/files/origens.csv${query}`}
            note={rows.length === 0 ? NO_SOURCES[dimension] : null}
            isEmpty={rows.length === 0}
            columns={[
              { title: column },
              { title: "Visitantes", numeric: true },
              { title: "Visualizações", numeric: true, wide: true },
            ]}
          >
            <tbody>
              {rows.map(({ value, visitors, views }) => (
                <tr key={value}>
                  <Td className="wrap-anywhere">{sourceText(dimension, value)}</Td>
                  <Td numeric>{countText(visitors)}</Td>
                  <Td numeric wide>
                    {countText(views)}
                  </Td>
                </tr>
              ))}
            </tbody>
          </ChartSection>
        );
      })}
    </div>
  );
}

const NO_SOURCES = {
  referrer: "Ainda ninguém chegou por um link de outro site nestes dias.",
  link: "Crie um link para cada lugar onde divulga, em Links, e veja aqui quantos vieram por ele.",
  campaign: "Ponha ?utm_campaign=nome no fim de um link seu, e veja aqui quantos vieram por ele.",
  device: "Ainda não houve visitas nestes dias.",
  country: "Ainda não houve visitas nestes dias.",
} as const;
