import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inRoot, ROOT } from "./paths.ts";

/**
 * Lists what a migration does that is not allowed, and why. Pure, so that a test breaks each rule
 * once.
 */
export function migrationProblems(name: string, sql: string): string[] {
  const statements = sql.replaceAll(/--[^\n]*/g, "");
  const problems: string[] = [];
  if (/\bDROP\s+TABLE\b/i.test(statements))
    problems.push(
      `${name}: DROP TABLE loses rows, and a rebuild by DROP empties what cascades from it`,
    );
  if (/\bON\s+(DELETE|UPDATE)\s+CASCADE\b/i.test(statements))
    problems.push(`${name}: no CASCADE, what is deleted is deleted by name`);
  for (const [, table = "", end = ""] of statements.matchAll(
    /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[`"]?(\w+)[`"]?\s*\([\s\S]*?\n\)([^;]*);/gi,
  )) {
    if (!/\bSTRICT\b/i.test(end))
      problems.push(
        `${name}: table ${table} is not STRICT; drizzle-kit does not write it, add it by hand`,
      );
  }
  return problems;
}

/** Checks every migration of `directory` against the rules. */
export function problemsOfMigrations(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .flatMap((file) => migrationProblems(file, readFileSync(join(directory, file), "utf8")));
}

/**
 * Generates migrations into a copy. A new file there means that drizzle/schema changed without a
 * migration.
 */
export function problemsOfSchema(): string[] {
  mkdirSync(inRoot(".tmp"), { recursive: true });
  const copy = mkdtempSync(inRoot(".tmp", "migrations-"));
  try {
    cpSync(inRoot("drizzle", "migrations"), join(copy, "out"), { recursive: true });
    const before = readdirSync(join(copy, "out"));
    const config = join(copy, "drizzle.config.json");
    writeFileSync(
      config,
      JSON.stringify({
        dialect: "sqlite",
        schema: "./drizzle/schema/*.ts",
        out: join(copy, "out").slice(ROOT.length + 1),
      }),
    );
    const done = spawnSync(
      process.execPath,
      [
        inRoot("node_modules", "drizzle-kit", "bin.cjs"),
        "generate",
        "--config",
        config.slice(ROOT.length + 1),
      ],
      {
        cwd: ROOT,
        encoding: "utf8",
      },
    );
    if (done.status !== 0) return [`drizzle-kit generate failed: ${done.stdout}${done.stderr}`];
    const made = readdirSync(join(copy, "out")).filter((file) => !before.includes(file));
    return made.map(
      (file) =>
        `drizzle/schema differs from the migrations (generate would add ${file}): npm run db:generate, add STRICT, commit`,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
