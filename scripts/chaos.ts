import { parseArgs } from "node:util";
import { z } from "zod";
import { runVitest } from "./vitest-run.ts";
import type { TestResult } from "./vitest-run.ts";

// npm run chaos -- [--seed N] [--events M] [--survey: run every seed to the end and print each
// failure in full] [--path P --replay R, as a failure prints them]
// npm run chaos -- messages [--seed N] [--events M]: devices of two people write, lose answers, repeat
// and disconnect.
// npm run chaos -- events [--seed N] [--events M]: people buy tickets, pay late, cancel, wait and
// enter while their event changes and processes die.
// npm run chaos -- payouts [--seed N] [--kills K] [--payouts P] [--from C] [--batch B] [--twice T]:
// crashes at every point of a batch of B payouts, from the C-th on. Then T times two concurrent
// runs of it. Then K times kill -9 of the process tree in a batch of P.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    events: { type: "string", default: "10000" },
    survey: { type: "boolean", default: false },
    path: { type: "string" },
    replay: { type: "string" },
    kills: { type: "string", default: "25" },
    payouts: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    batch: { type: "string", default: "20" },
    twice: { type: "string", default: "40" },
  },
});
const whole = z.coerce.number().int();
const asked = z
  .object({
    of: z.tuple([]).or(z.tuple([z.enum(["messages", "events", "payouts"])])),
    seed: whole.min(0).max(0x7fffffff),
    events: whole.min(1),
    kills: whole.min(1),
    payouts: whole.min(1),
    from: whole.min(1),
    batch: whole.min(1),
    twice: whole.min(1),
    path: z.string().optional(),
    replayPath: z.string().optional(),
  })
  .safeParse({
    ...values,
    of: positionals,
    seed: values.seed ?? Math.floor(Math.random() * 1_000_000),
    replayPath: values.replay,
  });
if (!asked.success) {
  console.error(
    "npm run chaos -- [messages | events] [--seed N] [--events M], or npm run chaos -- payouts [--seed N] [--kills K] [--payouts P] [--from C] [--batch B] [--twice T]: N from 0, the others from 1",
  );
  process.exit(1);
}
const { of, seed, events, kills, payouts, from, batch, twice } = asked.data;
const isOfPayouts = of[0] === "payouts";
const command = isOfPayouts
  ? `npm run chaos -- payouts --seed ${seed} --kills ${kills} --payouts ${payouts} --batch ${batch} --twice ${twice}${from > 1 ? ` --from ${from}` : ""}`
  : `npm run chaos --${of.map((name) => ` ${name}`).join("")} --seed ${seed} --events ${events}`;
console.log(command);
const startedAt = Date.now();
process.env.CORETO_CHAOS = JSON.stringify({
  ...asked.data,
  isCommand: true,
  isSurvey: values.survey,
});
const results = isOfPayouts
  ? [
      ...(await runVitest("workers", {
        filters: ["tests/domain/payouts/sending/crash"],
        isTalkative: true,
      })),
      ...(await runVitest("chaos", { filters: ["tests/chaos/payouts"], isTalkative: true })),
    ]
  : await runVitest("workers", {
      filters: [of[0] ? `tests/domain/${of[0]}/model` : "tests/stories/chaos-model"],
      isTalkative: true,
    });
const isPassed = results.length > 0 && results.every(({ passed }) => passed);
if (isOfPayouts)
  console.log(
    `\n${results.map(lineOf).join("\n")}\n\n${isPassed ? "passed" : "FAILED"} in ${minutes(Date.now() - startedAt)}: ${command}`,
  );
process.exitCode = isPassed ? 0 : 1;

function lineOf({ name, passed, tookMs, found = {} }: TestResult): string {
  const counted = Object.entries(found).map(([what, count]) => `${what} ${count}`);
  return [
    `${passed ? "passed" : "FAILED"} in ${minutes(tookMs)}: ${name}`,
    ...(counted.length > 0 ? [`  ${counted.join(", ")}`] : []),
  ].join("\n");
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} min`;
}
