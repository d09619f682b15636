import { Link } from "react-router";
import type { GridDay } from "#app/domain/events/calendar/rules/month.ts";
import { formatTimeOfDay } from "#app/domain/time.ts";

const WEEKDAYS = [
  ["seg", "segunda-feira"],
  ["ter", "terça-feira"],
  ["qua", "quarta-feira"],
  ["qui", "quinta-feira"],
  ["sex", "sexta-feira"],
  ["sáb", "sábado"],
  ["dom", "domingo"],
] as const;

/** `continues` on each day after the first. */
type DayEvent = {
  id: string;
  title: string;
  startsAt: number;
  status: string;
  continues: boolean;
};

/** A month as a table from Monday to Sunday. A narrow screen shows only the days with events. */
export function MonthGrid({
  weeks,
  byDay,
  today,
  label,
}: {
  weeks: GridDay[][];
  byDay: Record<string, DayEvent[]>;
  today: string;
  label: string;
}) {
  return (
    <table className="w-full table-fixed border-collapse max-sm:block">
      <caption className="sr-only">{label}</caption>
      <thead className="max-sm:hidden">
        <tr>
          {WEEKDAYS.map(([short, whole]) => (
            <th
              key={short}
              scope="col"
              abbr={whole}
              className="p-2 text-left text-small text-muted"
            >
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:flex max-sm:flex-col max-sm:gap-2">
        {weeks.map((week) => (
          <tr key={week[0]?.iso} className="max-sm:contents">
            {week.map((day) => (
              <Day
                key={day.iso}
                day={day}
                events={byDay[day.iso] ?? []}
                isToday={day.iso === today}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ day, events, isToday }: { day: GridDay; events: DayEvent[]; isToday: boolean }) {
  return (
    <td
      className={`h-24 border border-line p-1.5 align-top max-sm:h-auto max-sm:rounded-field max-sm:p-3 ${day.isInMonth ? "bg-card" : "text-muted"} ${events.length === 0 ? "max-sm:hidden" : "max-sm:block"}`}
    >
      <span
        aria-current={isToday ? "date" : undefined}
        className={`inline-flex min-w-6 items-center justify-center rounded-full px-1 text-small ${isToday ? "bg-signal font-semibold text-on-signal" : ""}`}
      >
        {day.day}
      </span>
      {events.length > 0 ? (
        <ul className="mt-1 flex flex-col gap-1">
          {events.map((event) => (
            <li key={event.id}>
              <Link
                to={`/events/${event.id}`}
                className={`block min-h-6 rounded-field bg-signal-soft px-1.5 py-1 text-caption text-ink hover:underline max-sm:min-h-11 max-sm:text-body ${event.status === "canceled" ? "line-through" : ""}`}
              >
                <span className="text-muted">
                  {event.continues ? "continua" : formatTimeOfDay(event.startsAt)}
                </span>{" "}
                {event.title}
                {event.status === "canceled" ? " (cancelado)" : ""}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </td>
  );
}
