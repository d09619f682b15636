import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { marginGroupLabel } from "#app/components/ledger/margin-labels.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import { marginItems } from "#app/domain/ledger/margin/queries.server.ts";
import type { MarginItem } from "#app/domain/ledger/margin/queries.server.ts";
import { parseMarginGroup, marginCents } from "#app/domain/ledger/margin/rules.ts";
import type { MarginSums } from "#app/domain/ledger/margin/rules.ts";
import {
  parseReportMonth,
  monthBounds,
  monthLabel,
} from "#app/domain/ledger/months/rules/months.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/margin-group.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Margem · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const search = new URL(request.url).searchParams;
  const group = foundOr404(
    parseMarginGroup(params.group, PAYMENT_METHODS),
    "Esta faixa não existe.",
  );
  const month = parseReportMonth(search.get("month"), ctx.now());
  const { items, next, sums } = await marginItems(ctx, {
    group,
    ...monthBounds(month),
    cursor: search.get("cursor"),
    limit: PAGE_ROWS,
  });
  return { title: marginGroupLabel(group), month, items, sums, next };
}

export default function MarginGroup({
  loaderData: { title, month, items, sums, next },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={title} lead={`O que formou a margem de ${monthLabel(month)}.`} />
      {items.length === 0 ? (
        <p className="text-muted">Nada nesta faixa neste mês.</p>
      ) : (
        <Table
          caption={`${title}, ${monthLabel(month)}`}
          columns={[
            { title: "O quê" },
            { title: "Bruto", numeric: true, wide: true },
            { title: "Nossa taxa", numeric: true, wide: true },
            { title: "Custo", numeric: true },
            { title: "Sobra", numeric: true },
          ]}
        >
          <tbody>
            {items.map((item) => (
              <tr key={item.id} id={`lancamento-${item.id}`}>
                <Td className="wrap-anywhere">
                  <What item={item} />
                  <RowNote>{formatMinute(item.at)}</RowNote>
                  <OnPhone sums={item} />
                </Td>
                <Figures sums={item} />
              </tr>
            ))}
            {sums === null ? null : (
              <SumRow>
                <Td>
                  Soma de todas
                  <OnPhone sums={sums} isTotal />
                </Td>
                <Figures sums={sums} isTotal />
              </SumRow>
            )}
          </tbody>
        </Table>
      )}
      <MoreLink next={next} />
      <ButtonLink to={`/admin/margin?month=${month}`} variant="ghost" className="-ml-5 self-start">
        Voltar para a margem
      </ButtonLink>
    </>
  );
}

function What({ item: { chargeId, payoutId, description } }: { item: MarginItem }) {
  const to =
    chargeId !== null
      ? `/settings/transactions/${chargeId}`
      : payoutId !== null
        ? `/admin/payouts/${payoutId}`
        : null;
  const text = description ?? (payoutId === null ? "Lançamento" : "Saque");
  return to === null ? text : <RowLink to={to}>{text}</RowLink>;
}

/** Shows what a narrow screen has no column for. */
function OnPhone({
  sums: { grossCents, feeCents },
  isTotal = false,
}: {
  sums: MarginSums;
  isTotal?: boolean;
}) {
  if (grossCents === 0 && feeCents === 0) return null;
  return (
    <RowNote phoneOnly>
      <Money cents={grossCents} isTotal={isTotal} />; taxa{" "}
      <Money cents={feeCents} isTotal={isTotal} />
    </RowNote>
  );
}

function Figures({ sums, isTotal = false }: { sums: MarginSums; isTotal?: boolean }) {
  return [sums.grossCents, sums.feeCents, sums.costCents, marginCents(sums)].map(
    (cents, position) => (
      <MoneyTd
        key={position}
        wide={position < 2}
        cents={cents}
        isTotal={isTotal}
        className={cents < 0 ? "text-refusal" : ""}
      />
    ),
  );
}
