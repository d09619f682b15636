import { z } from "zod";
import { eventSchema } from "#app/domain/events/schema.ts";
import {
  wallTimeOf,
  wallTimeText,
  parseWallTime,
} from "#app/domain/events/times/rules/wall-time.ts";
import type { WallTimeProblem } from "#app/domain/events/times/rules/wall-time.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import {
  dayAfter,
  minutesBetween,
  REPEATS,
  SCOPES,
  SERIES_TIMES_MAX,
  SERIES_YEARS_MAX,
  weekdayOf,
  WEEKDAY_NAMES,
} from "./rules.ts";
import type { SeriesRule } from "./rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import type { Instant } from "#app/domain/time.ts";

const REQUIRED = "Campo obrigatório";
const TIMES_MESSAGE = `Escreva quantas vezes, de 2 a ${SERIES_TIMES_MAX}.`;

/** The part "Repetir" of an event's form. */
const repeatFields = z.object({
  repeat: z.enum(REPEATS, "Escolha como o evento repete.").default("none"),
  weekdays: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .default([])
    .pipe(z.array(z.string().regex(/^[0-6]$/, "Escolha dias da semana.")).max(7)),
  repeatEnds: z.enum(["until", "times"], "Escolha até quando.").default("until"),
  repeatUntil: z.string().trim().default(""),
  repeatTimes: z.string().trim().default(""),
  /** Sent by the button "Ver as datas". */
  preview: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
});
type RepeatFields = z.output<typeof repeatFields>;

type Times = {
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  startsWall?: string | null;
  endsWall?: string | null;
};

/** The form of a new event, which may repeat. */
export const newEventSchema = z
  .intersection(eventSchema, repeatFields)
  .transform(({ repeat, weekdays, repeatEnds, repeatUntil, repeatTimes, ...form }, check) => {
    const fields = { repeat, weekdays, repeatEnds, repeatUntil, repeatTimes };
    const rule = ruleOf(fields, form);
    if (rule === null || "repeat" in rule) return { ...form, rule };
    check.addIssue({ code: "custom", path: [rule.field], message: rule.message });
    return z.NEVER;
  });

/** The form "Repetir" of an event that takes place at `times`. */
export const repetitionSchema = (times: Times) =>
  repeatFields.transform(({ preview, ...fields }, check) => {
    const rule = ruleOf(fields, times) ?? {
      field: "repeat",
      message: "Escolha como o evento repete.",
    };
    if ("repeat" in rule) return { rule, preview };
    check.addIssue({ code: "custom", path: [rule.field], message: rule.message });
    return z.NEVER;
  });

/** How the form "Repetir" is filled in for a rule. */
export function repeatValues(rule: SeriesRule): Record<string, string> {
  return {
    repeat: rule.repeat,
    weekdays: rule.weekdays.join("\n"),
    repeatEnds: rule.times === null ? "until" : "times",
    repeatUntil: rule.until ?? "",
    repeatTimes: rule.times === null ? "" : String(rule.times),
  };
}

/** Only when an event takes place: for the preview of its dates. */
export const repeatSchema = z
  .object({ startsAt: z.string(), endsAt: z.string(), timeZone: z.string() })
  .and(repeatFields);

/** The scope of a change or a cancellation; one date where the event does not repeat. */
export const scopeSchema = z.object({
  scope: z.enum(SCOPES, "Escolha quais datas.").default("one"),
});

type RuleProblem = { field: string; message: string };

/**
 * Converts the part "Repetir" of a form to a rule; null without repetition. Returns the problem of
 * a rule that has no second date, more than 366 dates, goes on for more than 3 years, does not have
 * its first day, or whose dates overlap.
 */
export function ruleOf(
  fields: Omit<RepeatFields, "preview">,
  times: Times,
): SeriesRule | RuleProblem | null {
  const { repeat } = fields;
  if (repeat === "none") return null;
  const { startsWall, endsWall } = wallsOf(times);
  const firstDay = startsWall.slice(0, 10);
  const isWeekly = repeat === "weekly" || repeat === "biweekly";
  const weekday = weekdayOf(firstDay);
  const chosen = fields.weekdays.length === 0 ? [weekday] : fields.weekdays.map(Number);
  if (isWeekly && !chosen.includes(weekday))
    return {
      field: "weekdays",
      message: `O evento começa ${weekday < 5 ? "numa" : "num"} ${WEEKDAY_NAMES[weekday]}: marque também este dia, ou mude o começo.`,
    };
  const end = endOf(fields, firstDay);
  if ("field" in end) return end;
  const rule: SeriesRule = {
    repeat,
    weekdays: isWeekly ? [...new Set(chosen)].toSorted((one, other) => one - other) : [],
    ...end,
  };
  const days = seriesDays(rule, firstDay);
  return daysProblem(days, { rule, lengthMinutes: minutesBetween(startsWall, endsWall) }) ?? rule;
}

function endOf(
  { repeatEnds, repeatUntil, repeatTimes }: Omit<RepeatFields, "preview">,
  firstDay: string,
): Pick<SeriesRule, "until" | "times"> | RuleProblem {
  if (repeatEnds === "times") {
    const times = /^\d{1,7}$/.test(repeatTimes) ? Number(repeatTimes) : 0;
    return times >= 2 && times <= SERIES_TIMES_MAX
      ? { until: null, times }
      : { field: "repeatTimes", message: TIMES_MESSAGE };
  }
  const refuse = (message: string): RuleProblem => ({ field: "repeatUntil", message });
  const at = parseWallTime(repeatUntil === "" ? "" : `${repeatUntil} 12:00`, "UTC");
  if (typeof at === "string") return refuse(UNTIL_MESSAGES[at]);
  const until = wallTimeText(wallTimeOf(at, "UTC")).slice(0, 10);
  if (until <= firstDay) return refuse("A última data precisa ser depois do começo.");
  return until > dayAfter(firstDay, SERIES_YEARS_MAX * 365 + 1)
    ? refuse(`A repetição vai até ${SERIES_YEARS_MAX} anos depois do começo. Confira o ano.`)
    : { until, times: null };
}

const UNTIL_MESSAGES: Record<WallTimeProblem, string> = {
  missing: REQUIRED,
  unreadable: "Escreva o dia, como 30/06/2027.",
  no_such_day: "Este dia não existe. Confira o dia e o mês.",
  skipped: "Escreva o dia, como 30/06/2027.",
};

function daysProblem(
  days: string[],
  { rule, lengthMinutes }: { rule: SeriesRule; lengthMinutes: number },
): RuleProblem | null {
  const field = rule.times === null ? "repeatUntil" : "repeatTimes";
  const last = days.at(-1);
  if (days.length < 2 || last === undefined)
    return { field, message: "Assim só há uma data. Escolha uma última data mais tarde." };
  if (days.length > SERIES_TIMES_MAX)
    return { field, message: `Um evento repete até ${SERIES_TIMES_MAX} vezes: termine antes.` };
  if (last > dayAfter(days[0] ?? last, SERIES_YEARS_MAX * 365 + 1))
    return {
      field,
      message: `A repetição vai até ${SERIES_YEARS_MAX} anos depois do começo. Escolha menos vezes.`,
    };
  const overlaps = days.some((day, index) => {
    const next = days[index + 1];
    return next !== undefined && minutesBetween(`${day}T00:00`, `${next}T00:00`) < lengthMinutes;
  });
  return overlaps
    ? { field: "endsAt", message: "Uma data começaria antes de a anterior terminar." }
    : null;
}
