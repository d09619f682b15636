import { Link } from "react-router";
import { eventSpanText, zonePlace } from "#app/domain/events/times/rules.ts";
import type { SeriesDate } from "#app/domain/events/series/rules.ts";
import { TIME_ZONE } from "#app/domain/time.ts";

/** How an event repeats, and its next dates. */
export function SeriesDates({
  series,
  pathOf,
  isPublic = false,
}: {
  series: { repeats: string; dates: SeriesDate[] } | null;
  pathOf: (eventId: string) => string;
  /** On the page for visitors, whose links load whole documents. */
  isPublic?: boolean;
}) {
  if (series === null) return null;
  return (
    <section aria-label="Próximas datas" className="flex flex-col gap-2">
      <p>{series.repeats}.</p>
      {series.dates.length === 0 ? null : (
        <>
          <h2 className="text-heading">Próximas datas</h2>
          <ul className="flex flex-col">
            {series.dates.map((date) => (
              <li key={date.id}>
                <Link
                  to={pathOf(date.id)}
                  reloadDocument={isPublic}
                  className="inline-flex min-h-11 items-center font-semibold text-leaf hover:underline"
                >
                  <time
                    dateTime={new Date(date.startsAt).toISOString()}
                    className="inline-block first-letter:uppercase"
                  >
                    {eventSpanText(date, date.timeZone)}
                    {date.timeZone === TIME_ZONE ? "" : `, horário de ${zonePlace(date.timeZone)}`}
                  </time>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
