import { Link } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";

type Running = { id: string; title: string; creatorName: string; ownSeats: number };

/** The events that take place now, above the feed. Nothing without one. */
export function RunningEvents({ events }: { events: readonly Running[] }) {
  if (events.length === 0) return null;
  return (
    <Card as="section" label="Eventos ao vivo agora" className="px-5 py-2">
      <ul className="divide-y divide-line">
        {events.map(({ id, title, creatorName, ownSeats }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <Badge tone="attention">Ao vivo agora</Badge>
            <Link
              to={`/events/${id}`}
              className="inline-flex min-h-11 min-w-0 items-center font-semibold hover:underline"
            >
              {title}
            </Link>
            <span className="text-small text-muted">{creatorName}</span>
            {ownSeats > 0 ? <Badge tone="good">Você vai</Badge> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
