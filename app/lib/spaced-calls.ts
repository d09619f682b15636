/**
 * Calls `act` for each `ask`, at most once every `gapMs`. The first ask is answered at once. Those
 * that come within the gap are answered together at its end, however many they are.
 */
export function spacedCalls(act: () => void, gapMs: number): { ask(): void; stop(): void } {
  let lastAt = -Infinity;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const call = () => {
    waiting = undefined;
    lastAt = performance.now();
    act();
  };
  return {
    ask() {
      if (waiting !== undefined) return;
      const waitMs = lastAt + gapMs - performance.now();
      if (waitMs <= 0) call();
      else waiting = setTimeout(call, waitMs);
    },
    stop() {
      clearTimeout(waiting);
      waiting = undefined;
    },
  };
}
