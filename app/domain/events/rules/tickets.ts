import { remainingSeats } from "#app/domain/events/rules.ts";
import type { SeatCounts } from "#app/domain/events/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A kind of ticket that is for sale. `capacity` is null for as many as the event has. */
export type TicketKind = {
  id: string;
  name: string;
  /** 0 for a free kind (centavos). */
  priceCents: Cents;
  capacity: number | null;
  seatsTaken: number;
  seatsHeld: number;
  saleStartsAt: Instant | null;
  saleEndsAt: Instant | null;
};

export type KindProblem = "kind_soon" | "kind_over" | "kind_few";

/** Returns why `quantity` tickets of a kind are not given at `now`, or null. Not the event's limit. */
export function kindProblem(
  { saleStartsAt, saleEndsAt, ...counts }: Omit<TicketKind, "id" | "name" | "priceCents">,
  quantity: number,
  now: Instant,
): KindProblem | null {
  if (saleStartsAt !== null && saleStartsAt > now) return "kind_soon";
  if (saleEndsAt !== null && saleEndsAt <= now) return "kind_over";
  const remaining = remainingOfKind(counts);
  return remaining !== null && remaining < quantity ? "kind_few" : null;
}

/** Returns how many tickets of a kind are left, never below zero; null without a limit. */
export const remainingOfKind = (kind: Omit<SeatCounts, "seatsOffered">): number | null =>
  remainingSeats({ ...kind, seatsOffered: 0 });

/** What decides until when a canceled ticket is refunded. */
export type TicketRefund = {
  boughtAt: Instant;
  /** The rule of the order: hours before the start; null for the law's seven days only. */
  refundHours: number | null;
  startsAt: Instant;
  /** The last change of time or place; null if there was none. */
  movedAt: Instant | null;
};

/**
 * Returns until when a ticket that its person cancels is refunded: the later of the rule of its
 * order and the cooling-off period (CDC art. 49), and never after the start. Who bought before the
 * event was moved may cancel until the start.
 */
export function ticketRefundUntil({
  boughtAt,
  refundHours,
  startsAt,
  movedAt,
}: TicketRefund): Instant {
  if (movedAt !== null && boughtAt <= movedAt) return startsAt;
  const byRule = refundHours === null ? boughtAt : startsAt - refundHours * HOUR_MS;
  return Math.min(startsAt, Math.max(byRule, coolingOffEndsAt(boughtAt)));
}

/** Says the refund rule of an event, as its page states it. */
export function refundRuleText(refundHours: number | null): string {
  const law = "Nos 7 dias depois da compra também, se o evento não começou.";
  if (refundHours === null) return `Quem cancela recebe o dinheiro de volta ${LAW_ONLY}.`;
  if (refundHours === 0) return "Quem cancela antes do começo recebe todo o dinheiro de volta.";
  return `Quem cancela até ${HOURS_TEXT[refundHours] ?? `${refundHours} horas`} antes recebe todo o dinheiro de volta. ${law}`;
}

const LAW_ONLY = "nos 7 dias depois da compra, antes do começo";
const HOURS_TEXT: Record<number, string> = { 24: "24 horas", 48: "48 horas", 168: "7 dias" };
