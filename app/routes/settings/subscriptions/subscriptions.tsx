import { Link } from "react-router";
import { subscriptionTone } from "#app/components/subscriptions/subscription-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { canCancel, isLive } from "#app/domain/subscriptions/rules.ts";
import { daysLabel, shiftedDays } from "#app/domain/subscriptions/vacations/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/subscriptions.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Assinaturas · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const cursor = new URL(request.url).searchParams.get("cursor");
  return await memberSubscriptions(context.get(domainContext), {
    fanId: context.get(memberContext).id,
    cursor,
    limit: PAGE_ROWS,
  });
}

export default function Subscriptions({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Assinaturas" lead="Quem você apoia, e até quando." />
      {loaderData.monthlyCents > 0 ? (
        <Card className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-5">
          <h2 className="text-body font-semibold">Quanto apoio por mês</h2>
          <Money cents={loaderData.monthlyCents} size="large" />
          <p className="w-full text-small text-muted">
            A soma do que renova, contada por mês. O que você cancelou e dias grátis não entram.
          </p>
        </Card>
      ) : null}
      {loaderData.items.length === 0 ? (
        <EmptyState
          title="Você ainda não assina ninguém"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Quando assinar, é aqui que você vê, paga e cancela.
        </EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {loaderData.items.map((item) => (
              <SubscriptionRow key={item.id} item={item} />
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={loaderData.next} />
    </>
  );
}

/** A subscription of the member. Canceling is one tap from here, and its confirmation one more. */
function SubscriptionRow({ item }: { item: Route.ComponentProps["loaderData"]["items"][number] }) {
  return (
    <li className="flex flex-wrap items-center hover:bg-sand">
      <Link
        to={`/settings/subscriptions/${item.id}`}
        className="flex flex-1 flex-wrap items-center gap-4 px-5 py-4"
      >
        <Avatar
          name={item.creatorName}
          src={item.creatorAvatarMediaId ? mediaUrl(item.creatorAvatarMediaId, "320") : null}
          size="lg"
        />
        <span className="flex min-w-40 flex-1 flex-col">
          <span className="font-semibold">{item.creatorName}</span>
          <span className="text-small text-muted">
            {item.planName} ·{" "}
            {item.giftedBy !== null ? (
              "presente, já pago"
            ) : item.compEndsAt !== null ? (
              "sem cobrança"
            ) : (
              <>
                <Money cents={item.amountCents} /> {intervalLabel(item.interval)}
              </>
            )}
          </span>
          {item.awayUntil !== null && isLive(item.status) ? (
            <span className="text-small text-muted">
              {vacationLabel(item.awayUntil)}
              {shiftedDays(item.vacationMs) > 0
                ? `: ganhou ${daysLabel(shiftedDays(item.vacationMs))}`
                : ""}
            </span>
          ) : null}
        </span>
        <Badge tone={subscriptionTone(item.status)}>{item.badge}</Badge>
      </Link>
      {canCancel(item.status) && item.compEndsAt === null ? (
        <ButtonLink
          to={`/settings/subscriptions/${item.id}/cancellation`}
          variant="ghost"
          size="sm"
          className="mr-3"
          aria-label={`Cancelar a assinatura de ${item.creatorName}`}
        >
          Cancelar
        </ButtonLink>
      ) : null}
    </li>
  );
}
