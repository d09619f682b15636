import { Link } from "react-router";
import { BarChart } from "./bar-chart.tsx";
import { ChartSection } from "./chart-section.tsx";
import { Figure, Figures } from "./figures.tsx";
import { countText } from "./format.ts";
import { rangeQuery } from "./range-picker.tsx";
import type { MoneyDivided } from "./money-parts.tsx";
import { salesPath } from "./sales-path.ts";
import { moneyScale } from "./scale.ts";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { MoneyTd, Td } from "#app/components/ui/table.tsx";
import type { MoneySums } from "#app/domain/analytics/money/rules.ts";
import type { AudienceSums } from "#app/domain/analytics/people/rules.ts";
import { changeShare } from "#app/domain/analytics/ranges/rules.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export type SalesShown = MoneyDivided & {
  now: MoneySums;
  before: MoneySums | null;
  forecast: { nowCents: Cents; thenCents: Cents; at: Instant } | null;
};

export type OverviewShown = {
  range: AnalyticsRange;
  money: SalesShown | null;
  followersCount: number;
  subscribersCount: number;
  audience: { now: AudienceSums; before: AudienceSums | null };
  buckets: {
    from: number;
    until: number;
    label: string;
    netCents: Cents;
    netBeforeCents: Cents | undefined;
    visitors: number;
    views: number;
    visitorsBefore: number | undefined;
  }[];
};

export function MoneyFigures({ money, range }: { money: SalesShown; range: AnalyticsRange }) {
  const { now, before, forecast } = money;
  const to = salesPath(range);
  return (
    <Figures>
      <Figure
        name="Líquido"
        value={<Money cents={now.netCents} isTotal />}
        change={changeShare(now.netCents, before?.netCents ?? null)}
        to={to}
      >
        O vendido, menos a taxa, os reembolsos e as contestações.
      </Figure>
      <Figure
        name="Vendido"
        value={<Money cents={now.grossCents} isTotal />}
        change={changeShare(now.grossCents, before?.grossCents ?? null)}
        to={to}
      >
        A soma das cobranças pagas nestes dias, antes de qualquer desconto.
      </Figure>
      <Figure name="Taxa" value={<Money cents={now.feeCents} isTotal />} to={to}>
        A parte do Coreto no que ficou depois de reembolsos e contestações.
      </Figure>
      <Figure
        name="Devolvido"
        value={formatMoney(now.refundedCents + now.disputedCents)}
        change={changeShare(
          now.refundedCents + now.disputedCents,
          before && before.refundedCents + before.disputedCents,
        )}
        lessIsBetter
        to={salesPath(range, { refunds: "any" })}
      >
        Reembolsos e contestações das cobranças destes dias, quando quer que tenham acontecido.
      </Figure>
      {forecast ? (
        <Card className="col-span-2 flex flex-col gap-1 p-4 lg:col-span-4">
          <dt className="text-small text-muted">Próximo saque</dt>
          <dd className="font-display text-heading font-bold">
            <Link
              to="/settings/transfers"
              className="underline decoration-edge decoration-1 underline-offset-4 hover:decoration-leaf"
            >
              {`Cerca de ${formatMoney(forecast.thenCents)} até ${formatDay(forecast.at)}`}
            </Link>
          </dd>
          <dd className="text-caption text-muted">
            {`O disponível agora (${formatMoney(forecast.nowCents)}) e o que fica disponível até lá, menos o que você deve.`}
          </dd>
        </Card>
      ) : null}
    </Figures>
  );
}

export function PeopleFigures({ shown }: { shown: OverviewShown }) {
  const { now, before } = shown.audience;
  const query = rangeQuery(shown.range);
  return (
    <Figures>
      <Figure
        name="Visitantes"
        value={countText(now.visitors)}
        change={changeShare(now.visitors, before?.visitors ?? null)}
        to={`/analytics/people${query}`}
      >
        Pessoas diferentes de cada dia, somadas. Sem robôs e sem a sua equipe.
      </Figure>
      <Figure
        name="Visualizações"
        value={countText(now.views)}
        change={changeShare(now.views, before?.views ?? null)}
        to={`/analytics/posts${query}`}
      >
        Vezes que a sua página ou uma publicação foi aberta.
      </Figure>
      <Figure
        name="Novos seguidores"
        value={countText(now.follows)}
        change={changeShare(now.follows, before?.follows ?? null)}
        to={`/analytics/people${query}`}
      >
        Começaram a seguir nestes dias. Ao todo:{" "}
        {counted(shown.followersCount, "seguidor", "seguidores")}.
      </Figure>
      <Figure
        name="Novas assinaturas"
        value={countText(now.starts)}
        change={changeShare(now.starts, before?.starts ?? null)}
        to={`/analytics/people${query}`}
      >
        Começaram a pagar, ou voltaram. Hoje:{" "}
        {counted(shown.subscribersCount, "assinatura paga", "assinaturas pagas")}.
      </Figure>
    </Figures>
  );
}

export function Revenue({ shown, isOwn }: { shown: OverviewShown; isOwn: boolean }) {
  const title = isOwn ? "Quanto você recebeu" : "Quanto a página recebeu";
  return (
    <ChartSection
      id="receita"
      title={title}
      csv={`/analytics/files/receita.csv${rangeQuery(shown.range)}`}
      folds
      chart={
        <BarChart
          title={title}
          description={`O líquido soma ${formatMoney(shown.money?.now.netCents ?? 0)} nestes dias. Os valores estão na tabela abaixo.`}
          format={formatMoney}
          scale={moneyScale}
          bars={shown.buckets.map(({ label, netCents, netBeforeCents, from, until }) => ({
            label,
            days: { from, until },
            value: netCents,
            before: netBeforeCents,
          }))}
        />
      }
      note={compareNote(shown.range)}
      columns={[{ title: "Dias" }, { title: isOwn ? "Você recebe" : "Líquido", numeric: true }]}
    >
      <tbody>
        {shown.buckets.toReversed().map(({ label, from, until, netCents }) => (
          <tr key={from}>
            <Td>{label}</Td>
            <MoneyTd to={salesPath({ from, until })} cents={netCents} tone="in" />
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

const compareNote = (range: AnalyticsRange): string | null =>
  range.before === null ? null : "A linha tracejada é o período anterior.";

export function Visits({ shown }: { shown: OverviewShown }) {
  return (
    <ChartSection
      id="visitas"
      title="Visitas"
      csv={`/analytics/files/visitas.csv${rangeQuery(shown.range)}`}
      folds
      chart={
        <BarChart
          title="Visitantes"
          description={`${counted(shown.audience.now.visitors, "visitante", "visitantes")} nestes dias. Os valores estão na tabela abaixo.`}
          format={countText}
          bars={shown.buckets.map(({ label, visitors, visitorsBefore, from, until }) => ({
            label,
            days: { from, until },
            value: visitors,
            before: visitorsBefore,
          }))}
        />
      }
      note={compareNote(shown.range)}
      columns={[
        { title: "Dias" },
        { title: "Visitantes", numeric: true },
        { title: "Visualizações", numeric: true },
      ]}
    >
      <tbody>
        {shown.buckets.toReversed().map(({ label, from, visitors, views }) => (
          <tr key={from}>
            <Td>{label}</Td>
            <Td numeric>{countText(visitors)}</Td>
            <Td numeric>{countText(views)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}
