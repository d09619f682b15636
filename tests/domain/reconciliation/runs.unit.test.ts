import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYER_DIGEST_RETENTION_DAYS } from "#app/domain/payments/refund-transfers/rules.ts";
import {
  hasUnansweredQuestions,
  isInFlight,
  listedSince,
  reconciliationSteps,
  runDayAt,
  stepAfter,
} from "#app/domain/reconciliation/rules/runs.ts";
import { addDays, DAY_MS, instantOf, instantOfIsoDay, lowestIdAt } from "#app/domain/time.ts";
import { timeOrderedId } from "#app/lib/ids.ts";

const run = (provider: string, unclearCount: number) => ({ provider, unclearCount });

test.each([
  ["no run exists", [], false],
  [
    "each provider's last run is complete",
    [run("asaas", 0), run("stripe", 0), run("asaas", 3)],
    false,
  ],
  [
    "one provider's last run is incomplete",
    [run("asaas", 0), run("stripe", 1), run("stripe", 0)],
    true,
  ],
])("work remains where %s: %j", (_, runs, expected) => {
  expect(hasUnansweredQuestions(runs)).toBe(expected);
});

describe("a reconciliation run", () => {
  const at = (hours: number, minutes = 0) =>
    instantOf({ year: 2026, month: 11, day: 22 }, (hours * 60 + minutes) * 60_000);
  test("starts at three in the morning in São Paulo, and lasts until the next", () => {
    expect(runDayAt(at(2, 59))).toBeNull();
    expect(runDayAt(at(3))).toBe("2026-11-22");
    expect(runDayAt(at(23, 59))).toBe("2026-11-22");
    expect(runDayAt(addDays(at(3), 1))).toBe("2026-11-23");
  });

  test("also examines the window of the run before, and the first run of a month examines a month more", () => {
    const since = at(3);
    const startedAt = since + DAY_MS;
    expect(since - listedSince({ since, startedAt }, "charges")).toBe(2 * DAY_MS);
    expect(since - listedSince({ since, startedAt }, "disputes")).toBe(120 * DAY_MS);
    expect(startedAt - listedSince({ since: null, startedAt }, "transfers")).toBe(40 * DAY_MS);
  });

  test("examines, once a month, all transfers that a bank can still return", () => {
    const looked = (since: string, started: string) =>
      (instantOfIsoDay(started) -
        listedSince(
          { since: instantOfIsoDay(since), startedAt: instantOfIsoDay(started) },
          "transfers",
        )) /
      DAY_MS;
    expect([
      looked("2026-11-29", "2026-11-30"),
      looked("2026-11-30", "2026-12-01"),
      looked("2026-12-01", "2026-12-02"),
    ]).toEqual([11, 121, 11]);
    // The next month's first run still lists money returned on any day without a webhook event.
    expect(looked("2026-11-30", "2026-12-01")).toBeGreaterThanOrEqual(
      PAYER_DIGEST_RETENTION_DAYS + 31,
    );
  });

  test("performs every step once", () => {
    let step: (typeof reconciliationSteps)[number] | "done" = "again";
    const seen: string[] = [];
    while (step !== "done") {
      seen.push(step);
      step = stepAfter(step);
    }
    expect(seen).toEqual(reconciliationSteps);
  });

  test("ignores rows changed in the last ten minutes", () => {
    expect(isInFlight(at(3) - 10 * 60_000 + 1, at(3))).toBe(true);
    expect(isInFlight(at(3) - 10 * 60_000, at(3))).toBe(false);
  });

  test("finds ids by the time of their creation", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000_000_000_000 }), (moment) => {
        const id = timeOrderedId(moment);
        expect(id > lowestIdAt(moment) && id < lowestIdAt(moment + 1)).toBe(true);
      }),
    );
  });
});
