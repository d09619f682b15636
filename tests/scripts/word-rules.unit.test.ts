import { expect, test } from "vitest";
import { bannedTermsIn } from "#scripts/word-rules.ts";

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
