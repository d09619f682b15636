import { MapPin, Video } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { wallTimeOf } from "#app/domain/events/times/rules/wall-time.ts";
import type { EventCard } from "#app/domain/events/schema.ts";
import { EventBadges } from "./event-badges.tsx";
import { EventLineTimes } from "./event-times.tsx";

const MONTHS = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"];

/** One event of a list. */
export function EventLine({
  event,
  now,
  children,
}: {
  event: EventCard;
  now: number;
  children?: ReactNode;
}) {
  const { month, day } = wallTimeOf(event.startsAt, event.timeZone);
  return (
    <Card as="li" className="flex gap-4 p-5">
      <div
        aria-hidden="true"
        className="flex size-14 shrink-0 flex-col items-center justify-center rounded-field bg-sand"
      >
        <span className="font-display text-heading leading-6 font-bold">{day}</span>
        <span className="text-caption text-muted">{MONTHS[month - 1]}</span>
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="text-[1.125rem] leading-6">
          <Link to={`/events/${event.id}`} className="hover:underline">
            {event.title}
          </Link>
        </h2>
        <EventLineTimes startsAt={event.startsAt} endsAt={event.endsAt} timeZone={event.timeZone} />
        <EventPlace place={event.place} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={`/space/${event.creatorUsername}`}
            className="inline-flex min-h-11 items-center font-semibold text-leaf hover:underline"
          >
            {event.creatorName}
          </Link>
          <EventBadges event={event} now={now} />
        </div>
        {children}
      </div>
    </Card>
  );
}

/** Where an event takes place; one without an address is online. */
export function EventPlace({ place }: { place: string }) {
  const Icon = place === "" ? Video : MapPin;
  return (
    <p className="flex items-center gap-1.5 text-small text-muted">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {place === "" ? "On-line" : place}
    </p>
  );
}
