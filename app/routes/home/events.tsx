import { ButtonLink } from "#app/components/ui/button.tsx";
import { EventLine } from "#app/components/events/event-line.tsx";
import { MonthGrid } from "#app/components/events/calendar/month-grid.tsx";
import { WeekGrid } from "#app/components/events/calendar/week-grid.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Tabs } from "#app/components/ui/links/tabs.tsx";
import type { EventScope } from "#app/domain/events/queries/lists.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { viewOf } from "./events-views.server.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = () => [{ title: "Eventos · Coreto" }];

/** Loads the member's own calendar, or everybody's, as a list, a week or a month. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { pathname, searchParams } = new URL(request.url);
  const scope: EventScope = /^\/events\/explore(\.data|\/)?$/.test(pathname) ? "explore" : "mine";
  const viewed = { personId: context.get(memberContext).id, scope };
  const actor = context.get(actorContext);
  return {
    scope,
    now: ctx.now(),
    mayCreate: actor.space.isCreator && actor.may("events:manage"),
    ...(await viewOf(ctx, viewed, searchParams)),
  };
}

export default function Events({ loaderData }: Route.ComponentProps) {
  const { scope, list, month, week, now, mayCreate } = loaderData;
  return (
    <>
      <PageHeader
        title="Eventos"
        lead={
          scope === "mine"
            ? "De quem você segue ou assina, e os que têm a sua vaga."
            : "Tudo o que vem por aí no Coreto."
        }
      >
        {mayCreate ? (
          <>
            <ButtonLink to="/events/manage" variant="outline" size="sm">
              Os meus eventos
            </ButtonLink>
            <ButtonLink to="/events/create" size="sm">
              Criar evento
            </ButtonLink>
          </>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-5">
        <Tabs
          label="Quais eventos"
          tabs={[
            { to: "/events", label: "Minha agenda" },
            { to: "/events/explore", label: "Explorar" },
          ]}
        />
        <ViewLinks view={month ? "month" : week ? "week" : "list"} />
        {week ? <WeekView week={week} /> : null}
        {month ? <MonthView month={month} /> : null}
        {list ? <ListView list={list} now={now} scope={scope} /> : null}
      </div>
    </>
  );
}

const VIEWS = [
  { view: "list", to: "?", label: "Lista" },
  { view: "week", to: "?view=week", label: "Semana" },
  { view: "month", to: "?mes=", label: "Mês" },
] as const;

function ViewLinks({ view: chosen }: { view: (typeof VIEWS)[number]["view"] }) {
  return (
    <nav aria-label="Como ver" className="flex flex-wrap gap-2">
      {VIEWS.map(({ view, to, label }) => (
        <ButtonLink
          key={view}
          to={to}
          size="sm"
          variant={view === chosen ? "outline" : "ghost"}
          aria-current={view === chosen ? "true" : undefined}
        >
          {label}
        </ButtonLink>
      ))}
      <ButtonLink to="/events/calendar" size="sm" variant="ghost">
        Assinar a agenda
      </ButtonLink>
    </nav>
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

function WeekView({ week }: { week: NonNullable<LoaderData["week"]> }) {
  return (
    <section aria-label={week.name} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-heading">{week.name}</h2>
        <div className="flex gap-2">
          <ButtonLink to={`?view=week&semana=${week.before}`} size="sm" variant="outline">
            Semana anterior
          </ButtonLink>
          <ButtonLink to={`?view=week&semana=${week.after}`} size="sm" variant="outline">
            Próxima semana
          </ButtonLink>
        </div>
      </div>
      {week.isEmpty ? <p className="text-muted">Nada marcado nesta semana.</p> : null}
      <WeekGrid days={week.days} placed={week.placed} hours={week.hours} today={week.today} />
      <p className="text-small text-muted">
        Dias e horas de Brasília.
        {week.isCut ? " Há mais eventos nesta semana: veja todos na lista." : ""}
      </p>
    </section>
  );
}

function MonthView({ month }: { month: NonNullable<LoaderData["month"]> }) {
  return (
    <section aria-label={month.name} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-heading first-letter:uppercase">{month.name}</h2>
        <div className="flex gap-2">
          <ButtonLink to={`?mes=${month.before}`} size="sm" variant="outline">
            Mês anterior
          </ButtonLink>
          <ButtonLink to={`?mes=${month.after}`} size="sm" variant="outline">
            Próximo mês
          </ButtonLink>
        </div>
      </div>
      {month.isEmpty ? <p className="text-muted">Nada marcado neste mês.</p> : null}
      <MonthGrid
        weeks={month.weeks}
        byDay={month.byDay}
        today={month.today}
        label={`Eventos de ${month.name}`}
      />
      <p className="text-small text-muted">
        Dias e horas de Brasília.
        {month.isCut ? " Há mais eventos neste mês: veja todos na lista." : ""}
      </p>
    </section>
  );
}

function ListView({
  list,
  now,
  scope,
}: {
  list: NonNullable<LoaderData["list"]>;
  now: number;
  scope: EventScope;
}) {
  if (list.items.length === 0)
    return (
      <EmptyState
        title="Nada marcado por enquanto"
        action={
          scope === "mine" ? <ButtonLink to="/events/explore">Explorar eventos</ButtonLink> : null
        }
      >
        {scope === "mine"
          ? "Siga quem você gosta: rodas, aulas e encontros aparecem aqui."
          : "Quando alguém publicar um evento, ele aparece aqui."}
      </EmptyState>
    );
  return (
    <>
      <ul className="flex flex-col gap-3">
        {list.items.map((event) => (
          <EventLine key={event.id} event={event} now={now} />
        ))}
      </ul>
      {list.next ? (
        <ButtonLink to={`?cursor=${list.next}`} variant="outline" className="self-center">
          Carregar mais
        </ButtonLink>
      ) : null}
    </>
  );
}
