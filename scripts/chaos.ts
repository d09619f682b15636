import { parseArgs } from "node:util";
import { z } from "zod";
import { runVitest } from "./vitest-run.ts";

// npm run chaos -- [--seed N] [--events M] [--survey: every seed to the end, and what broke told in whole] [--path P --replay R, as a failure prints them]
// npm run chaos -- payouts [--seed N] [--kills K] [--payouts P]: a crash at every point of a batch, then K times kill -9 of the process tree in one of P
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, events: { type: "string", default: "10000" }, survey: { type: "boolean", default: false }, path: { type: "string" }, replay: { type: "string" }, kills: { type: "string", default: "25" }, payouts: { type: "string", default: "1000" } },
});
const whole = z.coerce.number().int();
const asked = z
  .object({ of: z.tuple([]).or(z.tuple([z.literal("payouts")])), seed: whole.min(0).max(0x7fffffff), events: whole.min(1), kills: whole.min(1), payouts: whole.min(1), path: z.string().optional(), replayPath: z.string().optional() })
  .safeParse({ ...values, of: positionals, seed: values.seed ?? Math.floor(Math.random() * 1_000_000), replayPath: values.replay });
if (!asked.success) {
  console.error("npm run chaos -- [--seed N] [--events M], or npm run chaos -- payouts [--seed N] [--kills K] [--payouts P]: N from 0, the others from 1");
  process.exit(1);
}
const { of, seed, events, kills, payouts } = asked.data;
const isOfPayouts = of.length === 1;
console.log(isOfPayouts ? `npm run chaos -- payouts --seed ${seed} --kills ${kills} --payouts ${payouts}` : `npm run chaos -- --seed ${seed} --events ${events}`);
process.env.CORETO_CHAOS = JSON.stringify({ ...asked.data, isCommand: true, isSurvey: values.survey });
const results = isOfPayouts ? [...(await runVitest("workers", ["tests/workers/payout-crash"])), ...(await runVitest("chaos", ["tests/chaos/payouts"]))] : await runVitest("workers", ["tests/workers/chaos-model"]);
process.exitCode = results.length > 0 && results.every(({ passed }) => passed) ? 0 : 1;
