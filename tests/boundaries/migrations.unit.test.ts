import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import { migrationProblems, problemsOfMigrations } from "#scripts/migration-rules.ts";

const STRICT_TABLE = "CREATE TABLE `people` (\n\t`id` text PRIMARY KEY NOT NULL\n) STRICT;\n";

test.each([
  ["DROP TABLE", "DROP TABLE `people`;", "DROP TABLE"],
  ["drop table in any case, over lines", "drop\n  table people;", "DROP TABLE"],
  [
    "ON DELETE CASCADE",
    "CREATE TABLE `a` (\n\t`b` text REFERENCES people(id) ON DELETE CASCADE\n) STRICT;",
    "CASCADE",
  ],
  [
    "on update cascade",
    "CREATE TABLE `a` (\n\t`b` text REFERENCES people(id) on update cascade\n) STRICT;",
    "CASCADE",
  ],
  ["a table that is not STRICT", "CREATE TABLE `a` (\n\t`id` text\n);", "table a is not STRICT"],
  [
    "a second table that is not STRICT",
    `${STRICT_TABLE}CREATE TABLE a (\n  id text\n) WITHOUT ROWID;`,
    "table a is not STRICT",
  ],
])("%s is refused", (_, sql, problem) => {
  expect(migrationProblems("0009.sql", sql).join()).toContain(problem);
});

test.each([
  ["a STRICT table", STRICT_TABLE],
  ["a column dropped", "ALTER TABLE people DROP COLUMN nickname;"],
  ["a comment that names DROP TABLE", `-- never DROP TABLE here\n${STRICT_TABLE}`],
  [
    "a table STRICT and WITHOUT ROWID",
    "CREATE TABLE a (\n  id text PRIMARY KEY\n) STRICT, WITHOUT ROWID;",
  ],
])("%s is accepted", (_, sql) => {
  expect(migrationProblems("0009.sql", sql)).toEqual([]);
});

test("the product's own migrations follow the rules", () => {
  expect(problemsOfMigrations(inRoot("drizzle", "migrations"))).toEqual([]);
});
