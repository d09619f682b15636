import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { publicEventPath } from "#app/domain/events/rules.ts";
import { eventMomentText, zonePlace } from "#app/domain/events/times/rules.ts";
import { TIME_ZONE } from "#app/domain/time.ts";

type NextEvent = {
  id: string;
  title: string;
  place: string;
  startsAt: number;
  timeZone: string;
};

/** The creator's next event. */
export function NextEventCard({
  event,
  username,
  signedIn = false,
}: {
  event: NextEvent | null;
  /** Of the creator, for the address of the page for visitors. */
  username: string;
  signedIn?: boolean;
}) {
  const marked = useMarkedPath();
  if (!event) return null;
  return (
    <Card as="section" label="Próximo evento" className="flex flex-col items-start gap-1 p-5">
      <h2 className="mb-2 text-[1.125rem] leading-6">Próximo evento</h2>
      <p className="font-semibold">{event.title}</p>
      <p className="text-small text-muted">
        <time dateTime={new Date(event.startsAt).toISOString()}>
          {eventMomentText(event.startsAt, event.timeZone)}
        </time>
        {event.timeZone === TIME_ZONE ? "" : `, horário de ${zonePlace(event.timeZone)}`} ·{" "}
        {event.place || "on-line"}
      </p>
      <ButtonLink
        to={marked(signedIn ? `/events/${event.id}` : publicEventPath(username, event.id))}
        reloadDocument={!signedIn}
        variant="outline"
        size="sm"
        className="mt-3"
      >
        Ver o evento
      </ButtonLink>
    </Card>
  );
}
