import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COOKIE_LIST } from "#app/components/shell/cookie-list.ts";
import { THEME_KEY } from "#app/lib/theme.ts";
import { inRoot } from "#scripts/paths.ts";

/** Better-auth's cookie for "do not remember me", which no form of ours offers. */
const NEVER_SET = new Set(["__Host-coreto-brief"]);

test("the cookie page lists exactly the cookies that the source code names", () => {
  const sources = globSync("app/{http,integrations}/**/*.ts", { cwd: inRoot() }).map((file) =>
    readFileSync(inRoot(file), "utf8"),
  );
  const named = sources.flatMap((text) =>
    [...text.matchAll(/"(__Host-[a-z-]+)"/g)].map(([, name = ""]) => name),
  );
  const expected = new Set([...named.filter((name) => !NEVER_SET.has(name)), THEME_KEY]);
  expect(expected.size).toBeGreaterThan(8);
  expect(COOKIE_LIST.map(({ name }) => name).toSorted()).toEqual([...expected].toSorted());
});
