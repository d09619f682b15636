import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { commands } from "#tests/support/chaos/commands.ts";
import { openTown } from "#tests/support/chaos/town.ts";
import type { Town } from "#tests/support/chaos/town.ts";
import { comeToRest, verdict } from "#tests/support/chaos/verdict.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** What `npm run chaos` asks for (scripts/chaos.ts); the suite runs a short one. */
const asked = z
  .object({ seed: z.number().int(), events: z.number().int().positive(), path: z.string().optional(), replayPath: z.string().optional() })
  .parse(JSON.parse((testEnv as unknown as { CHAOS?: string }).CHAOS || '{"seed":1,"events":60}'));

const COMMANDS_A_RUN = 120;
const SHRINKING_MS = 240_000;
const MS_AN_EVENT_AT_MOST = 600;
const PROBLEMS_SHOWN = 8;

const counted = { runs: 0, events: 0, duplicates: 0, late: 0, dropped: 0 };

/** The storm is over: what is wrong in the town, or else its events are counted. */
async function judged(town: Town): Promise<void> {
  await comeToRest(town);
  const problems = await verdict(town);
  if (problems.length > 0) throw new Error(problems.slice(0, PROBLEMS_SHOWN).join("\n"));
  counted.runs += 1;
  counted.events += town.provider.happenings.length;
  for (const key of ["duplicates", "late", "dropped"] as const) counted[key] += town.provider.told[key];
}

const storm = fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS_A_RUN, size: "max", ...(asked.replayPath ? { replayPath: asked.replayPath } : {}) }), async (given) => {
  const town = await openTown();
  await fc.asyncModelRun(() => ({ model: {}, real: town }), given);
  await judged(town);
});

test(
  `${asked.events} events of a provider that repeats, delays, drops and replays them, over processes that die anywhere, leave every charge as it says and every book right`,
  { timeout: SHRINKING_MS + asked.events * MS_AN_EVENT_AT_MOST },
  async () => {
    for (let seed = asked.seed; counted.events < asked.events; seed += 1) {
      const result = await fc.check(storm, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS, markInterruptAsFailure: true, ...(asked.path ? { path: asked.path, endOnFailure: true } : {}) });
      if (result.failed) throw new Error(story(seed, result));
      if (asked.events > 1_000) console.log(JSON.stringify({ event: "chaos.survived", seed, ...counted }));
    }
    expect(counted.events).toBeGreaterThanOrEqual(asked.events);
  },
);

/** How to see it again, and the shortest way there that was found. */
function story(seed: number, { counterexample, counterexamplePath, errorInstance, numShrinks }: fc.RunDetails<[Iterable<fc.AsyncCommand<Record<string, never>, Town>>]>): string {
  const way = String(counterexample?.[0] ?? "");
  const replayPath = /replayPath="([^"]*)"/.exec(way)?.[1] ?? "";
  return `again: npm run chaos -- --seed ${seed} --events 1 --path "${counterexamplePath}" --replay "${replayPath}"\nthe shortest way, after ${numShrinks} cuts: ${way}\n${String(errorInstance)}`;
}
