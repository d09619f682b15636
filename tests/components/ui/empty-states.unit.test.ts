import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What leads on beside the text: a link in it, or the button or form of the page. */
const LEADS_ON_ELSEWHERE = [
  "app/components/account/contacts/contacts-page.tsx",
  "app/routes/events/people/people.tsx",
  "app/routes/events/requests/requests.tsx",
  "app/routes/public/help.tsx",
  "app/routes/settings/payouts/money-timeline.tsx",
  "app/routes/settings/payouts/releases.tsx",
];
/** Staff's queues: that they are empty is the good news. */
const STAFF = "app/routes/admin/";

/** The opening tags of `<EmptyState>`; a `>` within braces ends none. */
function tagsOf(source: string): string[] {
  return source
    .split("<EmptyState")
    .slice(1)
    .filter((rest) => /^\s/.test(rest))
    .map((rest) => {
      let depth = 0;
      for (const [at, sign] of [...rest].entries()) {
        if (sign === "{") depth += 1;
        if (sign === "}") depth -= 1;
        if (sign === ">" && depth === 0) return rest.slice(0, at);
      }
      return rest;
    });
}

test("every empty state that a member or visitor sees leads on", () => {
  const silent = globSync("app/**/*.tsx")
    .filter((path) => !path.startsWith(STAFF) && !LEADS_ON_ELSEWHERE.includes(path))
    .flatMap((path) =>
      tagsOf(readFileSync(path, "utf8"))
        .filter((tag) => !tag.includes("action="))
        .map((tag) => `${path}: ${tag.trim()}`),
    );
  expect(silent).toEqual([]);
});
