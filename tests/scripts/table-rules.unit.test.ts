import { describe, expect, test } from "vitest";
import { parsedText } from "#scripts/source-files.ts";
import { problemsOfTables, tableOwners, tableUsesIn } from "#scripts/table-rules.ts";

const owners = tableOwners();
const usesIn = (text: string) =>
  tableUsesIn(parsedText("app/domain/plans/queries.server.ts", text), owners).map(
    ({ table, owner, isWrite }) => `${isWrite ? "writes" : "reads"} ${owner}.${table}`,
  );

describe("uses of another module's tables", () => {
  test.each([
    ["a name in SQL", "sql`SELECT 1 FROM charges c`", ["reads payments.charges"]],
    ["a join", "sql`SELECT 1 FROM plans JOIN people owner`", ["reads identity.people"]],
    ["a name after an interpolation", "sql`SELECT ${id} FROM charges`", ["reads payments.charges"]],
    ["raw SQL", 'sql.raw("SELECT 1 FROM charges")', ["reads payments.charges"]],
    ["an inserted row", "sql`INSERT OR IGNORE INTO charges`", ["writes payments.charges"]],
    ["a changed row", "sql`UPDATE charges SET id = 1`", ["writes payments.charges"]],
    ["a deleted row", "sql`DELETE FROM charges`", ["writes payments.charges"]],
  ])("%s is found", (_, text, found) => {
    expect(usesIn(text)).toEqual(found);
  });

  test.each([
    ["read", "sql`${charges.id}`", ["reads payments.charges"]],
    ["read by another local name", "db.select().from(charges)", ["reads payments.charges"]],
    ["written", "db.update(charges)", ["writes payments.charges"]],
  ])("an imported table is %s", (_, text, found) => {
    expect(usesIn(`import { charges } from "#drizzle/schema/payments.ts"; ${text}`)).toEqual(found);
  });

  test.each([
    ["its own table", "sql`SELECT 1 FROM plans`"],
    ["a word of a sentence", '"Update charges from people"'],
    ["a member of another object", "row.charges"],
  ])("%s is none", (_, text) => {
    expect(usesIn(text)).toEqual([]);
  });
});

test("a read that nothing allows is reported with its place, and so is any write", () => {
  const file = "app/domain/profiles/queries.server.ts";
  const invented = parsedText(file, "sql`SELECT 1 FROM payouts`;\nsql`UPDATE people SET id = 1`;");
  expect(problemsOfTables([invented], {})).toEqual([
    `${file}:1: profiles reads payouts, a table of payouts`,
    `${file}:2: profiles writes people, a table of identity`,
  ]);
});

test("an entry of the open list that nothing needs is reported", () => {
  expect(problemsOfTables([], { "an example": ["age, posts read payouts"] })).toEqual([
    "OPEN_READS: nothing needs “age reads payouts” any more",
    "OPEN_READS: nothing needs “posts reads payouts” any more",
  ]);
});
