import fc from "fast-check";
import { AGREEMENTS } from "./agreements.ts";
import type { Act, Acts } from "./acts.ts";
import { AUTOMATIC } from "./automatic.ts";
import { CONTRACTS } from "./contracts.ts";
import { count } from "./dealt.ts";
import { STORM } from "./kept.ts";
import { LIFE } from "./life.ts";
import { QUARRELS } from "./quarrels.ts";
import { TRAFFIC } from "./traffic.ts";
import { UPCOMING } from "./upcoming.ts";
import type { Town } from "./town.ts";

/** Every kind by its name. */
export const ACTS: Acts = {
  ...TRAFFIC,
  ...LIFE,
  ...CONTRACTS,
  ...AUTOMATIC,
  ...AGREEMENTS,
  ...UPCOMING,
  ...QUARRELS,
};

/**
 * `times`: how many do it at the same moment. `dies`: at which of its points the first of them
 * dies.
 */
type How = { seed: number; times: number; dies: number | null };
type Model = Record<string, never>;

class Command implements fc.AsyncCommand<Model, Town> {
  readonly name: string;
  readonly act: Act;
  readonly how: How;

  constructor(name: string, act: Act, how: How) {
    this.name = name;
    this.act = act;
    this.how = how;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, town: Town): Promise<void> {
    const { seed, times, dies } = this.how;
    town.provider.luck.weather = STORM;
    const took = await this.act(town, town.deal(seed), {
      times,
      dies: dies === null ? null : { who: 0, at: dies },
    });
    count(this.name, took);
  }

  toString(): string {
    return `${this.name}(${JSON.stringify(this.how)})`;
  }
}

const how = fc.record({
  seed: fc.noShrink(fc.integer({ min: 0, max: 0x7fffffff })),
  times: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) },
  ),
  dies: fc.option(fc.integer({ min: 1, max: 24 }), { nil: null, freq: 5 }),
});

/** Everything that may happen in the town, as often as its weight says. */
export const commands: fc.Arbitrary<fc.AsyncCommand<Model, Town>>[] = Object.entries(ACTS).flatMap(
  ([name, { weight, act }]) =>
    Array.from({ length: weight }, () => how.map((given) => new Command(name, act, given))),
);

const ONCE = Object.entries(ACTS);

/** Every kind once, in any order. */
export const deck: fc.Arbitrary<fc.AsyncCommand<Model, Town>[]> = fc
  .tuple(
    fc.array(how, { minLength: ONCE.length, maxLength: ONCE.length }),
    fc.shuffledSubarray(ONCE, { minLength: ONCE.length }),
  )
  .map(([hows, acts]) =>
    acts.flatMap(([name, { act }], index) =>
      hows[index] ? [new Command(name, act, hows[index])] : [],
    ),
  );
