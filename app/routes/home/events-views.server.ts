import type { Context } from "#app/domain/context.ts";
import { eventsBetween, upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import type { EventScope } from "#app/domain/events/queries/lists.server.ts";
import {
  eventsByDay,
  monthAfter,
  monthText,
  monthWeeks,
  parseMonth,
} from "#app/domain/events/calendar/rules/month.ts";
import type { Month } from "#app/domain/events/calendar/rules/month.ts";
import {
  hoursOfWeek,
  mondayOf,
  placeInWeek,
  weekDays,
} from "#app/domain/events/calendar/rules/week.ts";
import { decodeCursor } from "#app/domain/page.ts";
import { civilDate, DAY_MS, instantOfIsoDay, isoDay, TIME_ZONE } from "#app/domain/time.ts";

const LIST_PAGE = 30;
/** More in a month are in the list. */
const MONTH_EVENTS_MAX = 300;
const WEEK_EVENTS_MAX = 200;
const WEEK_NAME = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, dateStyle: "long" });
const MONTH_NAME = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  month: "long",
  year: "numeric",
});

type Viewed = { personId: string; scope: EventScope };

/** The view that is asked for: `?view=week`, `?mes=2026-12`, else the list. */
export async function viewOf(ctx: Context, viewed: Viewed, asked: URLSearchParams) {
  const month = asked.get("mes");
  if (asked.get("view") === "week")
    return { list: null, month: null, week: await weekOf(ctx, viewed, asked.get("semana")) };
  if (month !== null)
    return { list: null, month: await monthOf(ctx, viewed, parseMonth(month)), week: null };
  return { list: await listOf(ctx, viewed, asked.get("cursor")), month: null, week: null };
}

const listOf = (ctx: Context, viewed: Viewed, cursor: string | null) =>
  upcomingEvents(ctx, { ...viewed, cursor: decodeCursor(cursor), limit: LIST_PAGE });

async function monthOf(ctx: Context, viewed: Viewed, asked: Month | null) {
  const month = asked ?? civilDate(ctx.now());
  const weeks = monthWeeks(month);
  const days = weeks.flat().map(({ iso }) => iso);
  const from = instantOfIsoDay(days[0] ?? "");
  const to = instantOfIsoDay(days.at(-1) ?? "") + DAY_MS;
  const found = await eventsBetween(ctx, { ...viewed, from, to, limit: MONTH_EVENTS_MAX + 1 });
  const shown = found
    .slice(0, MONTH_EVENTS_MAX)
    .map(({ id, title, startsAt, endsAt, status }) => ({ id, title, startsAt, endsAt, status }));
  return {
    weeks,
    byDay: eventsByDay(shown, days),
    today: isoDay(ctx.now()),
    name: MONTH_NAME.format(instantOfIsoDay(`${monthText(month)}-15`)),
    before: monthText(monthAfter(month, -1)),
    after: monthText(monthAfter(month, 1)),
    isCut: found.length > MONTH_EVENTS_MAX,
    isEmpty: found.length === 0,
  };
}

async function weekOf(ctx: Context, viewed: Viewed, asked: string | null) {
  const today = isoDay(ctx.now());
  const monday = mondayOf(asked) ?? mondayOf(today) ?? today;
  const days = weekDays(monday);
  const from = instantOfIsoDay(monday);
  const to = from + 7 * DAY_MS;
  const found = await eventsBetween(ctx, { ...viewed, from, to, limit: WEEK_EVENTS_MAX + 1 });
  const shown = found
    .slice(0, WEEK_EVENTS_MAX)
    .map(({ id, title, startsAt, endsAt, status }) => ({ id, title, startsAt, endsAt, status }));
  const placed = placeInWeek(shown, days);
  return {
    days,
    placed,
    hours: hoursOfWeek(placed),
    today,
    name: WEEK_NAME.formatRange(from, to - 1),
    before: isoDay(from - 7 * DAY_MS),
    after: isoDay(to),
    isCut: found.length > WEEK_EVENTS_MAX,
    isEmpty: found.length === 0,
  };
}
