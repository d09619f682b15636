import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

/** Matches reads of a locator's or page's state at a single moment. */
const READ_ONCE =
  /expect\(await [^\n]*\.(?:count|inputValue|isChecked|isVisible|isDisabled|isEnabled|innerText|textContent|getAttribute|evaluate|evaluateAll)\([^\n]*\)\)\./;

const journeys = readdirSync(inRoot("tests", "e2e")).filter((name) =>
  name.endsWith(".e2e.test.ts"),
);

test.each(journeys)("%s waits for screen states and never reads one only once", (name) => {
  const lines = readFileSync(inRoot("tests", "e2e", name), "utf8").split("\n");
  expect(lines.filter((line) => READ_ONCE.test(line))).toEqual([]);
});
