import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Components whose `style` is set in the browser only, where the policy allows it: what a chart
 * shows under a pointer, a list at the cursor, a row being dragged, and the toasts.
 */
const SET_IN_THE_BROWSER = [
  "app/components/analytics/chart-pointer.tsx",
  "app/components/collections/order-row.tsx",
  "app/components/mentions/mention-list.tsx",
  "app/components/ui/toasts/toast-area.tsx",
];

test("markup from the server has no style attribute, which the security policy blocks", () => {
  const files = globSync("app/**/*.tsx");
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => /\bstyle=\{/.test(readFileSync(file, "utf8"))).toSorted()).toEqual(
    SET_IN_THE_BROWSER,
  );
});
