import { Link } from "react-router";
import { Facts } from "#app/components/payments/facts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { monthlyEquivalentCents } from "#app/domain/plans/rules.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { subscriptionsOf } from "#app/domain/subscriptions/queries.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/billing.ts";

/** More live subscriptions than this are counted on the page that lists them all. */
const ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Pagamentos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const page = await subscriptionsOf(context.get(domainContext), { fanId: context.get(memberContext).id, cursor: null, limit: ROWS });
  const renewing = page.items.filter((item) => item.status === "active" || item.status === "past_due");
  return {
    monthlyCents: renewing.reduce((sum, item) => sum + monthlyEquivalentCents(item.amountCents, item.interval), 0),
    renewing: renewing.map(({ id, planName, creatorName, amountCents, interval, currentPeriodEndsAt }) => ({
      id,
      planName,
      creatorName,
      amountCents,
      interval,
      currentPeriodEndsAt,
    })),
  };
}

export default function Billing({ loaderData }: Route.ComponentProps) {
  const { monthlyCents, renewing } = loaderData;
  return (
    <>
      <PageHeader title="Pagamentos">
        <ButtonLink to="/settings/billing/details" variant="outline">
          Dados de cobrança
        </ButtonLink>
      </PageHeader>
      {renewing.length === 0 ? (
        <EmptyState title="Nada para pagar" action={<ButtonLink to="/explore">Explorar</ButtonLink>}>
          Você não tem assinatura que renove.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          <Card className="flex flex-col gap-1 p-5 sm:p-6">
            <p className="text-muted">Suas assinaturas pesam por mês</p>
            <Money cents={monthlyCents} size="display" />
            <p className="text-small text-muted">Planos de outros períodos entram divididos pelos meses.</p>
          </Card>
          <Card className="p-5 sm:p-6">
            <Facts
              facts={renewing.map((item) => ({
                label: `${item.planName}, de ${item.creatorName}`,
                value: (
                  <Link to={`/settings/subscriptions/${item.id}`} className="underline underline-offset-4">
                    <Money cents={item.amountCents} /> {intervalLabel(item.interval)}
                    {item.currentPeriodEndsAt ? ` · ${formatDay(item.currentPeriodEndsAt)}` : ""}
                  </Link>
                ),
              }))}
            />
          </Card>
          <ButtonLink to="/settings/transactions" variant="ghost" className="-ml-5 self-start">
            Ver tudo o que já paguei
          </ButtonLink>
        </div>
      )}
    </>
  );
}
