import { content } from "#bench/content.ts";
import { creatorPage } from "#bench/creator-page.ts";
import { table } from "#bench/frame.ts";
import { ledger } from "#bench/ledger.ts";
import { memory } from "#bench/memory.ts";
import { payments } from "#bench/payments.ts";
import { sameAnswer } from "#bench/same-answer.ts";
import { SMALL } from "#bench/size.ts";
import { upload } from "#bench/upload.ts";
import type { Measurement } from "#bench/frame.ts";

const BENCHES: Record<string, () => Promise<Measurement[]>> = {
  content: () => content(numbersAsked("posts")),
  "creator-page": creatorPage,
  ledger: () =>
    ledger({ entries: numbersAsked("entries")?.[0], creators: numbersAsked("creators")?.[0] }),
  memory,
  payments,
  "same-answer": sameAnswer,
  upload: () => upload(numbersAsked("megabytes")?.[0]),
};

// npm run bench -- NAME… [--json] [--posts=1000,5000 for `content`] [--megabytes=200 for `upload`]
// [--entries=100000 --creators=5000 for `ledger`] [--small: as little as shows that it runs]
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
console.log(json ? JSON.stringify(measured) : table(measured));
// A few samples say nothing about a limit.
const isOver = measured.some(({ ratio, limit }) => limit !== undefined && ratio > limit);
if (isOver && !isSmall) process.exitCode = 1;

function numbersAsked(name: string): number[] | undefined {
  const text = process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
  return text?.split(",").map(Number);
}
