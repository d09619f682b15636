import { Figure, Figures } from "./figures.tsx";
import { countText, percentText } from "./format.ts";
import { methodText } from "./sales-path.ts";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td } from "#app/components/ui/table.tsx";
import { shareOf } from "#app/domain/analytics/platform/rules.ts";
import type { CreatorFunnel, PlatformDay } from "#app/domain/analytics/platform/schema.ts";
import { changeShare } from "#app/domain/analytics/ranges/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";

type Sums = { now: PlatformDay; before: PlatformDay | null };

const HOURS = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 1 });

const started = ({ checkouts }: PlatformDay) =>
  checkouts.reduce((sum, one) => sum + one.started, 0);

export function MetricFigures({ now, before }: Sums) {
  const { settled, waitMs } = now.payouts;
  return (
    <Figures>
      <Figure
        name="Volume bruto"
        value={<Money cents={now.grossCents} />}
        change={changeShare(now.grossCents, before?.grossCents ?? null)}
        to="/admin/ledger/kinds/provider_clearing"
      >
        O que as pessoas pagaram, pelo dia do lançamento no livro.
      </Figure>
      <Figure
        name="Nossa parte"
        value={<Money cents={now.feeCents} />}
        change={changeShare(now.feeCents, before?.feeCents ?? null)}
        to="/admin/ledger/kinds/platform_fees"
      >
        O que entrou nas contas de taxas, menos o que saiu delas.
      </Figure>
      <Figure
        name="Devolvido"
        value={<Money cents={now.returnedCents} />}
        change={changeShare(now.returnedCents, before?.returnedCents ?? null)}
        lessIsBetter
        to="/admin/ledger/kinds/provider_clearing"
      >
        Reembolsos e contestações perdidas.
      </Figure>
      <Figure
        name="Contestações"
        value={countText(now.disputes)}
        change={changeShare(now.disputes, before?.disputes ?? null)}
        lessIsBetter
        to="/admin/disputes"
      >
        Abertas nestes dias: {percentText(shareOf(now.disputes, started(now)))} das compras
        começadas.
      </Figure>
      <Figure name="Criadores ativos" value={countText(now.activeCreators)}>
        Que venderam algo, no dia mais cheio do período.
      </Figure>
      <Figure name="Fãs ativos" value={countText(now.activeFans)}>
        Que pagaram algo, no dia mais cheio do período.
      </Figure>
      <Figure name="Saques pagos" value={countText(settled)} to="/admin/payouts">
        Que chegaram à conta de quem cria nestes dias.
      </Figure>
      <Figure
        name="Tempo de saque"
        value={settled === 0 ? "sem dados" : `${HOURS.format(waitMs / settled / HOUR_MS)} h`}
      >
        Do pedido até chegar, em média.
      </Figure>
    </Figures>
  );
}

export function MetricTables({ now, funnel }: { now: PlatformDay; funnel: CreatorFunnel | null }) {
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <Checkouts now={now} />
      <Failures now={now} />
      {funnel ? <NewCreators funnel={funnel} /> : null}
    </div>
  );
}

function Checkouts({ now }: { now: PlatformDay }) {
  return (
    <section aria-labelledby="compras" className="flex flex-col gap-3">
      <h2 id="compras" className="text-heading">
        Compras por forma de pagamento
      </h2>
      <p className="text-small text-muted">
        Das compras começadas nestes dias, quantas foram pagas, e em quanto tempo. Renovações não
        entram.
      </p>
      <Table
        caption="Compras pagas, por forma"
        scrolls
        columns={[
          { title: "Forma" },
          { title: "Começadas", numeric: true },
          { title: "Pagas", numeric: true },
          { title: "Em 5 min", numeric: true },
          { title: "Em 1 h", numeric: true },
        ]}
      >
        <tbody>
          {now.checkouts.map((one) => (
            <tr key={one.method}>
              <Td>{methodText(one.method)}</Td>
              <Td numeric>{countText(one.started)}</Td>
              <Td numeric>{percentText(shareOf(one.paid, one.started))}</Td>
              <Td numeric>{percentText(shareOf(one.paidInFiveMinutes, one.paid))}</Td>
              <Td numeric>{percentText(shareOf(one.paidInHour, one.paid))}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function Failures({ now }: { now: PlatformDay }) {
  return (
    <section aria-labelledby="falhas" className="flex flex-col gap-3">
      <h2 id="falhas" className="text-heading">
        Pagamentos que não deram certo
      </h2>
      <p className="text-small text-muted">
        Pelo código que o provedor deu; “expired” é um código que ninguém pagou.
      </p>
      <Table
        caption="Pagamentos que não deram certo"
        columns={[{ title: "Código" }, { title: "Cobranças", numeric: true }]}
      >
        <tbody>
          {now.failures.map(({ code, count }) => (
            <tr key={code}>
              <Td className="wrap-anywhere">{code}</Td>
              <Td numeric>{countText(count)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

const STEPS: Record<keyof CreatorFunnel, string> = {
  registered: "Criaram a conta",
  opened: "Abriram a página",
  published: "Publicaram",
  planned: "Puseram um plano à venda",
  sold: "Venderam",
};

function NewCreators({ funnel }: { funnel: CreatorFunnel }) {
  return (
    <section aria-labelledby="novos" className="flex flex-col gap-3">
      <h2 id="novos" className="text-heading">
        Novos criadores
      </h2>
      <p className="text-small text-muted">
        De quem criou a conta nos últimos 90 dias, até onde chegou.
      </p>
      <Table
        caption="Novos criadores"
        columns={[
          { title: "Passo" },
          { title: "Pessoas", numeric: true },
          { title: "De todas", numeric: true },
        ]}
      >
        <tbody>
          {(Object.keys(STEPS) as (keyof CreatorFunnel)[]).map((step) => (
            <tr key={step}>
              <Td>{STEPS[step]}</Td>
              <Td numeric>{countText(funnel[step])}</Td>
              <Td numeric>{percentText(shareOf(funnel[step], funnel.registered))}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
