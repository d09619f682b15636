import { counted } from "#app/domain/text.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { payoutBatchList } from "#app/domain/payouts/batches/queries/batches.server.ts";
import { batchFigures } from "#app/domain/payouts/staff-review/rules.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/payout-batches.ts";

const PAGE_ROWS = 30;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const meta: Route.MetaFunction = () => [{ title: "Lotes de saques · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = new URL(request.url).searchParams.get("cursor");
  const { items, next } = await payoutBatchList(context.get(domainContext), {
    beforeDay: asked !== null && DAY.test(asked) ? asked : null,
    limit: PAGE_ROWS,
  });
  return {
    items: items.map(({ parts, ...batch }) => ({
      ...batch,
      at: instantOfIsoDay(batch.day),
      ...batchFigures(parts),
    })),
    next,
  };
}

type Batch = Route.ComponentProps["loaderData"]["items"][number];

const COLUMNS: readonly Column[] = [
  { title: "Dia" },
  { title: "Situação", wide: true },
  { title: "Saques", numeric: true, wide: true },
  { title: "Pagos", numeric: true, wide: true },
  { title: "Esperam", numeric: true, wide: true },
  { title: "Não deram certo", numeric: true, wide: true },
  { title: "Valor pago", numeric: true },
];

const stateText = ({ finishedAt }: Batch): string =>
  finishedAt === null ? "Em curso" : "Completo";

/** Formats what a narrow screen has no column for. Leaves out zeros. */
function onPhone(batch: Batch): string {
  const counts: [count: number, one: string, many: string][] = [
    [batch.paidCount, "pago", "pagos"],
    [batch.openCount, "espera", "esperam"],
    [batch.backCount, "não deu certo", "não deram certo"],
  ];
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => counted(count, one, many));
  return [
    stateText(batch),
    batch.count === 0 ? "nenhum saque" : `${counted(batch.count, "saque", "saques")}`,
    ...parts,
  ].join(" · ");
}

export default function PayoutBatches({ loaderData: { items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Lotes de saques"
        lead="O que as agendas de segunda-feira e do dia 1º abriram."
      >
        <ButtonLink to="/admin/payouts" variant="outline" size="sm">
          Saques
        </ButtonLink>
      </PageHeader>
      {items.length === 0 ? (
        <EmptyState title="Nenhum lote ainda">
          O primeiro sai na próxima segunda-feira ou no próximo dia 1º.
        </EmptyState>
      ) : (
        <Table caption="Lotes de saques" columns={COLUMNS}>
          <tbody>
            {items.map((batch) => (
              <tr key={batch.day}>
                <Td>
                  <RowLink to={`/admin/payouts/batches/${batch.day}`}>
                    {formatDay(batch.at)}
                  </RowLink>
                  <RowNote phoneOnly>{onPhone(batch)}</RowNote>
                </Td>
                <Td wide>{stateText(batch)}</Td>
                {[batch.count, batch.paidCount, batch.openCount, batch.backCount].map(
                  (count, position) => (
                    <Td key={position} numeric wide>
                      {count}
                    </Td>
                  ),
                )}
                <MoneyTd
                  to={`/admin/payouts/batches/${batch.day}?state=paid`}
                  cents={batch.paidCents}
                />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreLink next={next} />
    </>
  );
}
