import { methodLabel } from "#app/components/payments/charge-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { purchaseBadge, singleKindLabel } from "#app/components/payments/purchase-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { buyerPurchase } from "#app/domain/purchases/queries.server.ts";
import { purchasedContentPath, coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/purchase.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.title ?? "Compra"} · Coreto` },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const purchase = foundOr404(
    await buyerPurchase(ctx, { personId: context.get(memberContext).id, purchaseId: params.id }),
    "Não encontramos esta compra.",
  );
  return {
    ...purchase,
    path: purchasedContentPath(purchase.kind, purchase.targetId),
    mayRegret:
      coolingOffRefundProblem(purchase, { status: purchase.chargeStatus }, ctx.now()) === null,
  };
}

export default function PurchasePage({ loaderData: purchase }: Route.ComponentProps) {
  const badge = purchaseBadge(purchase);
  return (
    <>
      <PageHeader title={purchase.title}>
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex items-center gap-3">
          <Avatar
            name={purchase.creatorName}
            src={
              purchase.creatorAvatarMediaId ? mediaUrl(purchase.creatorAvatarMediaId, "320") : null
            }
            size="lg"
          />
          <p className="font-semibold">{purchase.creatorName}</p>
        </div>
        <DetailList facts={factsOf(purchase)} />
        <div className="flex flex-wrap gap-2">
          {purchase.endedAt === null ? (
            <ButtonLink to={purchase.path}>
              Ver a {singleKindLabel(purchase.kind).toLowerCase()}
            </ButtonLink>
          ) : null}
          <ButtonLink to={`/settings/transactions/${purchase.chargeId}`} variant="outline">
            Ver o recibo
          </ButtonLink>
          {purchase.mayRegret ? (
            <ButtonLink to={`/settings/purchases/${purchase.id}/regret`} variant="ghost">
              Desistir da compra
            </ButtonLink>
          ) : null}
        </div>
      </Card>
      <ButtonLink to="/settings/purchases" variant="ghost" className="-ml-5 mt-4 self-start">
        Voltar para as compras
      </ButtonLink>
    </>
  );
}

function factsOf({
  kind,
  amountCents,
  method,
  boughtAt,
  endedAt,
  regretUntil,
  mayRegret,
}: Route.ComponentProps["loaderData"]): Detail[] {
  return [
    { label: "O que é", value: singleKindLabel(kind) },
    { label: "Preço", value: <Money cents={amountCents} /> },
    { label: "Pagamento", value: `${methodLabel(method)}, uma vez só` },
    { label: "Comprada em", value: formatMinute(boughtAt) },
    ...(endedAt === null ? [] : [{ label: "Terminou em", value: formatMinute(endedAt) }]),
    ...(mayRegret && regretUntil !== null
      ? [{ label: "Dá para desistir até", value: formatDay(regretUntil - 1) }]
      : []),
  ];
}
