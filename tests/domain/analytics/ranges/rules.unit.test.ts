import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketsOf,
  changeShare,
  isWithin,
  parseRange,
  sumsByBucket,
} from "#app/domain/analytics/ranges/rules.ts";
import { dayNumberOf, isoOfDayNumber } from "#app/domain/time.ts";

const TODAY = dayNumberOf(Date.parse("2026-11-11T15:00:00Z"));
const CALENDAR = { today: TODAY, firstDay: TODAY - 400 };
const parsed = (query: string) => parseRange(new URLSearchParams(query), CALENDAR);

test.each([
  ["", "28", 28],
  ["range=7", "7", 7],
  ["range=90", "90", 90],
  ["range=year", "year", 365],
  ["range=all", "all", 401],
  ["range=nonsense", "28", 28],
  ["range=own&from=2026-11-01&until=2026-11-03", "own", 3],
  ["from=01/11/2026&until=03/11/2026", "own", 3],
])("?%s shows the range %s of %i days", (query, name, days) => {
  const { range, errors } = parsed(query);
  expect(errors).toEqual({});
  expect(range.name).toBe(name);
  expect(range.until - range.from + 1).toBe(days);
});

test("a range is compared with as many days right before it, and everything with nothing", () => {
  expect(parsed("range=7").range).toEqual({
    name: "7",
    from: TODAY - 6,
    until: TODAY,
    before: { from: TODAY - 13, until: TODAY - 7 },
  });
  expect(parsed("range=all").range.before).toBeNull();
});

test.each([
  ["from=&until=", "range=own", { from: /Escreva/, until: /Escreva/ }],
  ["from=2026-02-30&until=2026-03-01", "", { from: /Escreva/ }],
  ["from=2026-11-03&until=2026-11-01", "", { until: /antes do começo/ }],
  ["from=2027-01-01&until=2027-01-02", "", { from: /não chegou/ }],
  ["from=1999-01-01&until=2026-01-01", "", { from: /dez anos/ }],
])("?%s %s is refused beside its field, and what was typed stays", (query, more, messages) => {
  const { errors, typed, range } = parsed([query, more].filter(Boolean).join("&"));
  for (const [field, message] of Object.entries(messages))
    expect(errors[field as "from" | "until"]).toMatch(message);
  expect(typed.from).toBe(new URLSearchParams(query).get("from") ?? "");
  expect(range.name).toBe("28");
});

test("a range of ten years is the longest, to the day", () => {
  const from = (days: number) => isoOfDayNumber(TODAY - days);
  expect(parsed(`from=${from(3_659)}&until=${from(0)}`).errors).toEqual({});
  expect(parsed(`from=${from(3_660)}&until=${from(0)}`).errors.from).toMatch(/dez anos/);
});

test.each([
  [9, false],
  [10, true],
  [12, true],
  [13, false],
])("day %i is within the days 10 to 12: %s", (day, isIn) => {
  expect(isWithin({ from: 10, until: 12 }, day)).toBe(isIn);
  expect(isWithin(null, day)).toBe(false);
});

const ranges = fc
  .tuple(fc.integer({ min: 15_000, max: 21_000 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([from, days]) => ({ from, until: from + days }));

test("the bars of a chart cover every day once, in few bars", () => {
  fc.assert(
    fc.property(ranges, (range) => {
      const buckets = bucketsOf(range);
      expect(buckets[0]?.from).toBe(range.from);
      expect(buckets.at(-1)?.until).toBe(range.until);
      for (const [at, bucket] of buckets.entries()) {
        expect(bucket.until).toBeGreaterThanOrEqual(bucket.from);
        if (at > 0) expect(bucket.from).toBe((buckets[at - 1]?.until ?? 0) + 1);
      }
      expect(buckets.length).toBeLessThanOrEqual(101);
    }),
  );
});

test("months begin on their first day", () => {
  const from = dayNumberOf(Date.parse("2024-01-15T15:00:00Z"));
  const starts = bucketsOf({ from, until: TODAY }).map((bucket) => isoOfDayNumber(bucket.from));
  expect(starts.slice(0, 3)).toEqual(["2024-01-15", "2024-02-01", "2024-03-01"]);
});

test("the bars add up to all rows of the range", () => {
  const rows = fc.array(
    fc.record({ day: fc.integer({ min: 14_900, max: 21_100 }), cents: fc.nat(1_000) }),
  );
  fc.assert(
    fc.property(ranges, rows, (range, all) => {
      const sums = sumsByBucket(bucketsOf(range), all, ({ cents }) => cents);
      const within = all.filter(({ day }) => day >= range.from && day <= range.until);
      expect(sums.reduce((a, b) => a + b, 0)).toBe(within.reduce((sum, row) => sum + row.cents, 0));
    }),
  );
});

test("a change without anything before is no number", () => {
  expect([changeShare(3, 2), changeShare(3, 0), changeShare(3, null), changeShare(0, 4)]).toEqual([
    0.5,
    null,
    null,
    -1,
  ]);
});
