/** What one journey takes of each thing that Cloudflare bills. */
export type JourneyCost = {
  requests: number;
  cpuMs: number;
  rowsRead: number;
  rowsWritten: number;
  queueMessages: number;
  /** Points written to Analytics Engine. */
  dataPoints: number;
};

export const JOURNEYS = [
  "cachedView",
  "freshView",
  "feed",
  "like",
  "subscribe",
  "renew",
  "payout",
] as const;
export type Journey = (typeof JOURNEYS)[number];
export type Costs = Record<Journey, JourneyCost>;

/**
 * Dollars of the Workers Paid plan and what it includes each month. Source: Cloudflare's docs,
 * "Pricing" of Workers, D1, Queues and Analytics Engine, read on 28 November 2026.
 */
export const PLAN_DOLLARS = 5;
export const PRICES = {
  requests: { included: 10e6, dollarsAMillion: 0.3 },
  cpuMs: { included: 30e6, dollarsAMillion: 0.02 },
  rowsRead: { included: 25e9, dollarsAMillion: 0.001 },
  rowsWritten: { included: 50e6, dollarsAMillion: 1 },
  queueOperations: { included: 1e6, dollarsAMillion: 0.4 },
  dataPoints: { included: 10e6, dollarsAMillion: 0.25 },
} as const;
type Item = keyof typeof PRICES;

/** A message is written, read and deleted. */
const OPERATIONS_A_MESSAGE = 3;

/**
 * How often one fan does each thing in a month: an assumption, not a measurement. Public pages are
 * opened 30 times, 27 of them from the cache. One fan in 20 pays, and one in 200 starts to. A
 * creator has 500 fans and is paid out weekly.
 */
export const MONTH_OF_A_FAN: Record<Journey, number> = {
  cachedView: 27,
  freshView: 3,
  feed: 20,
  like: 5,
  subscribe: 1 / 200,
  renew: 1 / 20,
  payout: 4 / 500,
};

export const FANS = [10_000, 1_000_000, 100_000_000] as const;

export type Bill = Record<Item, { used: number; dollars: number }> & { total: number };

/** What a month of so many fans uses, and costs in dollars with the plan. Not rounded. */
export function monthlyBill(costs: Costs, fans: number): Bill {
  const sum = (of: (cost: JourneyCost) => number) =>
    JOURNEYS.reduce(
      (total, journey) => total + fans * MONTH_OF_A_FAN[journey] * of(costs[journey]),
      0,
    );
  const used: Record<Item, number> = {
    requests: sum(({ requests }) => requests),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsWritten: sum(({ rowsWritten }) => rowsWritten),
    queueOperations: sum(({ queueMessages }) => queueMessages * OPERATIONS_A_MESSAGE),
    dataPoints: sum(({ dataPoints }) => dataPoints),
  };
  const items = Object.fromEntries(
    Object.entries(used).map(([item, amount]) => [
      item,
      { used: amount, dollars: dollarsOf(item as Item, amount) },
    ]),
  ) as Record<Item, { used: number; dollars: number }>;
  const total = Object.values(items).reduce((dollars, one) => dollars + one.dollars, PLAN_DOLLARS);
  return { ...items, total };
}

function dollarsOf(item: Item, amount: number): number {
  const { included, dollarsAMillion } = PRICES[item];
  return (Math.max(0, amount - included) / 1e6) * dollarsAMillion;
}
