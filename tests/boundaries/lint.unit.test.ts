import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { inRoot } from "#scripts/paths.ts";
import { inFixture, run } from "./fixture.ts";

const long = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `  console.log(${line});`).join("\n");

/** The rule, the path of a file that breaks it, and its content. */
const BROKEN: [rule: string, path: string, content: string][] = [
  ["typescript(no-explicit-any)", "app/http/one.ts", "export const one = (value: any) => value;\n"],
  [
    "typescript(no-non-null-assertion)",
    "app/http/one.ts",
    "export const one = (value: string | null) => value!;\n",
  ],
  [
    "typescript(consistent-type-imports)",
    "app/http/one.ts",
    'import { Page } from "./two.ts";\nexport const one = (page: Page) => page;\n',
  ],
  ["import(no-default-export)", "app/domain/money.ts", "export default 1;\n"],
  ["unicorn(filename-case)", "app/http/OneThing.ts", "export const one = 1;\n"],
  ["eslint(max-lines)", "app/http/one.ts", `export function one() {\n${long(60)}\n}\n`.repeat(6)],
  [
    "eslint(max-lines-per-function)",
    "app/http/one.ts",
    `export function one() {\n${long(80)}\n}\n`,
  ],
  [
    "eslint(max-lines)",
    "app/routes/home/feed.tsx",
    `export function one() {\n${long(60)}\n}\n`.repeat(4),
  ],
  [
    "eslint(no-restricted-imports)",
    "app/http/one.ts",
    'import { two } from "../db/two.ts";\nexport const one = two;\n',
  ],
  ["eslint(no-console)", "app/domain/posts/rules.ts", "export const one = () => console.log(1);\n"],
  [
    "eslint(no-restricted-globals)",
    "app/domain/posts/rules.ts",
    'export const one = () => fetch("https://a.test");\n',
  ],
  [
    "eslint(no-restricted-globals)",
    "app/domain/posts/rules.ts",
    "export const one = () => crypto.randomUUID();\n",
  ],
  [
    "eslint(no-restricted-properties)",
    "app/domain/posts/rules.ts",
    "export const one = () => Date.now();\n",
  ],
  [
    "eslint(no-restricted-properties)",
    "app/domain/posts/rules.ts",
    "export const one = () => Math.random();\n",
  ],
  ["coreto(one-clock)", "tests/support/one.ts", "export const one = () => Date.now();\n"],
  ["coreto(one-clock)", "tests/support/two.ts", "export const two = () => new Date();\n"],
  [
    "import(no-cycle)",
    "app/http/one.ts",
    'import { two } from "./two.ts";\nexport const one = () => two;\n',
  ],
];

const lintMessage = z.object({ code: z.string().optional(), filename: z.string() });

let found: { code: string | undefined; filename: string }[] = [];

/** Each file is in a folder of its own, and all are linted in one run. */
const placed = (path: string, index: number): string =>
  path.replace(/^(app\/\w+)\/(?:\w+\/)?([\w.]+)$/, `$1/case-${index}/$2`);

beforeAll(() => {
  const files = Object.fromEntries(
    BROKEN.map(([, path, content], index) => [placed(path, index), content]),
  );
  const other =
    'import { one } from "./one.ts";\nexport type Page = string;\nexport const two = () => one;\n';
  const cycle = placed(
    "app/http/two.ts",
    BROKEN.findIndex(([rule]) => rule === "import(no-cycle)"),
  );
  const report = inFixture({ ...files, [cycle]: other }, (directory) =>
    run(
      directory,
      inRoot("node_modules/oxlint/bin/oxlint"),
      "-c",
      ".oxlintrc.json",
      "--format=json",
      "app",
      "tests",
    ),
  );
  found = z
    .object({ diagnostics: z.array(lintMessage) })
    .parse(JSON.parse(report))
    .diagnostics.map(({ code, filename }) => ({ code, filename }));
}, 60_000);

test.each(BROKEN.map(([rule, path], index) => [rule, placed(path, index)]))(
  "%s is refused in %s",
  (rule, path) => {
    expect(found).toContainEqual({ code: rule, filename: path });
  },
);
