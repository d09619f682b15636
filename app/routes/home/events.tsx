import { MapPin } from "lucide-react";
import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { upcomingEventsFor } from "#app/domain/events/queries.server.ts";
import { TIME_ZONE } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = () => [{ title: "Eventos · Coreto" }];

const MOST_EVENTS = 50;
const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, day: "2-digit" });
const MONTH = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, month: "short" });
const WHEN = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
});

export async function loader({ context }: Route.LoaderArgs) {
  const events = await upcomingEventsFor(context.get(domainContext), {
    personId: context.get(memberContext).id,
    limit: MOST_EVENTS,
  });
  return {
    events: events.map((event) => ({
      id: event.id,
      title: event.title,
      place: event.place,
      creatorName: event.creatorName,
      creatorUsername: event.creatorUsername,
      day: DAY.format(event.startsAt),
      month: MONTH.format(event.startsAt).replace(".", ""),
      when: WHEN.format(event.startsAt),
      iso: new Date(event.startsAt).toISOString(),
    })),
  };
}

export default function Events({ loaderData: { events } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Eventos" lead="O que vem por aí de quem você segue." />
      {events.length === 0 ? (
        <EmptyState
          title="Nada marcado por enquanto"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Siga quem você gosta: rodas, aulas e encontros aparecem aqui.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {events.map((event) => (
            <Card as="li" key={event.id} className="flex gap-4 p-5">
              <div
                aria-hidden="true"
                className="flex size-14 shrink-0 flex-col items-center justify-center rounded-field bg-sand"
              >
                <span className="font-display text-heading leading-6 font-bold">{event.day}</span>
                <span className="text-caption text-muted">{event.month}</span>
              </div>
              <div className="flex min-w-0 flex-col">
                <h2 className="text-[1.125rem] leading-6">{event.title}</h2>
                <time dateTime={event.iso} className="first-letter:uppercase">
                  {event.when}
                </time>
                <p className="flex items-center gap-1.5 text-small text-muted">
                  <MapPin aria-hidden="true" className="size-4 shrink-0" />
                  {event.place}
                </p>
                <Link
                  to={`/space/${event.creatorUsername}`}
                  className="mt-1 inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
                >
                  {event.creatorName}
                </Link>
              </div>
            </Card>
          ))}
        </ul>
      )}
    </>
  );
}
