import { RRuleTemporal } from "rrule-temporal";
import {
  ordinalOf,
  SERIES_TIMES_MAX,
  SERIES_YEARS_MAX,
  weekdayOf,
} from "#app/domain/events/series/rules.ts";
import type { SeriesRule } from "#app/domain/events/series/rules.ts";

const CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
/** More days than any rule has that a form lets through. */
const DAYS_MAX = Math.max(SERIES_TIMES_MAX, SERIES_YEARS_MAX * 366);

/**
 * Returns the days of a rule from `firstDay` on (`2026-12-20`), earliest first, at most `limit`.
 * Every month on day 29, 30 or 31 is the last day of a shorter month. Calculates days only: their
 * instants are found by the zone of the event.
 */
export function seriesDays(rule: SeriesRule, firstDay: string, limit: number = DAYS_MAX): string[] {
  const days = new RRuleTemporal({ rruleString: ruleText(rule, firstDay) }).all(
    (_, index) => index < Math.min(limit, DAYS_MAX),
  );
  return days.map((day) => day.toPlainDate().toString());
}

/** Writes a rule as an RRULE (RFC 5545, 3.3.10), of whole days in UTC. */
function ruleText(rule: SeriesRule, firstDay: string): string {
  const until = rule.until === null ? [] : [`UNTIL=${stamp(rule.until)}`];
  const times = rule.times === null ? [] : [`COUNT=${rule.times}`];
  return [
    `DTSTART:${stamp(firstDay)}`,
    `RRULE:${[...partsOf(rule, firstDay), "WKST=MO", ...until, ...times].join(";")}`,
  ].join("\n");
}

function partsOf({ repeat, weekdays }: SeriesRule, firstDay: string): string[] {
  const byDay = `BYDAY=${weekdays.map((weekday) => CODES[weekday]).join(",")}`;
  if (repeat === "daily") return ["FREQ=DAILY"];
  if (repeat === "weekly") return ["FREQ=WEEKLY", byDay];
  if (repeat === "biweekly") return ["FREQ=WEEKLY", "INTERVAL=2", byDay];
  if (repeat === "monthly_weekday")
    return ["FREQ=MONTHLY", `BYDAY=${ordinalOf(firstDay)}${CODES[weekdayOf(firstDay)]}`];
  const date = Number(firstDay.slice(8));
  // The latest of the days from 28 to `date` that the month has.
  const dates = Array.from({ length: Math.max(1, date - 27) }, (_, later) =>
    date > 28 ? 28 + later : date,
  );
  return ["FREQ=MONTHLY", `BYMONTHDAY=${dates.join(",")}`, ...(date > 28 ? ["BYSETPOS=-1"] : [])];
}

const stamp = (day: string): string => `${day.replaceAll("-", "")}T000000Z`;
