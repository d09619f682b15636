import { useSyncExternalStore } from "react";
import { eventSpanText, zonePlace, zoneText } from "#app/domain/events/times/rules.ts";
import { TIME_ZONE } from "#app/domain/time.ts";

type Times = { startsAt: number; endsAt: number; timeZone: string };

const noChanges = () => () => {};
const readerZone = (): string | null => Intl.DateTimeFormat().resolvedOptions().timeZone || null;
/** The zone of the reader's device; null without JavaScript. */
const useReaderZone = () => useSyncExternalStore(noChanges, readerZone, () => null);

/**
 * When an event takes place, in its own zone. A reader whose clock differs reads their own time
 * first; without JavaScript only the event's is known.
 */
export function EventTimes({ startsAt, endsAt, timeZone }: Times) {
  const zone = useReaderZone();
  const there = eventSpanText({ startsAt, endsAt }, timeZone);
  const here = zone === null ? there : eventSpanText({ startsAt, endsAt }, zone);
  const isoStart = new Date(startsAt).toISOString();
  if (zone === null || here === there)
    return (
      <p>
        <time dateTime={isoStart} className="inline-block first-letter:uppercase">
          {there},
        </time>
        <span className="text-small text-muted"> {zoneText(startsAt, timeZone)}</span>
      </p>
    );
  return (
    <div>
      <p>
        <time dateTime={isoStart} className="inline-block first-letter:uppercase">
          {here}
        </time>
        <span className="text-small text-muted"> (no seu horário)</span>
      </p>
      <p className="text-small text-muted">
        No evento: {there}, {zoneText(startsAt, timeZone)}
      </p>
    </div>
  );
}

/** The same in one line of a list: the zone of the event stands beside its time where it differs. */
export function EventLineTimes({ startsAt, endsAt, timeZone }: Times) {
  const zone = useReaderZone() ?? TIME_ZONE;
  const there = eventSpanText({ startsAt, endsAt }, timeZone);
  const here = eventSpanText({ startsAt, endsAt }, zone);
  const isoStart = new Date(startsAt).toISOString();
  return (
    <p>
      <time dateTime={isoStart} className="inline-block first-letter:uppercase">
        {there}
        {here === there ? "" : ","}
      </time>
      {here === there ? null : (
        <span className="text-small text-muted">
          {" "}
          horário de {zonePlace(timeZone)}; no seu, {here}
        </span>
      )}
    </p>
  );
}
