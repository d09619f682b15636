import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { rebuildDays } from "#app/domain/analytics/rollups/commands.server.ts";
import { parseDay } from "#app/domain/time.ts";
import { localDataset } from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import { sqliteDatabase } from "./verify-seals.ts";

const USAGE = `Sums the days of the creators' numbers again, from what is raw.

  npm run analytics -- rebuild --from YYYY-MM-DD --database <file.sqlite>

--from      the first day to sum again; today is the last
--database  an SQLite file of a stopped product's database, which is written.
            A deployed product does the same at /admin/metrics.
A day may be summed as often as you like. Views older than 90 days stay as they were summed.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: "string" }, from: { type: "string" } },
});
const from = parseDay(values.from ?? "");
const isAsked = positionals.length === 1 && positionals[0] === "rebuild";
if (!isAsked || from === null || !values.database || !existsSync(values.database)) {
  console.error(USAGE);
  process.exit(1);
}

const database = new DatabaseSync(values.database);
const db = sqliteDatabase(database);
const ctx = { db, now: () => Date.now(), views: viewStore(localDataset(db)) };
const made = await rebuildDays(ctx, { from });
database.close();
console.log(`${made} days summed again.`);
