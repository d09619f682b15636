import fc from "fast-check";
import { CONTRACT_CHANGE_ACTIONS } from "./contract-changes.ts";
import type { ChaosAction, ChaosActions } from "./actions.ts";
import { PIX_MANDATE_ACTIONS } from "./pix-mandates.ts";
import { CONTRACT_START_ACTIONS } from "./contracts.ts";
import { countGenerated } from "./generated.ts";
import { CHAOS_FAULT_RATES } from "./provider-state.ts";
import { LIFECYCLE_ACTIONS } from "./lifecycle.ts";
import { REVERSAL_ACTIONS } from "./refunds-and-disputes.ts";
import { TRAFFIC_ACTIONS } from "./traffic.ts";
import { UPCOMING_ACTIONS } from "./upcoming.ts";
import type { SeededWorld } from "./seeded-world.ts";

/** Every action by its name. */
export const CHAOS_ACTIONS: ChaosActions = {
  ...TRAFFIC_ACTIONS,
  ...LIFECYCLE_ACTIONS,
  ...CONTRACT_START_ACTIONS,
  ...PIX_MANDATE_ACTIONS,
  ...CONTRACT_CHANGE_ACTIONS,
  ...UPCOMING_ACTIONS,
  ...REVERSAL_ACTIONS,
};

/** `times`: how many processes run the action at once. `dies`: crash point of the first one. */
type How = { seed: number; times: number; dies: number | null };
type Model = Record<string, never>;

class Command implements fc.AsyncCommand<Model, SeededWorld> {
  readonly name: string;
  readonly act: ChaosAction;
  readonly how: How;

  constructor(name: string, act: ChaosAction, how: How) {
    this.name = name;
    this.act = act;
    this.how = how;
  }

  check(): boolean {
    return true;
  }

  async run(_: Model, seededWorld: SeededWorld): Promise<void> {
    const { seed, times, dies } = this.how;
    seededWorld.provider.luck.weather = CHAOS_FAULT_RATES;
    const took = await this.act(seededWorld, seededWorld.deal(seed), {
      times,
      dies: dies === null ? null : { who: 0, at: dies },
    });
    countGenerated(this.name, took);
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

/** Every action of the chaos run, repeated as often as its weight says. */
export const chaosCommands: fc.Arbitrary<fc.AsyncCommand<Model, SeededWorld>>[] = Object.entries(
  CHAOS_ACTIONS,
).flatMap(([name, { weight, act }]) =>
  Array.from({ length: weight }, () => how.map((given) => new Command(name, act, given))),
);

const ONCE = Object.entries(CHAOS_ACTIONS);

/** Every action once, in a random order. */
export const everyActionOnce: fc.Arbitrary<fc.AsyncCommand<Model, SeededWorld>[]> = fc
  .tuple(
    fc.array(how, { minLength: ONCE.length, maxLength: ONCE.length }),
    fc.shuffledSubarray(ONCE, { minLength: ONCE.length }),
  )
  .map(([hows, acts]) =>
    acts.flatMap(([name, { act }], index) =>
      hows[index] ? [new Command(name, act, hows[index])] : [],
    ),
  );
