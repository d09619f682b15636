import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRoot } from "#scripts/paths.ts";

const LINT_RULES = "scripts/lint-rules.ts";

export type Files = Record<string, string>;

/** Runs `check` in a temporary product that holds only `files`, under the real rules. */
export function inFixture<Result>(files: Files, check: (directory: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), "coreto-boundaries-"));
  try {
    for (const [path, content] of Object.entries(files)) write(join(directory, path), content);
    for (const name of ["react", "drizzle-orm"]) {
      write(
        join(directory, "node_modules", name, "package.json"),
        JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
      );
      write(join(directory, "node_modules", name, "index.js"), "export const nothing = 0;");
    }
    for (const file of [
      "tsconfig.json",
      "package.json",
      ".oxlintrc.json",
      ".dependency-cruiser.cjs",
    ])
      copyFileSync(inRoot(file), join(directory, file));
    write(join(directory, LINT_RULES), readFileSync(inRoot(LINT_RULES), "utf8"));
    return check(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function run(directory: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: directory,
    encoding: "utf8",
  });
  return stdout + stderr;
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
