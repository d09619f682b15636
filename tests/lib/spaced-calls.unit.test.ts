import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { spacedCalls } from "#app/lib/spaced-calls.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first ask is answered at once, and all of the next 150 ms once at their end", () => {
  const calledAt: number[] = [];
  const { ask } = spacedCalls(() => calledAt.push(performance.now()), 150);
  const startedAt = performance.now();
  for (let at = 0; at < 400; at += 20) {
    ask();
    vi.advanceTimersByTime(20);
  }
  vi.advanceTimersByTime(1_000);
  expect(calledAt.map((at) => at - startedAt)).toEqual([0, 150, 300, 450]);
});

test("nothing is answered after a stop, and asks go on later", () => {
  const act = vi.fn<() => void>();
  const { ask, stop } = spacedCalls(act, 150);
  ask();
  ask();
  stop();
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledTimes(1);
  ask();
  expect(act).toHaveBeenCalledTimes(2);
});
