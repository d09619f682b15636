import { expect, test } from "vitest";
import {
  creatorsQuery,
  sumsQuery,
  viewStore,
} from "#app/integrations/analytics-engine/points.server.ts";

const dialect = { timeText: (seconds: number) => `toDateTime(${seconds})` };
const RANGE = { timeZone: "America/Sao_Paulo", from: 1_000_000, until: 2_000_000 };
const QUERY = { columns: "index1, blob2", where: "blob3 = 'read'" };

test("the text of the queries", () => {
  expect(sumsQuery(dialect, RANGE, ["a1", "b-2"], QUERY)).toBe(
    "SELECT index1, blob2, SUM(_sample_interval) AS viewsCount, SUM(_sample_interval * double1) AS valuesSum, COUNT(DISTINCT blob4) AS visitorsCount FROM coreto_views WHERE blob1 = 'America/Sao_Paulo' AND timestamp >= toDateTime(1000) AND timestamp < toDateTime(2000) AND index1 IN ('a1', 'b-2') AND blob3 = 'read' GROUP BY index1, blob2 ORDER BY viewsCount DESC LIMIT 10000",
  );
  expect(creatorsQuery(dialect, RANGE, { after: "a1", limit: 200 })).toBe(
    "SELECT index1, SUM(_sample_interval) AS viewsCount FROM coreto_views WHERE blob1 = 'America/Sao_Paulo' AND timestamp >= toDateTime(1000) AND timestamp < toDateTime(2000) AND index1 > 'a1' GROUP BY index1 ORDER BY index1 LIMIT 200",
  );
});

/** What a store asks of its dataset, which answers with `rows`. */
async function askedBy(
  act: (store: ReturnType<typeof viewStore>) => Promise<unknown>,
  rows: (sql: string) => number = () => 0,
): Promise<string[]> {
  const asked: string[] = [];
  const store = viewStore({
    ...dialect,
    writeDataPoint: () => Promise.resolve(),
    forget: () => Promise.resolve(),
    query: async (sql) => {
      asked.push(sql);
      return Array.from({ length: rows(sql) }, () => ({ index1: "a", viewsCount: "1" }));
    },
  });
  await act(store);
  return asked;
}

test("every query has only what the SQL reference documents, and weighs every sum", async () => {
  const asked = await askedBy(async (store) => {
    await store.creators(RANGE, { after: "a", limit: 10 });
    await store.sums(RANGE, ["a"]);
    await store.sourceSums(RANGE, ["a"]);
    await store.readSums(RANGE, ["a"]);
    await store.reachSums(RANGE, ["a"]);
  });
  expect(asked).toHaveLength(10);
  for (const sql of asked) {
    expect(sql).not.toMatch(/\b(OFFSET|UNION|JOIN|WITH|OVER|CASE)\b/i);
    expect(sql.match(/SUM\((?!_sample_interval)/g)).toBeNull();
    expect(sql).not.toMatch(/COUNT\((?!DISTINCT)/);
    expect(sql).toMatch(/ LIMIT \d+$/);
  }
});

test("creators are asked for fifty at a time", async () => {
  const ids = Array.from({ length: 120 }, (_, at) => `c${at}`);
  const asked = await askedBy((store) => store.readSums(RANGE, ids));
  expect(asked.map((sql) => sql.match(/'c\d+'/g)?.length)).toEqual([50, 50, 20]);
});

test("an answer that is cut is asked for again by halves, down to one creator", async () => {
  const cutAbove = (sql: string) => ((sql.match(/'c\d+'/g)?.length ?? 0) > 1 ? 10_000 : 1);
  const asked = await askedBy((store) => store.readSums(RANGE, ["c1", "c2", "c3"]), cutAbove);
  expect(asked.map((sql) => sql.match(/'c\d+'/g)?.join(""))).toEqual([
    "'c1''c2''c3'",
    "'c1''c2'",
    "'c1'",
    "'c2'",
    "'c3'",
  ]);
});
