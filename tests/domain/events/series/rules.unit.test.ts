import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wallTimeOf } from "#app/domain/events/times/rules/wall-time.ts";
import {
  dayAfter,
  repeatText,
  SERIES_TIMES_MAX,
  timesOnDay,
  weekdayOf,
} from "#app/domain/events/series/rules.ts";
import type { SeriesRule } from "#app/domain/events/series/rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import { newEventSchema } from "#app/domain/events/series/schema.ts";
import { formProblemOf } from "#app/http/form.ts";
import { datesPreview } from "#app/routes/events/series/dates-preview.server.ts";

const rule = (changed: Partial<SeriesRule>): SeriesRule => ({
  repeat: "daily",
  weekdays: [],
  until: null,
  times: null,
  ...changed,
});

describe("the days of a rule", () => {
  test.each([
    ["every day", rule({ times: 3 }), "2027-02-27", "2027-02-27 2027-02-28 2027-03-01"],
    [
      "every week on Tuesday and Thursday",
      rule({ repeat: "weekly", weekdays: [1, 3], times: 4 }),
      "2027-03-02",
      "2027-03-02 2027-03-04 2027-03-09 2027-03-11",
    ],
    [
      "every two weeks, whose week starts on Monday",
      rule({ repeat: "biweekly", weekdays: [0, 6], times: 4 }),
      "2027-03-07",
      "2027-03-07 2027-03-15 2027-03-21 2027-03-29",
    ],
    [
      "every month on the 15th",
      rule({ repeat: "monthly_day", until: "2027-06-15" }),
      "2027-03-15",
      "2027-03-15 2027-04-15 2027-05-15 2027-06-15",
    ],
    [
      "every month on the 31st: the last day of a shorter month",
      rule({ repeat: "monthly_day", times: 5 }),
      "2027-12-31",
      "2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30",
    ],
    [
      "every month on the 29th: the 28th of a February without it",
      rule({ repeat: "monthly_day", times: 3 }),
      "2027-01-29",
      "2027-01-29 2027-02-28 2027-03-29",
    ],
    [
      "every month on the third Thursday",
      rule({ repeat: "monthly_weekday", times: 3 }),
      "2027-03-18",
      "2027-03-18 2027-04-15 2027-05-20",
    ],
    [
      "every month on the fifth Monday, which is the last",
      rule({ repeat: "monthly_weekday", times: 3 }),
      "2027-03-29",
      "2027-03-29 2027-04-26 2027-05-31",
    ],
    [
      "until a day that is none of them",
      rule({ repeat: "weekly", weekdays: [4], until: "2027-03-18" }),
      "2027-03-05",
      "2027-03-05 2027-03-12",
    ],
  ])("%s", (_, given, firstDay, expected) => {
    expect(seriesDays(given, firstDay).join(" ")).toBe(expected);
  });

  test("start with the first, rise, keep their days of the week and their number", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<SeriesRule["repeat"]>(
          "daily",
          "weekly",
          "biweekly",
          "monthly_day",
          "monthly_weekday",
        ),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 2, max: 40 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
        (repeat, later, times, more) => {
          const firstDay = dayAfter("2026-11-11", later);
          const isWeekly = repeat === "weekly" || repeat === "biweekly";
          const weekdays = isWeekly ? [...new Set([weekdayOf(firstDay), ...more])] : [];
          const days = seriesDays(rule({ repeat, weekdays, times }), firstDay);
          expect([days[0], days.length]).toEqual([firstDay, times]);
          expect(days).toEqual([...new Set(days)].toSorted());
          if (isWeekly) expect(days.every((day) => weekdays.includes(weekdayOf(day)))).toBe(true);
          if (repeat === "monthly_weekday")
            expect(new Set(days.map(weekdayOf))).toEqual(new Set([weekdayOf(firstDay)]));
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("each date is at the same hour on the clock, also where the clocks are changed", () => {
  const timeZone = "America/New_York";
  const clock = { startsWall: "2027-03-07T20:00", durationMinutes: 300, timeZone };
  for (const day of ["2027-03-07", "2027-03-14", "2027-11-07"]) {
    const { startsAt, endsAt, endsWall } = timesOnDay(day, clock);
    expect(wallTimeOf(startsAt, timeZone)).toMatchObject({ hour: 20, minute: 0 });
    expect(wallTimeOf(endsAt, timeZone)).toMatchObject({ hour: 1, minute: 0 });
    expect(endsWall).toBe(`${dayAfter(day, 1)}T01:00`);
  }
});

test("a date ends after its start, also across an hour that the clocks skip", () => {
  const zones = ["America/New_York", "America/Santiago", "Europe/Lisbon", "Australia/Lord_Howe"];
  const days = fc.constantFrom("2027-03-14", "2027-03-28", "2027-09-05", "2027-10-03");
  const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, minute, minute, (timeZone, day, at, more) => {
      const hour = new Date(at * 60_000).toISOString().slice(11, 16);
      const clock = { startsWall: `2027-01-01T${hour}`, durationMinutes: more + 1, timeZone };
      const { startsAt, endsAt } = timesOnDay(day, clock);
      expect(endsAt).toBeGreaterThan(startsAt);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [rule({ times: 20 }), "2027-03-18", "Todo dia, 20 vezes"],
  [
    rule({ repeat: "weekly", weekdays: [1, 3], until: "2027-06-30" }),
    "2027-03-02",
    "Toda semana: terça-feira e quinta-feira, até 30 de junho de 2027",
  ],
  [
    rule({ repeat: "biweekly", weekdays: [5], times: 2 }),
    "2027-03-06",
    "A cada duas semanas: sábado, 2 vezes",
  ],
  [rule({ repeat: "monthly_day", times: 3 }), "2027-03-15", "Todo mês, no dia 15, 3 vezes"],
  [
    rule({ repeat: "monthly_day", times: 3 }),
    "2027-03-31",
    "Todo mês, no dia 31 (ou no último, se o mês for mais curto), 3 vezes",
  ],
  [
    rule({ repeat: "monthly_weekday", times: 3 }),
    "2027-03-18",
    "Todo mês, na terceira quinta-feira, 3 vezes",
  ],
  [
    rule({ repeat: "monthly_weekday", times: 3 }),
    "2027-03-28",
    "Todo mês, no quarto domingo, 3 vezes",
  ],
  [
    rule({ repeat: "monthly_weekday", times: 3 }),
    "2027-03-29",
    "Todo mês, na última segunda-feira, 3 vezes",
  ],
])("%j from %s reads “%s”", (given, firstDay, text) => {
  expect(repeatText(given, firstDay)).toBe(text);
});

const valid = {
  title: "Roda de rabeca",
  startsAt: "2027-03-18T20:00",
  endsAt: "2027-03-18T22:00",
  timeZone: "America/Sao_Paulo",
  place: "Praça da Matriz",
  repeat: "weekly",
  repeatEnds: "times",
  repeatTimes: "10",
};
const problems = (typed: Record<string, unknown>): Record<string, string> => {
  const parsed = newEventSchema.safeParse({ ...valid, ...typed });
  return parsed.success ? {} : formProblemOf(parsed.error).errors;
};
const until = (repeatUntil: string) => ({ repeatEnds: "until", repeatUntil });
const TIMES = `Escreva quantas vezes, de 2 a ${SERIES_TIMES_MAX}.`;
const YEARS = "A repetição vai até 3 anos depois do começo.";

describe("the form of a repeating event", () => {
  test("gives its rule, and none for a single date", () => {
    expect(newEventSchema.parse(valid).rule).toEqual(
      rule({ repeat: "weekly", weekdays: [3], times: 10 }),
    );
    expect(newEventSchema.parse({ ...valid, weekdays: ["4", "3"] }).rule?.weekdays).toEqual([3, 4]);
    expect(newEventSchema.parse({ ...valid, ...until("30/06/2027") }).rule).toMatchObject({
      until: "2027-06-30",
      times: null,
    });
    expect(newEventSchema.parse({ ...valid, repeat: "none" }).rule).toBeNull();
  });

  test.each([
    [{ repeatTimes: "1000000" }, "repeatTimes", TIMES],
    [{ repeatTimes: "99999999999" }, "repeatTimes", TIMES],
    [{ repeatTimes: "1" }, "repeatTimes", TIMES],
    [{ repeatTimes: "" }, "repeatTimes", TIMES],
    [{ repeatTimes: "dez" }, "repeatTimes", TIMES],
    [{ repeat: "monthly_day", repeatTimes: "300" }, "repeatTimes", `${YEARS} Escolha menos vezes.`],
    [until(""), "repeatUntil", "Campo obrigatório"],
    [until("2027-02-31"), "repeatUntil", "Este dia não existe. Confira o dia e o mês."],
    [until("31/02/2028"), "repeatUntil", "Este dia não existe. Confira o dia e o mês."],
    [until("logo"), "repeatUntil", "Escreva o dia, como 30/06/2027."],
    [until("2027-03-01"), "repeatUntil", "A última data precisa ser depois do começo."],
    [until("2037-03-18"), "repeatUntil", `${YEARS} Confira o ano.`],
    [
      until("2027-03-20"),
      "repeatUntil",
      "Assim só há uma data. Escolha uma última data mais tarde.",
    ],
    [
      { repeat: "daily", ...until("2030-03-01") },
      "repeatUntil",
      "Um evento repete até 366 vezes: termine antes.",
    ],
    [
      { weekdays: ["0"] },
      "weekdays",
      "O evento começa numa quinta-feira: marque também este dia, ou mude o começo.",
    ],
    [{ weekdays: "9" }, "weekdays", "Escolha dias da semana."],
    [
      { repeat: "daily", endsAt: "2027-03-20T22:00" },
      "endsAt",
      "Uma data começaria antes de a anterior terminar.",
    ],
    [{ repeat: "hourly" }, "repeat", "Escolha como o evento repete."],
    [{ startsAt: "2027-02-31T20:00" }, "startsAt", "Este dia não existe. Confira o dia e o mês."],
    [
      { timeZone: "America/Olinda" },
      "timeZone",
      "Não conhecemos este fuso horário. Escolha um da lista.",
    ],
    [{ endsAt: "2037-03-18T22:00" }, "endsAt", "Um evento dura até 14 dias."],
  ])("refuses %j beside its field", (typed, field, message) => {
    expect(problems(typed)).toEqual({ [field]: message });
  });
});

describe("the preview", () => {
  test("has the first dates, and how many there are", () => {
    const preview = datesPreview({ ...valid, title: "" });
    expect(preview).toMatchObject({ total: 10, problem: null });
    expect(preview?.dates).toHaveLength(6);
    expect(preview?.dates[1]).toBe("quinta-feira, 25 de março de 2027, 20:00 até 22:00");
  });

  test("says what is wrong, and nothing where nothing repeats", () => {
    expect(datesPreview({ ...valid, repeatTimes: "1000000" })?.problem).toBe(TIMES);
    expect(datesPreview({ ...valid, startsAt: "" })?.problem).toBe(
      "Escreva o começo e o fim para ver as datas.",
    );
    expect(datesPreview({ ...valid, repeat: "none" })).toBeNull();
    expect(datesPreview({})).toBeNull();
  });
});
