import { MoneyTimelineView } from "#app/components/payouts/money-timeline.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { loadMoneyTimeline } from "#app/domain/payouts/timeline/queries/timeline.server.ts";
import { unpaidBalanceCents } from "#app/domain/payouts/timeline/rules/timeline.ts";
import type { TimelineRow } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/money-timeline.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = () => [
  { title: "Por que cada valor ainda não saiu · Coreto" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = requireActor({ context }, "money:see");
  const cursor = new URL(request.url).searchParams.get("cursor");
  const { rows, balances, next, holdReason } = await loadMoneyTimeline(context.get(domainContext), {
    creatorId: actor.space.personId,
    cursor,
    limit: PAGE_ROWS,
  });
  // Only the owner of the money reads the moderator's note, not their team.
  return {
    rows,
    balances,
    next,
    totalCents: unpaidBalanceCents(balances),
    holdReason: actor.isOwn ? holdReason : null,
    of: actor.isOwn ? null : actor.space.name,
  };
}

const ENTRIES: Record<TimelineRow["of"], string | null> = {
  in_transit: "in_transit",
  available: "available",
  reserved: "reserved",
  pending: "pending",
  owed: "owed",
  unexplained: null,
};
const entriesOf = (section: TimelineRow["of"]) =>
  ENTRIES[section] === null ? null : `/settings/transfers/entries?account=${ENTRIES[section]}`;
const saleAt = (chargeId: string) => `/settings/transactions/${chargeId}`;

export default function MoneyTimelinePage({
  loaderData: { rows, balances, next, totalCents, holdReason, of },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Por que cada valor ainda não saiu"
        lead={`Cada centavo ${of ? `da página de ${of}` : "seu"} que ainda não saiu: onde está, por quê e até quando.`}
      />
      <div className="flex flex-col gap-6">
        {rows.length === 0 ? (
          <EmptyState title="Nada parado">Tudo o que entrou já saiu para você.</EmptyState>
        ) : (
          <>
            <p className="flex flex-col">
              <span className="text-muted">Ao todo, ainda não pago</span>
              <Money cents={totalCents} size="large" isTotal />
            </p>
            <MoneyTimelineView
              rows={rows}
              balances={balances}
              holdReason={holdReason}
              entriesOf={entriesOf}
              saleAt={saleAt}
              mayAct={of === null}
            />
          </>
        )}
        <MoreLink next={next} />
        <ButtonLink to="/settings/transfers" variant="ghost" className="-ml-5 self-start">
          Voltar para os saques
        </ButtonLink>
      </div>
    </>
  );
}
