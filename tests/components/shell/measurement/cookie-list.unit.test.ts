import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COOKIE_LIST } from "#app/components/shell/measurement/cookie-list.ts";
import { MEASUREMENT_COOKIE } from "#app/lib/measurement.ts";
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
  const own = named.filter((name) => !NEVER_SET.has(name));
  const expected = new Set([...own, THEME_KEY, MEASUREMENT_COOKIE]);
  expect(expected.size).toBeGreaterThan(8);
  expect(COOKIE_LIST.map(({ name }) => name).toSorted()).toEqual([...expected].toSorted());
});
