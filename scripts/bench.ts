import { benchAnalytics } from "#bench/analytics.ts";
import { benchContent } from "#bench/content.ts";
import { benchCost } from "#bench/cost.ts";
import { benchEvents } from "#bench/events.ts";
import { formatMeasurements } from "#bench/harness.ts";
import { benchLedger } from "#bench/ledger.ts";
import { benchMemory } from "#bench/memory.ts";
import { benchMessages } from "#bench/messages.ts";
import { benchNotifications } from "#bench/notifications.ts";
import { benchPages } from "#bench/pages.ts";
import { benchPayments } from "#bench/payments.ts";
import { benchTimingLeak } from "#bench/timing-leak.ts";
import { SMALL } from "#bench/size.ts";
import { benchUpload } from "#bench/upload.ts";
import { benchWeb } from "#bench/web.ts";
import type { Measurement } from "#bench/harness.ts";

const BENCHES: Record<string, () => Promise<Measurement[]>> = {
  analytics: benchAnalytics,
  content: () => benchContent(numbersAsked("posts")),
  cost: benchCost,
  events: benchEvents,
  ledger: () =>
    benchLedger({ entries: numbersAsked("entries")?.[0], creators: numbersAsked("creators")?.[0] }),
  memory: benchMemory,
  messages: benchMessages,
  notifications: benchNotifications,
  pages: benchPages,
  payments: benchPayments,
  "same-answer": benchTimingLeak,
  upload: () => benchUpload(numbersAsked("megabytes")?.[0]),
  web: benchWeb,
};

// npm run bench -- NAME… [--json] [--posts=1000,5000 for `benchContent`] [--megabytes=200 for `benchUpload`]
// [--entries=100000 --creators=5000 for `benchLedger`] [--small: as little as shows that it runs]
const json = process.argv.includes("--json");
const isSmall = process.argv.includes("--small");
process.env[SMALL] = String(isSmall);
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = names.filter((name) => !(name in BENCHES));
if (names.length === 0 || unknown.length > 0) {
  console.error(
    `npm run bench -- NAME [--json] [--small], where NAME is one of: ${Object.keys(BENCHES).join(", ")}`,
  );
  process.exit(1);
}
const measured: Measurement[] = [];
for (const name of names) measured.push(...((await BENCHES[name]?.()) ?? []));
console.log(json ? JSON.stringify(measured) : formatMeasurements(measured));
// A few samples are not compared with a limit.
const isOver = measured.some(({ ratio, limit }) => limit !== undefined && ratio > limit);
if (isOver && !isSmall) process.exitCode = 1;

function numbersAsked(name: string): number[] | undefined {
  const text = process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
  return text?.split(",").map(Number);
}
