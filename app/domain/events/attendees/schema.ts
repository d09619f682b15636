import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { Instant } from "#app/domain/time.ts";

/** One seat of the viewer. */
export type Ticket = {
  seatId: string;
  code: string;
  checkedInAt: Instant | null;
  /** The order that paid for it; null for a free seat. */
  orderId: string | null;
  kindName: string | null;
  /** The name on it; null for its person's own. */
  holderName: string | null;
  /** To whom it is offered now: a username with @, or an address. */
  transfer: { to: string } | null;
  /** What its person answered when they took it. */
  answers: Answer[];
};

/** One seat in the list of who comes. */
export type Attendee = {
  seatId: string;
  /** The name on the ticket, and the account that it belongs to. */
  name: string;
  personName: string;
  username: string;
  code: string;
  kindName: string | null;
  takenAt: Instant;
  checkedInAt: Instant | null;
  answers: Answer[];
};
