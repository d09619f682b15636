import { describe, expect, test } from "vitest";
import { parsedText } from "#scripts/source-files.ts";
import { bannedNamesIn, bannedTermsIn } from "#scripts/word-rules.ts";

test.each([
  ["tellSetback", ["setback"]],
  ["PayoutDesk", ["desk"]],
  ["POST_KIND_WORDS", ["words"]],
  ["isToldAside", ["told", "aside"]],
  ["chargeFacts", ["facts"]],
])("%s has a word that names must not have", (name, words) => {
  expect(bannedTermsIn(name)).toEqual(words);
});

test.each(["settleCharge", "outsideOf", "townhouse", "ChargeUpdate", "foldersOf"])(
  "%s has none, although its letters contain one",
  (name) => {
    expect(bannedTermsIn(name)).toEqual([]);
  },
);

const namesIn = (text: string): string[] =>
  bannedNamesIn(parsedText("app/domain/example.ts", text)).map(({ name }) => name);

describe("every name that a file declares is read", () => {
  test.each([
    ["an export", "export const keptCharge = 1;"],
    ["a local", "function pay() { const keptCharge = 1; return keptCharge; }"],
    ["a parameter", "const pay = (keptCharge: number) => keptCharge;"],
    ["a taken-apart property", "const pay = ({ keptCharge }: Charge) => 1;"],
    ["a taken-apart property that is renamed", "const { id: keptCharge } = charge;"],
    ["a member of a type", "type Charge = { keptCharge: number };"],
    ["a method of an interface", "interface Charge { keptCharge(): void }"],
    ["a type", "type keptCharge = string;"],
    ["a class member", "class Charge { keptCharge = 1; }"],
    ["a local function", "const pay = () => { function keptCharge() {} };"],
    ["an import under another name", 'import { charge as keptCharge } from "./charge.ts";'],
  ])("%s", (_, text) => {
    expect(namesIn(text)).toEqual(["keptCharge"]);
  });

  test.each([
    ["a column", "SELECT id AS kept_charge FROM ${charges}"],
    ["a quoted column", 'SELECT id AS "keptCharge" FROM ${charges}'],
    ["a table", "SELECT 1 FROM charges kept_charge WHERE 1"],
    ["a joined table", "JOIN charges kept_charge ON 1"],
    ["a query", "FROM (${charges}) kept_charge"],
  ])("the alias of %s in an SQL template", (_, sql) => {
    expect(namesIn(`const rows = sql\`${sql}\`;`)).toHaveLength(1);
  });
});

test("a word that says nothing alone may be a part of a name", () => {
  expect(namesIn("const known = 1; const isKnown = 2;")).toEqual(["known"]);
});

test.each([
  ["the key of an object", "const form = { kept: 1 };"],
  ["a use of another's name", "console.log(charge.kept, kept);"],
  ["an import under its own name", 'import { kept } from "./charge.ts";'],
  ["a word of a text or a comment", "/* kept */ const text = 'kept';"],
])("%s is no declaration", (_, text) => {
  expect(namesIn(text)).toEqual([]);
});
