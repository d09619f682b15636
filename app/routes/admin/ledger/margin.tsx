import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { MarginTable } from "#app/components/ledger/margin-table.tsx";
import { MonthHeading } from "#app/components/ledger/month-heading.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { marginLines } from "#app/domain/ledger/margin/queries.server.ts";
import {
  parseReportMonth,
  monthBounds,
  monthAfter,
  monthBefore,
  monthOf,
  monthLabel,
} from "#app/domain/ledger/months/rules/months.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/margin.ts";

export const meta: Route.MetaFunction = () => [{ title: "Margem · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const month = parseReportMonth(new URL(request.url).searchParams.get("month"), ctx.now());
  return {
    lines: await marginLines(ctx, { ...monthBounds(month), methods: PAYMENT_METHODS }),
    month,
    before: monthBefore(month),
    after: month === monthOf(ctx.now()) ? null : monthAfter(month),
  };
}

export default function Margin({
  loaderData: { lines, month, before, after },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Margem"
        lead="O que cada forma de pagamento e faixa de preço deixa para o Coreto, depois do que o provedor cobra."
      >
        {lines.length > 0 ? (
          <ButtonLink
            to={`/admin/margin/${month}/planilha.csv`}
            variant="outline"
            size="sm"
            reloadDocument
          >
            Baixar planilha
          </ButtonLink>
        ) : null}
      </PageHeader>
      <section aria-labelledby="month" className="flex flex-col gap-3">
        <MonthHeading id="month" before={before} after={after}>
          {monthLabel(month)}
        </MonthHeading>
        {lines.length === 0 ? (
          <p className="text-muted">Nada foi vendido nem custou neste mês.</p>
        ) : (
          <MarginTable month={month} monthText={monthLabel(month)} lines={lines} />
        )}
        <p className="text-small text-muted">
          Bruto é o que foi vendido no mês: o que alguém paga do próprio valor a descontar não é
          venda. Da taxa já saiu o que foi devolvido ou perdido em contestação no mês, mesmo de
          vendas de antes. O custo é o que o provedor informou: vai para a conta do Coreto, nunca
          para a de quem cria.
        </p>
      </section>
    </>
  );
}
