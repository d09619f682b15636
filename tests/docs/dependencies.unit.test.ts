import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const manifest = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const page = readFileSync(inRoot("docs", "architecture.md"), "utf8");
const section = page.split(/^## /m).find((part) => part.startsWith("Dependencies\n")) ?? "";
const rows = [...section.matchAll(/^\| `([^`]+)` *\| (.*?) *\|$/gm)];

test("docs/architecture.md gives a reason for each package of package.json, and for no other", () => {
  expect(rows.map(([, name]) => name).toSorted()).toEqual(
    [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)].toSorted(),
  );
  for (const [, , reason] of rows) expect(reason).not.toBe("");
});
