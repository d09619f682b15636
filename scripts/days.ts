import { readdirSync, readFileSync } from "node:fs";
import { inRoot } from "./paths.ts";

/** The days on which the date-dependent tests run, with the instant at which each run starts. */
export const DAYS = {
  // A Tuesday. Payouts six days later once fell on a day that no test covered.
  "24 November 2026": "2026-11-24T15:00:00Z",
  "the last day of a month": "2027-01-31T15:00:00Z",
  "31 December, 23:30 in São Paulo": "2027-01-01T02:30:00Z",
  "28 February": "2027-02-28T15:00:00Z",
  "29 February": "2028-02-29T15:00:00Z",
  "a Friday evening": "2026-11-27T22:00:00Z",
  "a Saturday": "2026-11-28T15:00:00Z",
  // A minute before, so that the run crosses it.
  "Sunday to Monday at 00:00 UTC": "2026-11-29T23:59:00Z",
  "Carnival Monday": "2027-02-08T15:00:00Z",
  "Good Friday": "2027-03-26T15:00:00Z",
  "the first business day after holidays": "2027-01-04T12:00:00Z",
} as const;
export type Day = keyof typeof DAYS;

export const isDay = (name: string): name is Day => Object.hasOwn(DAYS, name);

const MOVES_TIME = /\.advance\(|\.tick\(|\bwait\(|testClock|useFakeTimers/;
/** These tests do the same as others, but crash or race at each step. */
const OF_CRASHES = /crash|chaos|race|kill/;

/** Lists the worker tests that change or read the time, except those of crashes and races. */
export const dateDependentTests = (): string[] =>
  workerTests().filter((file) => MOVES_TIME.test(readFileSync(inRoot(file), "utf8")));

const CALENDAR_FOLDERS = [
  "tests/domain/payouts/batches/",
  "tests/domain/payouts/commands.",
  "tests/domain/payouts/timeline/",
  ...[
    "cancellations/",
    "comps/",
    "endings/",
    "overview/",
    "pauses/",
    "plan-changes/",
    "prepayments/",
    "price-changes/",
    "queries.",
    "renewals/",
    "vacations/",
  ].map((slice) => `tests/domain/subscriptions/${slice}`),
  "tests/workers/payouts/",
];

/** The part of them that each `npm test` runs on two of the days: the most date-dependent ones. */
export const calendarTests = (): Record<"unit" | "workers", string[]> => ({
  unit: ["tests/domain"],
  workers: workerTests().filter((file) =>
    CALENDAR_FOLDERS.some((folder) => file.startsWith(folder)),
  ),
});

function workerTests(): string[] {
  return readdirSync(inRoot("tests"), { recursive: true, encoding: "utf8" })
    .map((file) => `tests/${file}`)
    .filter((file) => file.endsWith(".worker.test.ts") && !OF_CRASHES.test(file))
    .toSorted();
}

/** Two of the days, chosen by the commit, so that the same commit is always tested on the same days. */
export function daysInTurn(commit: string): [Day, Day] {
  const names = Object.keys(DAYS) as [Day, ...Day[]];
  const first = Number.parseInt(commit.slice(0, 8), 16) % names.length || 0;
  const at = (index: number): Day => names[index % names.length] ?? names[0];
  return [at(first), at(first + Math.floor(names.length / 2))];
}
