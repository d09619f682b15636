import { DisputeList } from "#app/components/payments/dispute-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { manualAnswers } from "#app/domain/disputes/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { toDisputeListItem } from "#app/http/dispute.server.ts";
import type { Route } from "./+types/disputes.ts";

const ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Respostas a enviar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const rows = await manualAnswers(ctx, { limit: ROWS });
  return {
    items: rows.map((row) => ({
      ...toDisputeListItem(row, ctx.now()),
      isAnswered: false,
      to: `/admin/disputes/${row.id}/sending`,
    })),
  };
}

export default function AdminDisputes({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Respostas a enviar"
        lead="O provedor destes pagamentos não recebe respostas por aqui: envie pela página dele, antes do prazo."
      >
        <ButtonLink to="/admin/disputes/regrets" variant="outline" size="sm">
          Arrependimentos repetidos
        </ButtonLink>
      </PageHeader>
      {items.length > 0 ? (
        <DisputeList rows={items} />
      ) : (
        <EmptyState title="Tudo enviado">Nenhuma resposta espera por nós agora.</EmptyState>
      )}
    </>
  );
}
