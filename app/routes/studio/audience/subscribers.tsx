import { Download, Gift } from "lucide-react";
import { audienceUrl, AudienceFilters } from "#app/components/audience/audience-filters.tsx";
import { AudienceList } from "#app/components/audience/audience-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { audiencePageOf } from "#app/domain/subscriptions/audience/queries.server.ts";
import type { Subscriber } from "#app/domain/subscriptions/audience/queries.server.ts";
import {
  parseAudienceFilter,
  isAudienceFiltered,
} from "#app/domain/subscriptions/audience/rules.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/subscribers.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Assinantes · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { space, isOwn, may } = requireWriter({ context }, "plans:edit");
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor");
  const { filter, values } = parseAudienceFilter(search);
  const { page, counts, plans } = await audiencePageOf(context.get(domainContext), {
    creatorId: space.personId,
    filter,
    cursor,
    limit: PAGE_ROWS,
  });
  const seesMoney = may("money:see");
  return {
    items: page.items.map((row) => shownTo(row, seesMoney)),
    next: page.next,
    counts: { ...counts, monthlyCents: seesMoney ? counts.monthlyCents : null },
    plans,
    values,
    isFiltered: isAudienceFiltered(filter),
    isLaterPage: cursor !== null,
    of: isOwn ? null : space.name,
    publicPath: `/space/${space.username}/public`,
  };
}

function shownTo(
  {
    id,
    name,
    username,
    avatarMediaId,
    planName,
    interval,
    method,
    isAutomatic,
    status,
    badge,
    startedAt,
    ...money
  }: Subscriber,
  seesMoney: boolean,
) {
  const { amountCents, monthlyCents, paidCents } = seesMoney
    ? money
    : { amountCents: null, monthlyCents: null, paidCents: null };
  return {
    id,
    name,
    username,
    avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
    planName,
    interval,
    method,
    isAutomatic,
    status,
    badge,
    startedAt,
    amountCents,
    monthlyCents,
    paidCents,
  };
}

export default function Subscribers({ loaderData }: Route.ComponentProps) {
  const { items, next, counts, plans, values, isFiltered, of } = loaderData;
  return (
    <>
      <PageHeader
        title="Assinantes"
        lead={
          of
            ? `Quem assina a página de ${of}, e quem já assinou.`
            : "Quem assina a sua página, e quem já assinou."
        }
      >
        <ButtonLink to="/me/subscribers/comp" variant="outline" size="sm">
          <Gift aria-hidden="true" className="size-4.5" />
          Dar uma assinatura
        </ButtonLink>
        {items.length > 0 ? (
          <ButtonLink
            to={audienceUrl(values, "/me/subscribers/planilha.csv")}
            reloadDocument
            variant="outline"
            size="sm"
          >
            <Download aria-hidden="true" className="size-4.5" />
            Baixar planilha
          </ButtonLink>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {counts.monthlyCents !== null && counts.count > 0 ? (
          <MonthlyRevenue cents={counts.monthlyCents} />
        ) : null}
        {counts.count > 0 ? (
          <AudienceFilters values={values} counts={counts} plans={plans} isFiltered={isFiltered} />
        ) : null}
        {items.length > 0 ? <AudienceList rows={items} /> : <Nothing {...loaderData} />}
      </div>
      <MoreLink next={next} />
    </>
  );
}

function MonthlyRevenue({ cents }: { cents: number }) {
  return (
    <Card as="section" label="Receita por mês" className="flex flex-col p-5 sm:p-6">
      <span className="text-small text-muted">Receita por mês</span>
      <Money cents={cents} size="large" tone="in" />
      <span className="text-small text-muted">
        O que as assinaturas ativas valem por mês, antes da taxa. Um plano de R$&nbsp;120 por ano
        conta R$&nbsp;10.
      </span>
    </Card>
  );
}

function Nothing({
  counts,
  isFiltered,
  isLaterPage,
  publicPath,
}: Pick<
  Route.ComponentProps["loaderData"],
  "counts" | "isFiltered" | "isLaterPage" | "publicPath"
>) {
  if (counts.count > 0 || isFiltered || isLaterPage) {
    return (
      <EmptyState
        title="Ninguém com estes filtros"
        action={<ButtonLink to="/me/subscribers">Ver todo mundo</ButtonLink>}
      >
        Mude a situação, o plano ou o nome.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Ninguém assina ainda"
      action={
        <ButtonLink to={publicPath} reloadDocument>
          Ver como visitante
        </ButtonLink>
      }
    >
      Quem assinar aparece aqui, com o plano e até quando. Mostre a sua página a quem gosta do que
      você faz.
    </EmptyState>
  );
}
