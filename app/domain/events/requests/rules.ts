import { livingOffer } from "#app/domain/events/rules.ts";
import type { SeatRequest, SeatSnapshot } from "#app/domain/events/rules.ts";
import type { Instant } from "#app/domain/time.ts";

export const REQUEST_REPLY_MAX = 500;

export type RequestProblem =
  | "canceled"
  | "not_published"
  | "started"
  | "closed"
  | "off_sale"
  | "too_many"
  | "not_needed"
  | "offered"
  | "refused";

/**
 * Returns why a person cannot ask for `quantity` seats at `now`, or null. A request holds no seat:
 * a full event takes requests too, and the creator approves as seats are free. They end at the
 * start. A refused person does not ask again; the creator may still approve.
 */
export function requestProblem(
  snapshot: SeatSnapshot & { request: Pick<SeatRequest, "status"> | null },
  quantity: number,
  now: Instant,
): RequestProblem | null {
  const { status, startsAt, isOpen, isOffSale, needsApproval, request } = snapshot;
  if (status === "canceled") return "canceled";
  if (status === "draft") return "not_published";
  if (startsAt <= now) return "started";
  if (!isOpen) return "closed";
  if (isOffSale) return "off_sale";
  if (!needsApproval) return "not_needed";
  if (snapshot.ownSeats + quantity > snapshot.maxPerPerson) return "too_many";
  if (livingOffer(snapshot, now) > 0) return "offered";
  return request?.status === "refused" ? "refused" : null;
}

/**
 * Returns whether the person asked for a seat, was refused and has none: then nothing of those who
 * come is offered to them.
 */
export const isTurnedDown = ({
  request,
  ownSeats,
}: Pick<SeatSnapshot, "ownSeats"> & { request: Pick<SeatRequest, "status"> | null }): boolean =>
  request?.status === "refused" && ownSeats === 0;
