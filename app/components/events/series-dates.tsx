import { eventSpanText } from "#app/domain/events/rules/times.ts";
import type { SeriesDate } from "#app/domain/events/series/rules.ts";

/** How an event repeats, and its next dates. */
export function SeriesDates({
  series,
  pathOf,
}: {
  series: { repeats: string; dates: SeriesDate[] } | null;
  pathOf: (eventId: string) => string;
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
                <a
                  href={pathOf(date.id)}
                  className="inline-flex min-h-11 items-center font-semibold text-leaf hover:underline"
                >
                  <time
                    dateTime={new Date(date.startsAt).toISOString()}
                    className="first-letter:uppercase"
                  >
                    {eventSpanText(date, date.timeZone)}
                  </time>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
