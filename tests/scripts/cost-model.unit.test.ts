import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import {
  FANS,
  JOURNEYS,
  MONTH_OF_A_FAN,
  monthlyBill,
  PLAN_DOLLARS,
  PRICES,
} from "#bench/cost-model.ts";
import type { Costs, JourneyCost } from "#bench/cost-model.ts";

const NOTHING: JourneyCost = {
  requests: 0,
  cpuMs: 0,
  rowsRead: 0,
  rowsWritten: 0,
  queueMessages: 0,
  dataPoints: 0,
};
const costs = (like: Partial<JourneyCost>): Costs => ({
  ...(Object.fromEntries(JOURNEYS.map((journey) => [journey, NOTHING])) as Costs),
  like: { ...NOTHING, ...like },
});

test("what the plan includes costs nothing more", () => {
  for (const fans of FANS) expect(monthlyBill(costs({}), fans).total).toBe(PLAN_DOLLARS);
  const bill = monthlyBill(costs({ requests: 1, rowsWritten: 1 }), 1_000_000);
  expect(bill.requests.used).toBe(MONTH_OF_A_FAN.like * 1_000_000);
  expect([bill.requests.dollars, bill.rowsWritten.dollars]).toEqual([0, 0]);
});

test.each([
  ["requests", { requests: 1 }, 1],
  ["cpuMs", { cpuMs: 10 }, 10],
  ["rowsRead", { rowsRead: 1_000 }, 1_000],
  ["rowsWritten", { rowsWritten: 1 }, 1],
  ["queueOperations", { queueMessages: 1 }, 3],
  ["dataPoints", { dataPoints: 1 }, 1],
] as const)("%s beyond what is included are billed by the million", (item, like, a) => {
  const used = 100_000_000 * MONTH_OF_A_FAN.like * a;
  const bill = monthlyBill(costs(like), 100_000_000);
  expect(bill[item].used).toBe(used);
  const { included, dollarsAMillion } = PRICES[item];
  expect(bill.total).toBeCloseTo(PLAN_DOLLARS + ((used - included) / 1e6) * dollarsAMillion, 6);
});

/** The cells of the tables of docs/cost.md, by the number of their columns. */
function tableOf(columns: number): number[][] {
  return readFileSync(inRoot("docs", "cost.md"), "utf8")
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .filter((cells) => cells.length === columns && /\d/.test(cells.at(-1) ?? ""))
    .map((cells) => cells.map((cell) => Number(cell.replaceAll(",", ""))));
}

test("the bills of docs/cost.md are those of the journeys that it lists", () => {
  const measured = tableOf(7);
  expect(measured).toHaveLength(JOURNEYS.length);
  const costs = Object.fromEntries(
    JOURNEYS.map((journey, index) => {
      const [, requests, cpuMs, rowsRead, rowsWritten, queueMessages, dataPoints] =
        measured[index] ?? [];
      return [journey, { requests, cpuMs, rowsRead, rowsWritten, queueMessages, dataPoints }];
    }),
  ) as Costs;
  const bills = FANS.map((fans) => {
    const { total, ...items } = monthlyBill(costs, fans);
    const dollars = Object.values(items).map((item) => Math.round(item.dollars));
    return [fans, ...dollars, Math.round(total)];
  });
  expect(bills).toEqual(tableOf(8));
});
