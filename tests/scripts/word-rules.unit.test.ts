import { expect, test } from "vitest";
import { bannedTermsIn } from "#scripts/word-rules.ts";

test.each([
  ["tellSetback", ["setback"]],
  ["PayoutDesk", ["desk"]],
  ["POST_KIND_WORDS", ["words"]],
  ["isToldAside", ["told", "aside"]],
  ["chargeFacts", ["facts"]],
])("%s has a word that names do not have", (name, words) => {
  expect(bannedTermsIn(name)).toEqual(words);
});

test.each(["settleCharge", "outsideOf", "townhouse", "ChargeUpdate", "foldersOf"])(
  "%s has none, whatever its letters hold",
  (name) => {
    expect(bannedTermsIn(name)).toEqual([]);
  },
);
