import { RECONCILED_OBJECT_LABELS } from "#app/components/reconciliation/difference-labels.ts";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { runItems } from "#app/domain/reconciliation/queries/run-items.server.ts";
import type { RunItem } from "#app/domain/reconciliation/queries/run-items.server.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/reconciliation-run.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Comparados em uma madrugada · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const cursor = new URL(request.url).searchParams.get("cursor");
  return {
    ...foundOr404(
      await runItems(context.get(domainContext), {
        runId: params.runId,
        cursor,
        limit: PAGE_ROWS,
      }),
      "Não encontramos esta madrugada.",
    ),
    isLaterPage: cursor !== null,
  };
}

export default function ReconciliationRun({
  loaderData: { run, items, next, isLaterPage },
}: Route.ComponentProps) {
  const count = countedFromTwo(run.listedCount, "Uma coisa", "coisas");
  return (
    <>
      <PageHeader
        title={`Comparados em ${formatDay(instantOfIsoDay(run.night))}`}
        lead={`${count} que ${providerLabel(run.provider)} listou${run.finishedAt === null ? " até agora" : ""}, cada uma comparada com o que temos aqui.`}
      >
        <ButtonLink
          to={`/admin/reconciliation?state=all&run=${run.id}`}
          variant="outline"
          size="sm"
        >
          Diferenças desta noite
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-5">
        {items.length === 0 ? (
          <Nothing isLaterPage={isLaterPage} isEmpty={run.listedCount === 0} />
        ) : (
          <Table
            caption="O que o provedor listou"
            columns={[{ title: "O quê" }, { title: "Valor aqui", numeric: true }]}
          >
            <tbody>
              {items.map((one) => (
                <tr
                  key={`${one.object}-${one.objectId}`}
                  id={`visto-${one.object}-${one.objectId}`}
                >
                  <Td className="wrap-anywhere">
                    <What one={one} />
                    <RowNote>{one.objectId}</RowNote>
                  </Td>
                  {one.cents === null || !one.isOurs ? (
                    <Td numeric>–</Td>
                  ) : (
                    <MoneyTd to={openedBy(one)} cents={one.cents} />
                  )}
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <MoreLink next={next} />
        <ButtonLink to="/admin/reconciliation" variant="ghost" className="-ml-5 self-start">
          Voltar para a conciliação
        </ButtonLink>
      </div>
    </>
  );
}

function Nothing({ isLaterPage, isEmpty }: { isLaterPage: boolean; isEmpty: boolean }) {
  if (isLaterPage)
    return <EmptyState title="Fim da lista">Não há mais nada desta madrugada.</EmptyState>;
  if (isEmpty)
    return (
      <EmptyState title="Nada a comparar">
        O provedor não listou nada desde a madrugada anterior.
      </EmptyState>
    );
  return (
    <EmptyState title="Esta lista já não existe">
      Só as listas das últimas madrugadas ficam guardadas; as diferenças ficam todas.
    </EmptyState>
  );
}

/** Returns the path of the charge or payout of an item. Null for a mandate, which moves no money. */
const openedBy = ({ chargeId, payoutId }: RunItem): string | null =>
  payoutId !== null
    ? `/admin/payouts/${payoutId}`
    : chargeId === null
      ? null
      : `/settings/transactions/${chargeId}`;

function What({ one }: { one: RunItem }) {
  const to = openedBy(one);
  const text =
    one.description === null
      ? RECONCILED_OBJECT_LABELS[one.object]
      : `${RECONCILED_OBJECT_LABELS[one.object]}: ${one.description}`;
  return (
    <>
      {to === null ? text : <RowLink to={to}>{text}</RowLink>}{" "}
      {one.isOurs ? null : <Badge tone="neutral">Sem este código aqui</Badge>}
    </>
  );
}
