import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TIME_ZONE } from "#app/domain/time.ts";

const WHEN = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  weekday: "short",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

type NextEvent = { title: string; place: string; startsAt: number };

/** The creator's next event. */
export function NextEventCard({
  event,
  signedIn = false,
}: {
  event: NextEvent | null;
  signedIn?: boolean;
}) {
  if (!event) return null;
  return (
    <Card as="section" label="Próximo encontro" className="flex flex-col items-start gap-1 p-5">
      <h2 className="mb-2 text-[1.125rem] leading-6">Próximo encontro</h2>
      <p className="font-semibold">{event.title}</p>
      <p className="text-small text-muted">
        <time dateTime={new Date(event.startsAt).toISOString()}>{WHEN.format(event.startsAt)}</time>{" "}
        · {event.place}
      </p>
      <ButtonLink
        to="/events"
        reloadDocument={!signedIn}
        variant="outline"
        size="sm"
        className="mt-3"
      >
        Ver encontros
      </ButtonLink>
    </Card>
  );
}
