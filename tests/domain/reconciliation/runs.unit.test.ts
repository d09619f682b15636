import { expect, test } from "vitest";
import { hasUnansweredQuestions } from "#app/domain/reconciliation/rules/runs.ts";

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
