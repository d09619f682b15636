import { SaleAmounts } from "#app/components/payments/sale-amounts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { pendingFeeRefunds } from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/ledger-platform-refunds.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Taxas de devoluções a caminho · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  return await pendingFeeRefunds(context.get(domainContext), {
    cursor: new URL(request.url).searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
}

export default function LedgerPlatformRefunds({
  loaderData: { items, next, sumCents },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Taxas de devoluções a caminho"
        lead="A parte da nossa taxa em cada devolução pedida ao provedor e ainda não confirmada. Entra no livro quando ele confirmar."
      />
      <div className="flex flex-col gap-5">
        {items.length === 0 ? (
          <EmptyState title="Nenhuma a caminho">
            Toda devolução pedida já foi respondida.
          </EmptyState>
        ) : (
          <SaleAmounts
            caption="Devoluções pedidas, da mais nova para a mais antiga"
            columns={["Pagamento", "Taxa que volta"]}
            sumCents={sumCents}
            rows={items.map(({ askedAt, ...item }) => ({
              ...item,
              note: `pedida em ${formatMinute(askedAt)}`,
            }))}
          />
        )}
        <MoreLink next={next} />
        <ButtonLink to="/admin/ledger/platform" variant="ghost" className="-ml-5 self-start">
          Voltar para o dinheiro da plataforma
        </ButtonLink>
      </div>
    </>
  );
}
