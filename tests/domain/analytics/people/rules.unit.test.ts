import { expect, test } from "vitest";
import { audienceWithin, cohortsOf, funnelOf } from "#app/domain/analytics/people/rules.ts";

const at = (day: string) => Date.parse(`${day}T15:00:00Z`);
const NOW = at("2026-11-11");

test("a cohort counts who is still there at the end of each month, the present one until now", () => {
  const members = [
    { startedAt: at("2026-09-03"), endedAt: null },
    { startedAt: at("2026-09-30"), endedAt: at("2026-10-30") },
    { startedAt: at("2026-09-10"), endedAt: at("2026-09-20") },
    { startedAt: at("2026-11-01"), endedAt: null },
  ];
  expect(cohortsOf(members, NOW)).toEqual([
    { month: "2026-09", size: 3, retained: [2, 1, 1] },
    { month: "2026-11", size: 1, retained: [1] },
  ]);
});

test("who leaves in the last instant of a month is gone at its end, and a month begins with its own", () => {
  // Midnight in São Paulo is 3:00 UTC.
  const november = Date.parse("2026-11-01T03:00:00Z");
  const cohortAt = (now: number, endedAt: number) =>
    cohortsOf([{ startedAt: at("2026-10-05"), endedAt }], now)[0]?.retained;
  expect(cohortAt(november - 2, november - 1)).toEqual([1]);
  expect(cohortAt(november, november - 1)).toEqual([0, 0]);
  expect(cohortAt(november, november)).toEqual([1, 0]);
  expect(cohortAt(november - 1, november)).toEqual([1]);
});

test("there are cohorts from the first subscriber on, twelve at most, the last ones", () => {
  expect(cohortsOf([], NOW)).toEqual([]);
  const members = Array.from({ length: 20 }, (_, month) => ({
    startedAt: Date.UTC(2025, month, 5),
    endedAt: null,
  }));
  const cohorts = cohortsOf(members, Date.UTC(2026, 7, 20));
  expect(cohorts).toHaveLength(12);
  expect(cohorts.at(-1)?.month).toBe("2026-08");
  expect(cohorts[0]?.retained).toHaveLength(12);
});

test.each([
  [{ visitors: 200, follows: 20, starts: 5 }, [null, 0.1, 0.025]],
  [{ visitors: 0, follows: 3, starts: 0 }, [null, null, null]],
  [{ visitors: 1, follows: 3, starts: 0 }, [null, 1, 0]],
])("the funnel of %j has the shares %j", (counts, shares) => {
  expect(funnelOf(counts).map(({ share }) => share)).toEqual(shares);
});

test("only the days of a range are summed", () => {
  const day = { views: 2, visitors: 1, plays: 0, follows: 1, trials: 0, starts: 0, ends: 0 };
  const days = [10, 11, 12].map((number) => ({ day: number, ...day }));
  expect(audienceWithin(days, { from: 11, until: 20 })).toEqual({
    views: 4,
    visitors: 2,
    plays: 0,
    follows: 2,
    trials: 0,
    starts: 0,
    ends: 0,
  });
  expect(audienceWithin(days, null).views).toBe(0);
});
