import type { Turn } from "#tests/support/crash.ts";

/** Random numbers that a seed reproduces. */
export type Dice = {
  chance(percent: number): boolean;
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
};

/** Mulberry32, which gives the same numbers on every machine. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)],
  };
}

/** More microtasks than any chain of promises between two calls to the world. */
const MICROTASKS = 150;

/**
 * Runs concurrent processes one step at a time. The dice choose which process steps next, so that a
 * failing interleaving replays from its seed.
 */
export function createScheduler() {
  const waiting: (() => Promise<void>)[] = [];
  const turn: Turn = (work) =>
    new Promise((resolve, reject) => {
      waiting.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  async function together(works: readonly (() => Promise<void>)[], { below }: Dice): Promise<void> {
    let left = works.length;
    const running = works.map(async (work) => {
      await work();
      left -= 1;
    });
    const all = Promise.all(running);
    let failure: unknown = null;
    all.catch((error: unknown) => (failure = error));
    while (left > 0 && failure === null) {
      for (let tick = 0; tick < MICROTASKS; tick += 1) await Promise.resolve();
      const [next] = waiting.splice(below(waiting.length), 1);
      // No process waits for a turn: one is busy outside of the world, such as with a digest.
      await (next ? next() : new Promise((resolve) => setTimeout(resolve, 0)));
    }
    await all;
  }
  return { turn, together };
}
