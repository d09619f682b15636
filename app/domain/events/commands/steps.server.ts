import { cancelBlockedSeat } from "./cancellation.server.ts";
import { endSwitch, forgetAnswers } from "#app/domain/events/tickets/commands/orders.server.ts";
import { remindOf } from "./reminders.server.ts";
import { endOffers, moveWaitingList } from "#app/domain/events/waiting-list/commands.server.ts";
import { checkZone } from "#app/domain/events/times/commands.server.ts";
import {
  blockedSeats,
  dueReminders,
  eventsWithEndedOffers,
  eventsWithFreeSeats,
  ordersWithEndedSwitches,
  ordersWithUnpaidAnswers,
} from "#app/domain/events/queries/due.server.ts";
import { zonesToCheck } from "#app/domain/events/times/queries.server.ts";
import { applySeriesChange } from "#app/domain/events/series/commands.server.ts";
import { extendSeries } from "#app/domain/events/series/commands/dates.server.ts";
import { changingSeries, seriesToExtend } from "#app/domain/events/series/queries.server.ts";
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
  /** Answers of tickets that were chosen and not paid for. */
  forgetAnswers: stepPerRow({
    name: "events.forget_answers",
    event: FAILED,
    kind: "event_answers",
    due: (ctx) => ordersWithUnpaidAnswers(ctx, { limit: AT_ONCE }),
    each: (ctx, orderId) => forgetAnswers(ctx, { orderId }),
  }),
  endOffers: stepPerRow({
    name: "events.end_offers",
    event: FAILED,
    kind: "event_offers",
    due: (ctx) => eventsWithEndedOffers(ctx, { limit: AT_ONCE }),
    each: (ctx, eventId) => endOffers(ctx, { eventId }),
  }),
  cancelBlockedSeats: stepPerRow({
    name: "events.cancel_blocked_seats",
    event: FAILED,
    kind: "event_blocked_seat",
    due: (ctx) => blockedSeats(ctx, { limit: AT_ONCE }),
    each: (ctx, seatId) => cancelBlockedSeat(ctx, { seatId }),
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
  /** Each zone once a day: an event keeps its hour when the clock rules of its zone change. */
  checkZones: stepPerRow({
    name: "events.check_zones",
    event: FAILED,
    kind: "event_zone",
    due: (ctx) => zonesToCheck(ctx, { limit: AT_ONCE }),
    each: (ctx, zone) => checkZone(ctx, { zone }),
  }),
  /** Brings a change of many dates to those that its request did not reach. */
  changeSeries: stepPerRow({
    name: "events.change_series",
    event: FAILED,
    kind: "event_series_change",
    due: (ctx) => changingSeries(ctx, { limit: AT_ONCE }),
    each: (ctx, seriesId) => applySeriesChange(ctx, { seriesId }),
  }),
  extendSeries: stepPerRow({
    name: "events.extend_series",
    event: FAILED,
    kind: "event_series",
    due: (ctx) => seriesToExtend(ctx, { limit: AT_ONCE }),
    each: (ctx, seriesId) => extendSeries(ctx, { seriesId }),
  }),
} satisfies Record<string, Step>;
