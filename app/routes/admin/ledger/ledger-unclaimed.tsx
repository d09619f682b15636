import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { unclaimedBalances } from "#app/domain/ledger/statements/queries/unclaimed.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/ledger-unclaimed.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Dinheiro de contas excluídas · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  return await unclaimedBalances(context.get(domainContext), {
    cursor: new URL(request.url).searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
}

export default function LedgerUnclaimed({
  loaderData: { items, next, sumCents },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Dinheiro de contas excluídas"
        lead="O que voltou depois que a conta foi excluída, como um saque que o banco devolveu. Continua de quem era, e ninguém mais pode usar."
      />
      <div className="flex flex-col gap-5">
        {items.length === 0 ? (
          <EmptyState title="Nada voltou">Nenhuma conta excluída tem dinheiro no livro.</EmptyState>
        ) : (
          <>
            <p className="flex flex-col">
              <span className="text-muted">Ao todo</span>
              <Money cents={sumCents} size="large" isTotal />
            </p>
            <p>
              Sem conta nem chave Pix, não há como enviá-lo por aqui: o valor fica guardado no nome
              de quem era. Se alguém o pedir por carta, guarde o pedido.
            </p>
            <Table
              caption="Dinheiro de contas excluídas, do mais antigo ao mais novo"
              columns={[
                { title: "De quem" },
                { title: "Desde" },
                { title: "Valor", numeric: true },
              ]}
            >
              <tbody>
                {items.map(({ id, accountId, kind, creatorId, username, doneAt, since, cents }) => (
                  <tr key={id}>
                    <Td>
                      <RowLink to={`/admin/payouts/people/${creatorId}`}>
                        {username === null ? "Conta excluída" : `@${username}`}
                      </RowLink>
                      <RowNote>
                        {ledgerAccountKinds[kind].title}, conta excluída em {formatDay(doneAt)}
                      </RowNote>
                    </Td>
                    <Td>{formatDay(since)}</Td>
                    <MoneyTd to={`/admin/ledger/accounts/${accountId}`} cents={cents} />
                  </tr>
                ))}
              </tbody>
            </Table>
          </>
        )}
        <MoreLink next={next} />
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}
