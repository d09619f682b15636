import { Link } from "react-router";
import { halfHourLines } from "#app/domain/events/calendar/rules/week.ts";
import type { Placed } from "#app/domain/events/calendar/rules/week.ts";
import { formatTimeOfDay } from "#app/domain/time.ts";

type WeekEvent = Placed<{
  id: string;
  title: string;
  startsAt: number;
  endsAt: number;
  status: string;
}>;
type Hours = { from: number; to: number };

const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: "UTC", weekday: "long", day: "numeric" });
const SHORT_DAY = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "UTC",
  weekday: "short",
  day: "numeric",
});

/** A week from Monday to Sunday: a grid of hours, and on a narrow screen a list by day. */
export function WeekGrid({
  days,
  placed,
  hours,
  today,
}: {
  days: readonly string[];
  placed: readonly WeekEvent[][];
  hours: Hours;
  today: string;
}) {
  return (
    <div className="flex lg:overflow-hidden lg:rounded-card lg:border lg:border-line lg:bg-card">
      <div aria-hidden="true" className="hidden w-12 shrink-0 pt-11 lg:block">
        {Array.from({ length: hours.to - hours.from }, (_, later) => (
          <p key={later} className="h-12 pr-2 text-right text-caption text-muted">
            {String(hours.from + later).padStart(2, "0")}h
          </p>
        ))}
      </div>
      <ol className="grid min-w-0 flex-1 gap-4 lg:grid-cols-7 lg:gap-0">
        {days.map((day, index) => (
          <WeekDay
            key={day}
            day={day}
            events={placed[index] ?? []}
            from={hours.from}
            isToday={day === today}
          />
        ))}
      </ol>
    </div>
  );
}

function WeekDay({
  day,
  events,
  from,
  isToday,
}: {
  day: string;
  events: WeekEvent[];
  from: number;
  isToday: boolean;
}) {
  const noon = Date.parse(`${day}T12:00Z`);
  return (
    <li className="flex min-w-0 flex-col lg:border-l lg:border-line">
      <h3
        aria-current={isToday ? "date" : undefined}
        className="flex min-h-11 shrink-0 items-center text-small font-semibold lg:justify-center lg:px-1 lg:text-center lg:text-caption"
      >
        <span className={isToday ? "rounded-full bg-signal px-2 text-on-signal" : ""}>
          <span className="inline-block first-letter:uppercase lg:sr-only">{DAY.format(noon)}</span>
          <span aria-hidden="true" className="hidden lg:inline">
            {SHORT_DAY.format(noon)}
          </span>
        </span>
      </h3>
      {events.length === 0 ? (
        <p className="text-small text-muted lg:sr-only">Nada marcado.</p>
      ) : null}
      <ul className="flex flex-1 flex-col gap-1 lg:grid lg:auto-cols-fr lg:auto-rows-[1.5rem] lg:gap-x-px lg:gap-y-0 lg:bg-[repeating-linear-gradient(to_bottom,var(--color-line)_0_1px,transparent_1px_3rem)]">
        {events.map((event) => (
          <WeekEventItem key={event.id} event={event} from={from} />
        ))}
      </ul>
    </li>
  );
}

/** Its classes of rows are listed in the style sheet: the page permits no style attributes. */
function WeekEventItem({ event, from }: { event: WeekEvent; from: number }) {
  const { start, end } = halfHourLines(event, from);
  const isCanceled = event.status === "canceled";
  return (
    <li className={`min-w-0 lg:row-start-${start} lg:row-end-${end} lg:p-px`}>
      <Link
        to={`/events/${event.id}`}
        className={`block min-h-11 overflow-hidden rounded-field bg-signal-soft px-2 py-1 break-words text-ink hover:underline lg:h-full lg:min-h-6 lg:px-1 lg:py-0 lg:text-caption ${isCanceled ? "line-through" : ""}`}
      >
        <span className="text-muted">
          {event.continues ? "continua" : formatTimeOfDay(event.startsAt)}
        </span>{" "}
        {event.title}
        {isCanceled ? " (cancelado)" : ""}
      </Link>
    </li>
  );
}
