import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseMonth } from "#app/domain/ledger/months/rules/months.ts";
import { verifySealsOfFile } from "./verify-seals.ts";

const USAGE = `Reads every closed month of the books again and compares its seal.

  npm run ledger -- verify --database <file.sqlite> [--from YYYY-MM]

--database  an SQLite file of the product's database, which is only read. Of production:
            npx wrangler d1 export coreto --remote --output dump.sql && sqlite3 coreto.sqlite < dump.sql
--from      the first month to read again; all of them without it
It ends with 1 where a month does not hold.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: "string" }, from: { type: "string" } },
});
const isAsked =
  positionals.length === 1 &&
  positionals[0] === "verify" &&
  (values.from === undefined || parseMonth(values.from) !== null);
if (!isAsked || !values.database || !existsSync(values.database)) {
  console.error(USAGE);
  process.exit(1);
}

const count = { months: 0, broken: 0 };
for await (const { month, entriesCount, holds } of verifySealsOfFile(
  values.database,
  values.from,
)) {
  count.months += 1;
  if (!holds) count.broken += 1;
  console.log(`${month}  ${holds ? "holds" : "BROKEN"}  ${entriesCount} entries`);
}
console.log(
  count.broken === 0
    ? `All ${count.months} closed months hold.`
    : `${count.broken} of ${count.months} closed months do not hold: entries of closed months were changed, or a seal was made anew.`,
);
if (count.broken > 0) process.exitCode = 1;
