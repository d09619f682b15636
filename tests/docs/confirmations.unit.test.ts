import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What the pages that ask before an act are made of. */
const ASKS = /<(Post)?ConfirmationPage|<ContactConfirmation|<NameConfirmation|variant="danger"/;
const ACTS = /export (const|function|async function) action\b/;
/** Pages that ask with a form of their own. */
const OTHERS = [
  "checkout/abandonment",
  "settings/profile/profile-adult-removal",
  "studio/numbers/link-archive",
];

test("docs/confirmations.md names every page that asks before an act", () => {
  const asking = globSync("app/routes/**/*.tsx")
    .filter((path) => {
      const source = readFileSync(path, "utf8");
      return ASKS.test(source) && ACTS.test(source);
    })
    .map((path) => path.replace(/^app\/routes\//, "").replace(/\.tsx$/, ""));
  const listed = [
    ...readFileSync("docs/confirmations.md", "utf8").matchAll(/`([a-z-]+(?:\/[a-z-]+)+)`/g),
  ].map(([, name]) => name);
  expect(listed.toSorted()).toEqual([...asking, ...OTHERS].toSorted());
});
