import { parseArgs } from "node:util";
import { z } from "zod";
import { runVitest } from "./vitest-run.ts";

// npm run chaos -- [--seed N] [--events M] [--survey: every seed to the end, and what broke told in whole] [--path P --replay R, as a failure prints them]
const { values } = parseArgs({ options: { seed: { type: "string" }, events: { type: "string", default: "10000" }, survey: { type: "boolean", default: false }, path: { type: "string" }, replay: { type: "string" } } });
const whole = z.coerce.number().int();
const asked = z
  .object({ seed: whole.min(0).max(0x7fffffff), events: whole.min(1), path: z.string().optional(), replayPath: z.string().optional() })
  .safeParse({ seed: values.seed ?? Math.floor(Math.random() * 1_000_000), events: values.events, path: values.path, replayPath: values.replay });
if (!asked.success) {
  console.error("npm run chaos -- [--seed N] [--events M]: N from 0, M from 1");
  process.exit(1);
}
console.log(`npm run chaos -- --seed ${asked.data.seed} --events ${asked.data.events}`);
process.env.CORETO_CHAOS = JSON.stringify({ ...asked.data, isCommand: true, isSurvey: values.survey });
const results = await runVitest("workers", ["tests/workers/chaos-model"]);
process.exitCode = results.length > 0 && results.every(({ passed }) => passed) ? 0 : 1;
