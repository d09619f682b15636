import { expect, test } from "vitest";
import { dayRows, OTHER_VALUE, sourceRows } from "#app/domain/analytics/rollups/rules.ts";

test("views and plays of a subject are one row, and all of a creator another", () => {
  const rows = dayRows([
    { creatorId: "ana", subject: "p1", kind: "view", count: 5, visitors: 3 },
    { creatorId: "ana", subject: "p1", kind: "play", count: 40, visitors: 2 },
    { creatorId: "ana", subject: null, kind: "view", count: 7, visitors: 4 },
    { creatorId: "ana", subject: null, kind: "play", count: 40, visitors: 2 },
  ]);
  expect(Object.fromEntries(rows)).toEqual({
    ana: [
      { subject: "p1", views: 5, visitors: 3, plays: 2, reads: 0, readSeconds: 0 },
      { subject: "all", views: 7, visitors: 4, plays: 2, reads: 0, readSeconds: 0 },
    ],
  });
});

test("reading time joins the row of its post, also of a post that was opened the day before", () => {
  const view = { creatorId: "ana", subject: "p1", kind: "view" as const, count: 1, visitors: 1 };
  const read = { creatorId: "ana", reads: 2, seconds: 59.6 };
  const rows = dayRows(
    [view],
    [
      { ...read, subject: "p1" },
      { ...read, subject: "p2" },
    ],
  );
  expect(rows.get("ana")).toEqual([
    { subject: "p1", views: 1, visitors: 1, plays: 0, reads: 2, readSeconds: 60 },
    { subject: "p2", views: 0, visitors: 0, plays: 0, reads: 2, readSeconds: 60 },
  ]);
});

test("a day keeps thirty hosts at most, and the sum stays", () => {
  const sums = Array.from({ length: 50 }, (_, at) => ({
    creatorId: "ana",
    dimension: "referrer" as const,
    value: `site${at}.test`,
    count: at + 1,
    visitors: 1,
  }));
  const rows = sourceRows(sums);
  expect(rows).toHaveLength(31);
  expect(rows[0]).toMatchObject({ value: "site49.test", views: 50 });
  expect(rows.at(-1)).toEqual({
    dimension: "referrer",
    value: OTHER_VALUE,
    views: 210,
    visitors: 20,
  });
  expect(rows.reduce((sum, { views }) => sum + views, 0)).toBe(1_275);
  expect(sourceRows(sums.toReversed())).toEqual(rows);
});
