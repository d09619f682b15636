import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { payoutBatchList } from "#app/domain/payouts/queries/batches.server.ts";
import { batchFigures } from "#app/domain/payouts/rules/desk.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/payout-batches.ts";

const PAGE_ROWS = 30;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const meta: Route.MetaFunction = () => [{ title: "Lotes de saques · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = new URL(request.url).searchParams.get("cursor");
  const { items, next } = await payoutBatchList(context.get(domainContext), { beforeDay: asked !== null && DAY.test(asked) ? asked : null, limit: PAGE_ROWS });
  return { items: items.map(({ parts, ...batch }) => ({ ...batch, at: instantOfIsoDay(batch.day), ...batchFigures(parts) })), next };
}

export default function PayoutBatches({ loaderData: { items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Lotes de saques" lead="O que as agendas de segunda-feira e do dia 1º abriram.">
        <ButtonLink to="/admin/payouts" variant="outline" size="sm">
          Saques
        </ButtonLink>
      </PageHeader>
      {items.length === 0 ? (
        <EmptyState title="Nenhum lote ainda">O primeiro sai na próxima segunda-feira ou no próximo dia 1º.</EmptyState>
      ) : (
        <Table caption="Lotes de saques">
          <thead>
            <tr>
              <Th>Dia</Th>
              <Th>Situação</Th>
              <Th numeric>Saques</Th>
              <Th numeric>Pagos</Th>
              <Th numeric>Esperam</Th>
              <Th numeric>Não deram certo</Th>
              <Th numeric>Valor pago</Th>
            </tr>
          </thead>
          <tbody>
            {items.map((batch) => (
              <tr key={batch.day}>
                <Td>{formatDay(batch.at)}</Td>
                <Td>{batch.finishedAt === null ? "Em curso" : "Completo"}</Td>
                <Td numeric>{batch.count}</Td>
                <Td numeric>{batch.paidCount}</Td>
                <Td numeric>{batch.openCount}</Td>
                <Td numeric>{batch.backCount}</Td>
                <Td numeric>
                  <Money cents={batch.paidCents} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreLink next={next} />
    </>
  );
}
