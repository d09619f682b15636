import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import {
  earningsFigureRows,
  creatorEarnings,
} from "#app/domain/ledger/statements/queries/earnings.server.ts";
import {
  EARNINGS_FIGURE_TITLES,
  parseEarningsFigure,
  sumEarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import { monthBounds, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementPeriod } from "#app/http/money/ledger-statement.server.ts";
import type { Route } from "./+types/figures.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = () => [{ title: "Por trás do valor · Coreto" }];

/** Loads the entries behind one figure of a monthly or annual statement. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { space } = requireActor({ context }, "money:see");
  const ctx = context.get(domainContext);
  const search = new URL(request.url).searchParams;
  const figure = parseEarningsFigure(search.get("figure"));
  const period = parseStatementPeriod(search);
  // Without a first day the statement is of the month that its last day is in.
  const until = period.until ?? ctx.now() + 1;
  const from = period.from ?? monthBounds(monthOf(until - 1)).from;
  const asked = { creatorId: space.personId, from, until };
  const [{ items, next }, { effects }] = await Promise.all([
    earningsFigureRows(ctx, { ...asked, figure, cursor: search.get("cursor"), limit: PAGE_ROWS }),
    creatorEarnings(ctx, { ...asked, by: "month" }),
  ]);
  const lines = items.map(({ id, at, kind, chargeId, description, cents }) => ({
    id,
    at,
    cents,
    chargeId,
    words:
      description === null
        ? transactionKindLabel(kind)
        : `${transactionKindLabel(kind)}: ${description}`,
  }));
  const month = monthOf(asked.from);
  const back =
    month === monthOf(asked.until - 1)
      ? { to: `/settings/transfers/extrato?month=${month}`, label: "Voltar para o extrato do mês" }
      : {
          to: `/settings/transfers/resumo?year=${month.slice(0, 4)}`,
          label: "Voltar para o resumo do ano",
        };
  return {
    title: EARNINGS_FIGURE_TITLES[figure],
    isOfSales: figure !== "paid" && figure !== "other",
    back,
    days: [formatDay(asked.from), formatDay(asked.until - 1)],
    lines,
    next,
    totalCents: sumEarningsFigures(effects)[figure],
  };
}

export default function FiguresPage({
  loaderData: { title, isOfSales, back, days, lines, next, totalCents },
}: Route.ComponentProps) {
  const [first, last] = days;
  return (
    <>
      <PageHeader
        title={title}
        lead={`${first === last ? `Em ${first}.` : `De ${first} a ${last}.`}${isOfSales ? " Cada linha abre a venda." : ""}`}
      />
      <div className="flex flex-col gap-5">
        <p>
          <span className="block text-small text-muted">Soma</span>
          <Money cents={totalCents} size="large" isTotal />
        </p>
        {lines.length === 0 ? (
          <p className="text-muted">Nada neste período.</p>
        ) : (
          <Table
            caption={title}
            columns={[{ title: "O que aconteceu" }, { title: "Valor", numeric: true }]}
          >
            <tbody>
              {lines.map((line) => (
                <tr key={line.id} id={`lancamento-${line.id}`}>
                  <Td className="wrap-anywhere">
                    {line.chargeId === null ? (
                      line.words
                    ) : (
                      <RowLink to={`/settings/transactions/${line.chargeId}`}>{line.words}</RowLink>
                    )}
                    <RowNote>{formatMinute(line.at)}</RowNote>
                  </Td>
                  <MoneyTd cents={line.cents} />
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <MoreLink next={next} />
        <ButtonLink to={back.to} variant="ghost" className="-ml-5 self-start">
          {back.label}
        </ButtonLink>
      </div>
    </>
  );
}
