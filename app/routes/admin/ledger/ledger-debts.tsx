import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, Table, Td } from "#app/components/ui/table.tsx";
import { debtors } from "#app/domain/payments/debts/queries/debtors.server.ts";
import { WRITE_OFF_DAYS } from "#app/domain/payments/debts/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/ledger-debts.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Quem deve · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { items, next } = await debtors(context.get(domainContext), {
    cursor: new URL(request.url).searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
  return { debts: items, next };
}

export default function LedgerDebts({ loaderData: { debts, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Quem deve"
        lead={`O que voltou para quem pagou e ainda não foi descontado, do mais antigo ao mais novo. Depois de ${WRITE_OFF_DAYS} dias, dá para dar baixa na conta.`}
      />
      <div className="flex flex-col gap-5">
        {debts.length === 0 ? (
          <EmptyState title="Ninguém deve">Tudo o que voltou já foi descontado ou pago.</EmptyState>
        ) : (
          <Table
            caption="Dívidas, da mais antiga à mais nova"
            columns={[{ title: "De quem" }, { title: "Desde" }, { title: "Deve", numeric: true }]}
          >
            <tbody>
              {debts.map(({ creatorId, name, owedCents, since, isOld }) => (
                <tr key={creatorId}>
                  <Td>
                    <RowLink to={`/admin/ledger/accounts/creator_owed:${creatorId}`}>
                      {name ?? "Conta excluída"}
                    </RowLink>
                  </Td>
                  <Td>
                    {formatDay(since)}{" "}
                    {isOld ? <Badge tone="attention">Mais de {WRITE_OFF_DAYS} dias</Badge> : null}
                  </Td>
                  <MoneyTd
                    to={`/admin/ledger/accounts/creator_owed:${creatorId}`}
                    cents={owedCents}
                  />
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <MoreLink next={next} />
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}
