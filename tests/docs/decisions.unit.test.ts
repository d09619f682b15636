import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const FOLDERS = ["access", "identity", "interface", "money", "platform"];
const LABELS = ["Context", "Decision", "Consequences", "Alternatives"];
const MOST_RECORDS = 60;
const MOST_LINES = 12;

const read = (path: string): string => readFileSync(inRoot(path), "utf8");
const directory = readdirSync(inRoot("docs/decisions"), { withFileTypes: true });
const records = FOLDERS.flatMap((folder) =>
  readdirSync(inRoot("docs/decisions", folder)).map((name) => `${folder}/${name}`),
);
const textOf = (path: string): string => read(`docs/decisions/${path}`);
const titleOf = (path: string): string => /^# (.+)$/m.exec(textOf(path))?.[1] ?? "";

test("records are in the five folders, and only the index is beside them", () => {
  expect(directory.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([
    "README.md",
  ]);
  expect(
    directory
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(FOLDERS);
});

test("at most sixty records are live", () => {
  expect(records.length).toBeGreaterThan(0);
  expect(records.length).toBeLessThanOrEqual(MOST_RECORDS);
});

test("the index names each record once, by its title", () => {
  const listed = read("docs/decisions/README.md").matchAll(/^- \[(.+?)\]\((.+?)\)$/gm);
  const inIndex = [...listed].map(([, title, path]) => `${path}: ${title}`);
  expect(inIndex.toSorted()).toEqual(records.map((path) => `${path}: ${titleOf(path)}`).toSorted());
});

test("the file of a record is named by its title, without a number in front", () => {
  const named = (path: string): string => {
    const words = titleOf(path).toLowerCase().replaceAll("'", "");
    return `${path.split("/")[0]}/${words.replaceAll(/[^a-z0-9]+/g, "-")}.md`;
  };
  expect(records).toEqual(records.map(named));
  expect(records.filter((path) => /\/\d/.test(path))).toEqual([]);
});

test("each record has the four parts in their order", () => {
  const labels = (path: string): (string | undefined)[] =>
    [...textOf(path).matchAll(/^\*\*(\w+):\*\* /gm)].map(([, label]) => label);
  expect(records.map((path) => [path, labels(path)])).toEqual(
    records.map((path) => [path, LABELS]),
  );
});

test("each record has a title and at most twelve lines below it", () => {
  const lines = (path: string): string[] =>
    textOf(path)
      .split("\n")
      .filter((line) => line.trim() !== "");
  expect(records.filter((path) => !lines(path)[0]?.startsWith("# "))).toEqual([]);
  expect(records.filter((path) => lines(path).length > MOST_LINES + 1)).toEqual([]);
});

test("no record refers to another one", () => {
  expect(records.filter((path) => /docs\/decisions|\]\(/.test(textOf(path)))).toEqual([]);
});

describe("references", () => {
  const texts = new Map(
    ["app", "bench", "docs", "drizzle", "scripts", "tests", "workers", "."]
      .flatMap(filesIn)
      .map((path) => [path, read(path)]),
  );
  const foundIn = (pattern: RegExp): string[] =>
    [...texts].flatMap(([path, text]) =>
      [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`),
    );

  test("each record path that a file names exists", () => {
    const live = new Set(["README.md", ...records].map((path) => `docs/decisions/${path}`));
    const named = foundIn(/docs\/decisions\/[\w./-]+\.md/g);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((found) => !live.has(found.split(": ")[1] ?? ""))).toEqual([]);
  });

  test("no file names a record by a number", () => {
    expect(foundIn(/docs\/decisions\/\d+/g)).toEqual([]);
    expect(foundIn(/\bdecisions?(?:\s|\*)+\(?\d{1,4}\b/gi)).toEqual([]);
  });
});

/** Returns the text files of a folder and its subfolders; of the root, its own files only. */
function filesIn(folder: string): string[] {
  return readdirSync(inRoot(folder), { withFileTypes: true, recursive: folder !== "." })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]sx?|md|toml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(inRoot().length + 1))
    .filter((path) => !path.startsWith("drizzle/migrations/"));
}
