import { SaleAmounts } from "#app/components/payments/sale-amounts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { coolingOffRefundsOf } from "#app/domain/billing/refunds/queries/cooling-off-review.server.ts";
import { COOLING_OFF_REVIEW_MONTHS } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/cooling-off-person.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Arrependimentos de uma pessoa · Coreto" }];

export async function loader({ request, params: { personId }, context }: Route.LoaderArgs) {
  return foundOr404(
    await coolingOffRefundsOf(context.get(domainContext), {
      personId,
      cursor: new URL(request.url).searchParams.get("cursor"),
      limit: PAGE_ROWS,
    }),
    "Esta pessoa não se arrependeu de nada nestes meses.",
  );
}

export default function CoolingOffPerson({
  loaderData: { items, next, name, sumCents },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={name ?? "Conta excluída"}
        lead={`O que voltou por arrependimento nos últimos ${COOLING_OFF_REVIEW_MONTHS} meses.`}
      />
      <div className="flex flex-col gap-5">
        <SaleAmounts
          caption="Arrependimentos, do mais novo para o mais antigo"
          columns={["Pagamento", "Quanto"]}
          sumCents={sumCents}
          rows={items.map(({ askedAt, ...item }) => ({
            ...item,
            note: `pedido em ${formatMinute(askedAt)}`,
          }))}
        />
        <MoreLink next={next} />
        <ButtonLink to="/admin/disputes/regrets" variant="ghost" className="-ml-5 self-start">
          Voltar para os arrependimentos
        </ButtonLink>
      </div>
    </>
  );
}
