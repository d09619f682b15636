import { expect, test } from "vitest";
import { z } from "zod";
import { openPayoutBatch } from "#tests/support/chaos/payout-batch.ts";
import { createDice } from "#tests/support/chaos/scheduler.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** The options of `npm run chaos -- payouts` (scripts/chaos.ts). The suite uses a short run. */
const asked = z
  .object({
    isCommand: z.boolean().default(false),
    seed: z.number().int(),
    from: z.number().int().min(1).default(1),
    batch: z.number().int().min(1).default(20),
    twice: z.number().int().min(1).default(40),
  })
  .parse(JSON.parse((testEnv as unknown as { CHAOS?: string }).CHAOS || '{"seed":1}'));

/** A batch of two has every kind of crash point. The command passes each point of its batch. */
const ALL_POINTS_OF = asked.isCommand ? asked.batch : 2;
const POINTS_AT_MOST = 2_000;
/**
 * The number of finished runs in a row after which every crash point has been passed. Randomly lost
 * calls can make one run shorter than the one before.
 */
const FINISHED_IN_A_ROW = asked.isCommand ? Math.min(5, asked.batch) : 1;
const TWICE_OF = asked.batch;
const TWICE_TIMES = asked.isCommand ? asked.twice : 2;
/** More than the calls that two runs make for each creator. */
const CALLS_A_CREATOR = 24;

test(
  `a crash at any point of a batch of ${ALL_POINTS_OF} payouts, by a provider that loses calls and answers: each is paid once, or not at all, and the next run finishes it`,
  { timeout: 1_800_000 },
  async ({ task }) => {
    const batch = await openPayoutBatch({ creators: ALL_POINTS_OF, seed: asked.seed });
    let points = asked.from - 1;
    for (let finished = 0; points < POINTS_AT_MOST && finished < FINISHED_IN_A_ROW;) {
      const end = await batch.monday(points + 1 + finished, { isTwice: false });
      if (end === "finished") {
        finished += 1;
        continue;
      }
      points += 1 + finished;
      finished = 0;
      Object.assign(task.meta, { found: { points, ...batch.calls() } });
      if (asked.isCommand && points % 20 === 0)
        console.log(JSON.stringify({ event: "chaos.survived", points, of: ALL_POINTS_OF }));
    }
    expect(points).toBeGreaterThan(ALL_POINTS_OF * 6);
    expect(points).toBeLessThan(POINTS_AT_MOST);
  },
);

test(
  `two runs of a batch of ${TWICE_OF} payouts at once, each message to two workers, dying at ${TWICE_TIMES} seeded points: each is paid once, or not at all`,
  { timeout: 1_800_000 },
  async ({ task }) => {
    const batch = await openPayoutBatch({
      creators: TWICE_OF,
      seed: asked.seed,
      first: ALL_POINTS_OF,
    });
    const { below } = createDice(asked.seed);
    let crashed = 0;
    for (let time = 0; time < TWICE_TIMES; time += 1)
      crashed +=
        (await batch.monday(1 + below(TWICE_OF * CALLS_A_CREATOR), { isTwice: true })) === "crashed"
          ? 1
          : 0;
    Object.assign(task.meta, { found: { times: TWICE_TIMES, died: crashed, ...batch.calls() } });
    expect(crashed).toBeGreaterThan(0);
    expect(await batch.monday(Number.MAX_SAFE_INTEGER, { isTwice: true })).toBe("finished");
  },
);
