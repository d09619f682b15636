import { endSwitch } from "#app/domain/events/commands/orders.server.ts";
import { remindOf } from "#app/domain/events/commands/reminders.server.ts";
import { endOffers, moveWaitingList } from "#app/domain/events/commands/waiting.server.ts";
import {
  dueReminders,
  eventsWithEndedOffers,
  eventsWithFreeSeats,
  ordersWithEndedSwitches,
} from "#app/domain/events/queries/due.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const AT_ONCE = 100;
const FAILED = "notifications.events_failed";

export const eventSteps = {
  endSwitches: stepPerRow({
    name: "events.end_switches",
    event: FAILED,
    due: (ctx) => ordersWithEndedSwitches(ctx, { limit: AT_ONCE }),
    each: (ctx, orderId) => endSwitch(ctx, { orderId }),
  }),
  endOffers: stepPerRow({
    name: "events.end_offers",
    event: FAILED,
    kind: "event_offers",
    due: (ctx) => eventsWithEndedOffers(ctx, { limit: AT_ONCE }),
    each: (ctx, eventId) => endOffers(ctx, { eventId }),
  }),
  /** What freed a seat moves the list itself; this is for a run that was killed, and for erasures. */
  moveWaitingLists: stepPerRow({
    name: "events.move_waiting_lists",
    event: FAILED,
    kind: "event_list",
    due: (ctx) => eventsWithFreeSeats(ctx, { limit: AT_ONCE }),
    each: (ctx, eventId) => moveWaitingList(ctx, { eventId }),
  }),
  remindOfStart: stepPerRow({
    name: "events.remind_of_start",
    event: FAILED,
    kind: "event_reminder",
    due: (ctx) => dueReminders(ctx, { ahead: "start", limit: AT_ONCE }),
    each: (ctx, eventId) => remindOf(ctx, { eventId, ahead: "start" }),
  }),
  remindOfDay: stepPerRow({
    name: "events.remind_of_day",
    event: FAILED,
    kind: "event_reminder",
    due: (ctx) => dueReminders(ctx, { ahead: "day", limit: AT_ONCE }),
    each: (ctx, eventId) => remindOf(ctx, { eventId, ahead: "day" }),
  }),
} satisfies Record<string, Step>;
