import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/** What the form of a kind of ticket saves; the price is in centavos, 0 for a free kind. */
export type TicketKindInput = {
  name: string;
  price: Cents;
  kindCapacity: number | null;
  saleStartsAt: Instant | null;
  saleEndsAt: Instant | null;
};
