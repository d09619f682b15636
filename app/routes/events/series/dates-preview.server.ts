import { parseWallTime } from "#app/domain/events/times/rules/wall-time.ts";
import { isTimeZone } from "#app/domain/events/times/rules/wall-time.ts";
import { eventSpanText } from "#app/domain/events/times/rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import { minutesBetween, timesOnDay } from "#app/domain/events/series/rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import { repeatSchema, ruleOf } from "#app/domain/events/series/schema.ts";

const SHOWN = 6;

/** The first dates of a form, and how many there are; or why they cannot be told. */
export type DatesPreview = { dates: string[]; total: number; problem: string | null };

/** Returns the dates of a form as it is typed so far; null where nothing repeats yet. */
export function datesPreview(typed: Record<string, unknown>): DatesPreview | null {
  const parsed = repeatSchema.safeParse(typed);
  if (!parsed.success) return null;
  const { startsAt: startText, endsAt: endText, timeZone, ...fields } = parsed.data;
  if (fields.repeat === "none" || !isTimeZone(timeZone)) return null;
  const startsAt = parseWallTime(startText, timeZone);
  const endsAt = parseWallTime(endText, timeZone);
  if (typeof startsAt === "string" || typeof endsAt === "string" || endsAt <= startsAt)
    return { dates: [], total: 0, problem: "Escreva o começo e o fim para ver as datas." };
  const rule = ruleOf(fields, { startsAt, endsAt, timeZone });
  if (rule === null) return null;
  if (!("repeat" in rule)) return { dates: [], total: 0, problem: rule.message };
  const { startsWall, endsWall } = wallsOf({ startsAt, endsAt, timeZone });
  const clock = { startsWall, durationMinutes: minutesBetween(startsWall, endsWall), timeZone };
  const days = seriesDays(rule, startsWall.slice(0, 10));
  return {
    dates: days.slice(0, SHOWN).map((day) => eventSpanText(timesOnDay(day, clock), timeZone)),
    total: days.length,
    problem: null,
  };
}
