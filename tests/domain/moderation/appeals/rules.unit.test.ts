import { expect, test } from "vitest";
import {
  appealProblem,
  appealUntil,
  canDecideAppeal,
} from "#app/domain/moderation/appeals/rules.ts";

const AT = 1_800_000_000_000;
const warned = { decision: "warn", decidedAt: AT, hasAppeal: false } as const;

test.each([
  ["in time", warned, appealUntil(AT), null],
  ["too late", warned, appealUntil(AT) + 1, "too_late"],
  ["a second time", { ...warned, hasAppeal: true }, AT, "already_appealed"],
  ["a dismissal", { ...warned, decision: "dismiss" as const }, AT, "nothing_decided"],
  ["nothing", { ...warned, decision: null, decidedAt: null }, AT, "nothing_decided"],
])("an appeal %s", (_, state, now, problem) => {
  expect(appealProblem(state, now)).toBe(problem);
});

test("another moderator decides an appeal, where there is one", () => {
  expect(canDecideAppeal({ isFirstDecider: true, othersCount: 1 })).toBe(false);
  expect(canDecideAppeal({ isFirstDecider: true, othersCount: 0 })).toBe(true);
  expect(canDecideAppeal({ isFirstDecider: false, othersCount: 0 })).toBe(true);
});
