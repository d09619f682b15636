import { TransactionList } from "#app/components/payments/transaction-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { transactionsOf } from "#app/domain/payments/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/transactions.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Extrato · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  return await transactionsOf(context.get(domainContext), { personId: member.id, cursor, limit: PAGE_ROWS });
}

export default function Transactions({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Extrato" lead="O que você pagou e o que recebeu. Toque em uma para ver os lançamentos por trás." />
      {loaderData.items.length === 0 ? (
        <EmptyState title="Nada por aqui ainda" action={<ButtonLink to="/explore">Explorar</ButtonLink>}>
          Pagamentos e recebimentos aparecem aqui.
        </EmptyState>
      ) : (
        <TransactionList rows={loaderData.items} />
      )}
      <MoreLink next={loaderData.next} />
    </>
  );
}
