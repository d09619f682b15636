import { ButtonLink } from "#app/components/ui/button.tsx";
import { EventLine } from "#app/components/events/event-line.tsx";
import { MonthGrid } from "#app/components/events/month-grid.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Tabs } from "#app/components/ui/tabs.tsx";
import type { Context } from "#app/domain/context.ts";
import { eventsBetween, upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import type { EventScope } from "#app/domain/events/queries/lists.server.ts";
import {
  eventsByDay,
  monthAfter,
  monthText,
  monthWeeks,
  parseMonth,
} from "#app/domain/events/rules/month.ts";
import type { Month } from "#app/domain/events/rules/month.ts";
import { decodeCursor } from "#app/domain/page.ts";
import { civilDate, DAY_MS, instantOfIsoDay, isoDay, TIME_ZONE } from "#app/domain/time.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = () => [{ title: "Eventos · Coreto" }];

const LIST_PAGE = 30;
/** More in a month are in the list. */
const MONTH_EVENTS_MAX = 300;
const MONTH_NAME = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  month: "long",
  year: "numeric",
});

type Viewed = { personId: string; scope: EventScope };

/** Loads the member's own calendar, or everybody's, as a list or as a month. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { pathname, searchParams } = new URL(request.url);
  const scope: EventScope = /^\/events\/explore(\.data|\/)?$/.test(pathname) ? "explore" : "mine";
  const viewed = { personId: context.get(memberContext).id, scope };
  const actor = context.get(actorContext);
  const asked = searchParams.get("mes");
  return {
    scope,
    now: ctx.now(),
    mayCreate: actor.space.isCreator && actor.may("events:manage"),
    ...(asked === null
      ? { list: await listOf(ctx, viewed, searchParams.get("cursor")), month: null }
      : { list: null, month: await monthOf(ctx, viewed, parseMonth(asked)) }),
  };
}

const listOf = (ctx: Context, viewed: Viewed, cursor: string | null) =>
  upcomingEvents(ctx, { ...viewed, cursor: decodeCursor(cursor), limit: LIST_PAGE });

async function monthOf(ctx: Context, viewed: Viewed, asked: Month | null) {
  const month = asked ?? civilDate(ctx.now());
  const weeks = monthWeeks(month);
  const days = weeks.flat().map(({ iso }) => iso);
  const from = instantOfIsoDay(days[0] ?? "");
  const to = instantOfIsoDay(days.at(-1) ?? "") + DAY_MS;
  const found = await eventsBetween(ctx, { ...viewed, from, to, limit: MONTH_EVENTS_MAX + 1 });
  const shown = found
    .slice(0, MONTH_EVENTS_MAX)
    .map(({ id, title, startsAt, endsAt, status }) => ({ id, title, startsAt, endsAt, status }));
  return {
    weeks,
    byDay: eventsByDay(shown, days),
    today: isoDay(ctx.now()),
    name: MONTH_NAME.format(instantOfIsoDay(`${monthText(month)}-15`)),
    before: monthText(monthAfter(month, -1)),
    after: monthText(monthAfter(month, 1)),
    isCut: found.length > MONTH_EVENTS_MAX,
    isEmpty: found.length === 0,
  };
}

export default function Events({ loaderData }: Route.ComponentProps) {
  const { scope, list, month, now, mayCreate } = loaderData;
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
        <ViewLinks isMonth={month !== null} />
        {month ? <MonthView month={month} /> : null}
        {list ? <ListView list={list} now={now} scope={scope} /> : null}
      </div>
    </>
  );
}

function ViewLinks({ isMonth }: { isMonth: boolean }) {
  return (
    <nav aria-label="Como ver" className="flex flex-wrap gap-2">
      <ButtonLink
        to="?"
        size="sm"
        variant={isMonth ? "ghost" : "outline"}
        aria-current={isMonth ? undefined : "true"}
      >
        Lista
      </ButtonLink>
      <ButtonLink
        to="?mes="
        size="sm"
        variant={isMonth ? "outline" : "ghost"}
        aria-current={isMonth ? "true" : undefined}
      >
        Mês
      </ButtonLink>
      <ButtonLink to="/events/calendar" size="sm" variant="ghost">
        Assinar a agenda
      </ButtonLink>
    </nav>
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

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
