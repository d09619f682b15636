import { DisputeList } from "#app/components/payments/dispute-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { manualAnswers, openDisputes } from "#app/domain/disputes/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { toDisputeListItem } from "#app/http/money/dispute.server.ts";
import type { Route } from "./+types/disputes.ts";

const ROWS = 50;
const OPEN_ROWS = 200;

export const meta: Route.MetaFunction = () => [{ title: "Contestações · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const [toSend, open] = await Promise.all([
    manualAnswers(ctx, { limit: ROWS }),
    openDisputes(ctx, { limit: OPEN_ROWS }),
  ]);
  return {
    items: toSend.map((row) => ({
      ...toDisputeListItem(row, ctx.now()),
      isAnswered: false,
      to: `/admin/disputes/${row.id}/sending`,
    })),
    open: open.map((row) => toDisputeListItem(row, ctx.now())),
  };
}

export default function AdminDisputes({ loaderData: { items, open } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Contestações">
        <ButtonLink to="/admin/disputes/regrets" variant="outline" size="sm">
          Arrependimentos repetidos
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-8">
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">Respostas a enviar</h2>
          <p className="text-muted">
            O provedor destes pagamentos não recebe respostas por aqui: envie pela página dele,
            antes do prazo.
          </p>
          {items.length > 0 ? (
            <DisputeList rows={items} />
          ) : (
            <EmptyState title="Tudo enviado">Nenhuma resposta espera por nós agora.</EmptyState>
          )}
        </section>
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">Em aberto</h2>
          <p className="text-muted">
            Todas as que esperam uma decisão, a de prazo mais próximo primeiro.
          </p>
          {open.length > 0 ? (
            <DisputeList rows={open} />
          ) : (
            <EmptyState title="Nada em aberto">Nenhum pagamento está contestado agora.</EmptyState>
          )}
        </section>
      </div>
    </>
  );
}
