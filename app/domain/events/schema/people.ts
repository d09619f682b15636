import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { Instant } from "#app/domain/time.ts";

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
