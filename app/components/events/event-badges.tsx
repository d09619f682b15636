import { Badge } from "#app/components/ui/badge.tsx";
import { isLive, remainingSeats } from "#app/domain/events/rules.ts";
import type { EventCard } from "#app/domain/events/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";

type Shown = Pick<
  EventCard,
  | "status"
  | "priceFromCents"
  | "startsAt"
  | "endsAt"
  | "capacity"
  | "seatsTaken"
  | "seatsHeld"
  | "seatsOffered"
  | "ownSeats"
>;

/** The state of an event and of its seats, in a few words. */
export function EventBadges({ event, now }: { event: Shown; now: number }) {
  const remaining = remainingSeats(event);
  if (event.status === "canceled") return <Badge tone="refusal">Cancelado</Badge>;
  if (event.status === "draft") return <Badge>Rascunho</Badge>;
  if (event.endsAt <= now) return <Badge>Terminou</Badge>;
  return (
    <>
      {isLive(event, now) ? <Badge tone="attention">Ao vivo agora</Badge> : null}
      {event.ownSeats > 0 ? <Badge tone="good">Você vai</Badge> : null}
      {event.priceFromCents === null || event.ownSeats > 0 ? null : (
        <Badge>
          {event.priceFromCents === 0 ? "Há grátis" : `Desde ${formatMoney(event.priceFromCents)}`}
        </Badge>
      )}
      {remaining === null || event.ownSeats > 0 ? null : remaining === 0 ? (
        <Badge>Lotado</Badge>
      ) : (
        <Badge>{counted(remaining, "vaga", "vagas")}</Badge>
      )}
    </>
  );
}
