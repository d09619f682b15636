import { existsSync, globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

/** The folder of the source that the tests of a folder are about. */
const SOURCE_OF = {
  components: "app/components",
  db: "app/db",
  domain: "app/domain",
  http: "app/http",
  integrations: "app/integrations",
  lib: "app/lib",
  routes: "app/routes",
  scripts: "scripts",
  seed: "drizzle/seed",
  workers: "workers",
} as const;

const isFolder = (folder: string): boolean => existsSync(inRoot(folder));

test("each test is in the folder of its source", () => {
  const files = Object.keys(SOURCE_OF).flatMap((area) => testsIn(`tests/${area}`));
  expect(files.length).toBeGreaterThan(300);
  expect(withoutSource(files, isFolder)).toEqual([]);
});

test("each unit test of a slice is named after a source file of the slice", () => {
  expect(testsIn("tests/domain/*/*").filter((file) => !isNamedAfterSource(file))).toEqual([]);
});

test("a test of a folder without source is found", () => {
  const folders = ["app/domain/plans", "app/domain/plans/coupons"];
  expect(
    withoutSource(
      [
        "tests/domain/plans/rules.unit.test.ts",
        "tests/domain/plans/coupons/rules.unit.test.ts",
        "tests/domain/plans/vouchers/rules.unit.test.ts",
      ],
      (folder) => folders.includes(folder),
    ),
  ).toEqual(["tests/domain/plans/vouchers/rules.unit.test.ts"]);
});

function testsIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: inRoot(".") });
}

/** Keeps the tests whose folder does not exist on the side of the source. */
function withoutSource(files: string[], exists: (folder: string) => boolean): string[] {
  return files.filter((file) => !exists(sourceFolder(file)));
}

function sourceFolder(file: string): string {
  const [area = ""] = file.replace("tests/", "").split("/");
  return dirname(file).replace(`tests/${area}`, SOURCE_OF[area as keyof typeof SOURCE_OF]);
}

/**
 * The kinds of file (`rules`, `schema`) are folders of the source only. A second test of one source
 * adds its subject to the name, such as `rules-offers`.
 */
function isNamedAfterSource(file: string): boolean {
  const name = /([^/]+)\.unit\.test\.tsx?$/.exec(file)?.[1];
  if (name === undefined) return true;
  return globSync(`${sourceFolder(file)}/{,{rules,schema}/**/}*.ts`, { cwd: inRoot(".") })
    .map((source) => basename(source).replace(/(\.server)?\.ts$/, ""))
    .some((source) => name === source || name.startsWith(`${source}-`));
}
