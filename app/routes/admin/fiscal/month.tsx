import { Form } from "react-router";
import { isoToDay } from "#app/components/payouts/documents/document-labels.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowNote, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { markMonthDelivered } from "#app/domain/fiscal/commands.server.ts";
import { batchOfMonth, monthFeeRows } from "#app/domain/fiscal/queries.server.ts";
import { monthDeadline, retainedSince } from "#app/domain/fiscal/rules.ts";
import {
  monthBounds,
  monthBefore,
  parseMonth,
  monthOf,
  monthLabel,
} from "#app/domain/ledger/months/rules/months.ts";
import { formatDay, isoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/month.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = ({ params }) => [
  { title: `Notas de ${params.month} · Coreto` },
];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const [after, creatorId] = [search.get("after") ?? "", search.get("de")];
  const month = foundOr404(parseMonth(params.month), "Este mês não existe.");
  const ctx = context.get(domainContext);
  const [rows, batch] = await Promise.all([
    monthFeeRows(ctx, { month, after, creatorId, limit: PAGE_ROWS + 1 }),
    batchOfMonth(ctx, { month }),
  ]);
  const fees = rows.slice(0, PAGE_ROWS);
  const isForgotten = month < retainedSince(monthOf(ctx.now()));
  const { from, until } = monthBounds(month);
  // The sums of the whole month, or of the one creator whom the page shows.
  const [one] = creatorId === null ? [] : fees;
  const whole = one ? { ...one, feesCents: one.feeCents } : creatorId === null ? batch : null;
  // The fees, plus what was carried over from the month before, are the invoiced and the left sums.
  const sums = whole && [
    whole.feesCents,
    whole.invoicedCents + whole.leftCents - whole.feesCents,
    whole.invoicedCents,
    whole.leftCents,
  ];
  return {
    month,
    before: monthBefore(month),
    days: { from: isoDay(from), until: isoDay(until - 1) },
    isForgotten,
    handing: batch && handingOf(batch, isForgotten),
    fees,
    sums,
    isOfOne: creatorId !== null,
    next: rows.length > PAGE_ROWS ? (fees.at(-1)?.creatorId ?? null) : null,
  };
}

/** Records once that a moderator took the files of the month to the city hall. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const month = foundOr404(parseMonth(params.month), "Este mês não existe.");
  const isNoted = await markMonthDelivered(context.get(domainContext), {
    month,
    moderatorId: context.get(memberContext).id,
  });
  return await redirectWithToast(
    request,
    `/admin/fiscal/${month}`,
    isNoted
      ? { kind: "success", message: "Anotado: as notas foram levadas à prefeitura." }
      : { kind: "error", message: "Nada mudou: este mês não espera ser levado à prefeitura." },
  );
}

/** Returns what the page shows of the delivery of a month's files to the city hall. */
function handingOf(
  {
    month,
    issuedOn,
    invoicesCount,
    handedInAt,
    takenAt,
    takenByName,
  }: NonNullable<Awaited<ReturnType<typeof batchOfMonth>>>,
  isForgotten: boolean,
) {
  if (invoicesCount === 0) return null;
  if (takenAt !== null)
    return {
      mayTake: false,
      words: `Levado à prefeitura em ${formatDay(takenAt)}${takenByName === null ? "" : `, por ${takenByName}`}.`,
    };
  if (isForgotten && handedInAt !== null)
    return {
      mayTake: true,
      words: "Os lotes foram apagados, e ninguém disse que os levou à prefeitura.",
    };
  return {
    mayTake: handedInAt !== null,
    words: `Leve os lotes à prefeitura até ${isoToDay(monthDeadline({ month, issuedOn }))}.`,
  };
}

export default function FiscalMonth({
  loaderData: { month, before, days, isForgotten, handing, fees, sums, isOfOne, next },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={`Notas de ${monthLabel(month)}`}
        lead="A taxa de cada pessoa no mês, o que veio do mês anterior, o que foi faturado e o que ficou para o próximo."
      />
      <div className="flex flex-col gap-5">
        {handing === null ? null : (
          <Form method="post" className="flex flex-wrap items-center gap-3">
            <p>{handing.words}</p>
            {handing.mayTake ? (
              <Button variant="outline" size="sm">
                Levado à prefeitura
              </Button>
            ) : null}
          </Form>
        )}
        {fees.length === 0 ? (
          <p className="text-muted">Nenhuma taxa neste mês.</p>
        ) : (
          <Fees
            month={month}
            before={before}
            days={days}
            isForgotten={isForgotten}
            fees={fees}
            sums={sums}
            isOfOne={isOfOne}
          />
        )}
        <MoreLink next={next} parameter="after" />
        {isOfOne ? (
          <ButtonLink to={`/admin/fiscal/${month}`} variant="outline" className="self-start">
            Ver o mês inteiro
          </ButtonLink>
        ) : null}
        <ButtonLink to="/admin/fiscal" variant="ghost" className="-ml-5 self-start">
          Voltar para as notas
        </ButtonLink>
      </div>
    </>
  );
}

const COLUMNS: readonly Column[] = [
  { title: "Quem vende" },
  { title: "RPS", numeric: true },
  { title: "Taxa do mês", numeric: true },
  { title: "Do anterior", numeric: true },
  { title: "Faturado", numeric: true },
  { title: "Para o próximo", numeric: true },
];

type FeesProps = Pick<
  Route.ComponentProps["loaderData"],
  "month" | "before" | "days" | "isForgotten" | "fees" | "sums" | "isOfOne"
>;

/** Lists the fees. Each fee links to its entries. Each carried-over sum links to the month before. */
function Fees({ month, before, days, isForgotten, fees, sums, isOfOne }: FeesProps) {
  return (
    <Table caption={`Notas de ${month}`} scrolls columns={COLUMNS}>
      <tbody>
        {fees.map((fee) => (
          <tr key={fee.creatorId} id={`nota-${fee.creatorId}`}>
            <Td className="min-w-40 wrap-anywhere">
              {fee.name ??
                (isForgotten ? "Dados apagados depois de cinco anos" : "Sem documentos aprovados")}
              {fee.username === null ? null : <RowNote>@{fee.username}</RowNote>}
            </Td>
            <Td numeric>{fee.number ?? "Sem nota"}</Td>
            <MoneyTd
              to={`/admin/ledger/accounts/platform_fees?${new URLSearchParams({ ...days, creatorId: fee.creatorId }).toString()}`}
              cents={fee.feeCents}
            />
            <MoneyTd
              to={fee.carriedCents === 0 ? null : `/admin/fiscal/${before}?de=${fee.creatorId}`}
              cents={fee.carriedCents}
            />
            <MoneyTd cents={fee.invoicedCents} />
            <MoneyTd cents={fee.leftCents} />
          </tr>
        ))}
        {sums === null ? null : (
          <SumRow>
            <Td>{isOfOne ? "Soma" : "Soma do mês"}</Td>
            <Td />
            {sums.map((cents, position) => (
              <MoneyTd key={position} cents={cents} isTotal />
            ))}
          </SumRow>
        )}
      </tbody>
    </Table>
  );
}
