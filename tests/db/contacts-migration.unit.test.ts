import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const DIRECTORY = inRoot("drizzle", "migrations");
const migrations = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".sql"))
  .toSorted();
const first = migrations.findIndex((file) => file.endsWith("_contacts.sql"));
const apply = (db: DatabaseSync, files: readonly string[]) => {
  for (const file of files) db.exec(readFileSync(join(DIRECTORY, file), "utf8"));
};

test("an account from before several e-mail addresses keeps its address as the primary one", () => {
  const db = new DatabaseSync(":memory:");
  apply(db, migrations.slice(0, first));
  const user = db.prepare(
    "INSERT INTO auth_users (id, name, email, email_verified, username, created_at, updated_at) VALUES (?, 'Lia', ?, ?, ?, 1000, 2000)",
  );
  user.run("lia", "lia@exemplo.test", 1, "lia");
  user.run("rui", "rui@exemplo.test", 0, "rui");
  apply(db, migrations.slice(first));
  expect(
    db
      .prepare(
        "SELECT user_id, email, is_primary, verified_at, created_at FROM auth_emails ORDER BY email",
      )
      .all()
      .map((row) => Object.values(row)),
  ).toEqual([
    ["lia", "lia@exemplo.test", 1, 2000, 1000],
    ["rui", "rui@exemplo.test", 1, null, 1000],
  ]);
});
