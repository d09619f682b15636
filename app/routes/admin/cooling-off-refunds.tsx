import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, Table, Td } from "#app/components/ui/table.tsx";
import { frequentWithdrawers } from "#app/domain/billing/refunds/queries/cooling-off-review.server.ts";
import {
  COOLING_OFF_REVIEW_COUNT,
  COOLING_OFF_REVIEW_MONTHS,
} from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/cooling-off-refunds.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Arrependimentos repetidos · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  return await frequentWithdrawers(context.get(domainContext), {
    cursor: new URL(request.url).searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
}

export default function CoolingOffRefunds({ loaderData: { items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Arrependimentos repetidos"
        lead={`Quem se arrependeu de ${COOLING_OFF_REVIEW_COUNT} compras ou mais nos últimos ${COOLING_OFF_REVIEW_MONTHS} meses. É direito de quem compra: nada é recusado por isso.`}
      />
      <div className="flex flex-col gap-5">
        {items.length === 0 ? (
          <EmptyState title="Ninguém por aqui">
            Nenhuma pessoa se arrependeu tantas vezes.
          </EmptyState>
        ) : (
          <Table
            caption="Quem se arrependeu mais vezes, da última vez mais nova para a mais antiga"
            columns={[
              { title: "Quem" },
              { title: "Vezes", numeric: true },
              { title: "A última", wide: true },
              { title: "Quanto", numeric: true },
            ]}
          >
            <tbody>
              {items.map(({ personId, name, times, lastAt, amountCents }) => (
                <tr key={personId}>
                  <Td className="wrap-anywhere">
                    <RowLink to={`/admin/disputes/regrets/${personId}`}>
                      {name ?? "Conta excluída"}
                    </RowLink>
                  </Td>
                  <Td numeric>{times}</Td>
                  <Td wide>{formatDay(lastAt)}</Td>
                  <MoneyTd to={`/admin/disputes/regrets/${personId}`} cents={amountCents} />
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <MoreLink next={next} />
        <ButtonLink to="/admin/disputes" variant="ghost" className="-ml-5 self-start">
          Voltar para as contestações
        </ButtonLink>
      </div>
    </>
  );
}
