import { expect, test } from "vitest";
import { withUniqueNames } from "#app/db/select-names.ts";

test.each([
  ['select "a"."id", "b"."id" from "a"', 'select "a"."id", "b"."id" as "id__1" from "a"'],
  ['select "id", "name" from "a"', 'select "id", "name" from "a"'],
  [
    'select "a"."x", (select "b"."x", 1 from "b"), "b"."x" from "a"',
    'select "a"."x", (select "b"."x", 1 from "b"), "b"."x" as "x__2" from "a"',
  ],
  ['select "a"."x" as "y", "b"."y" from "a"', 'select "a"."x" as "y", "b"."y" as "y__1" from "a"'],
  [
    `select ', from ', "a"."x", "b"."x" from "a"`,
    `select ', from ', "a"."x", "b"."x" as "x__2" from "a"`,
  ],
  ['insert into "a" select "x" from "b"', 'insert into "a" select "x" from "b"'],
  ["SELECT id, id FROM a", "SELECT id, id FROM a"],
])("%s", (sql, expected) => {
  expect(withUniqueNames(sql)).toBe(expected);
});
