import { expect, test } from "vitest";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { MINUTE_ORDER } from "#workers/notifications/sweep.ts";
import { CLOSING_ORDER, PAYOUTS_ORDER } from "#workers/payouts/run.ts";
import { RENEWALS_ORDER } from "#workers/renewals/run.ts";
import { WEB_ORDER } from "#workers/web-cron.ts";

type Declared = Record<string, Record<string, Step>>;

const files = import.meta.glob<Declared>(
  ["/app/domain/*/commands/steps.server.ts", "/workers/steps/*.ts"],
  { eager: true },
);
const declared = Object.values(files).flatMap((exported) =>
  Object.entries(exported)
    .filter(([name]) => name.endsWith("Steps"))
    .flatMap(([, steps]) => Object.values(steps)),
);
const ordered = [
  ...RENEWALS_ORDER,
  ...PAYOUTS_ORDER,
  ...CLOSING_ORDER,
  ...MINUTE_ORDER,
  ...WEB_ORDER,
];
const names = (steps: readonly Step[]) => steps.map(({ name }) => name);

test("every declared step is in the order of exactly one worker", () => {
  expect(names(ordered).toSorted()).toEqual(names(declared).toSorted());
});

test("step names are unique", () => {
  expect(new Set(names(declared)).size).toBe(declared.length);
});
