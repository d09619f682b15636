import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { clerkUsers, LOCAL_PEOPLE } from "./clerk-users.ts";

const USAGE = `Writes the people of the embedded identity as users.json of Clerk's migration tool.

  npm run export-people -- --from <dump.sql or file.sqlite> --to <users.json>

--from  what "wrangler d1 export coreto --remote --output dump.sql" wrote, or an SQLite file of the database
--to    a file that is not there yet; it is made readable by its owner alone, and holds password hashes: delete it after the import
AUTH_SECRET in the environment moves the second factors' secrets too.`;

const { values } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
if (!values.from || !values.to) {
  console.error(USAGE);
  process.exit(1);
}

const OWNER_ALONE = 0o600;
const found = await clerkUsers(opened(values.from).prepare(LOCAL_PEOPLE).all(), {
  authSecret: process.env.AUTH_SECRET ?? null,
});
writeFileSync(values.to, `${JSON.stringify(found.users, null, 2)}\n`, {
  mode: OWNER_ALONE,
  flag: "wx",
});
console.log(
  `${found.users.length} people written to ${values.to}, readable by you alone. Delete it after the import.`,
);
printCount(found.unprovenCount, "have no verified address, which Clerk asks for: left out");
printCount(
  found.withoutPasswordCount,
  "have no password: import them with skip_password_requirement",
);
printCount(
  found.factorsLeftCount,
  "lose their second factor: its secret could not be read with this AUTH_SECRET",
);
printCount(found.passkeysLeftCount, "passkeys stay behind: they are made anew at Clerk");

function printCount(count: number, noun: string): void {
  if (count > 0) console.log(`${count} ${noun}.`);
}

function opened(from: string): DatabaseSync {
  if (!from.endsWith(".sql")) return new DatabaseSync(from, { readOnly: true });
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(from, "utf8"));
  return database;
}
