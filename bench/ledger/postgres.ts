import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { sized } from "#bench/size.ts";
import { inRoot } from "#scripts/paths.ts";
import {
  BENCH_BATCH_SIZE,
  handWrittenSale,
  SMALL_CREATORS,
  SMALL_ENTRIES,
  BENCH_ROUNDS,
  randomSale,
} from "./hand-written.ts";
import type { OtherDatabaseResult } from "./transfers.ts";

const USER = "bench";
/** Repeated statements: PostgreSQL parses and plans each once, and then receives only the values. */
const PREPARED = ["accounts", "transaction", "entries", "posted"];

/**
 * Measures the same statements on a temporary PostgreSQL, over its socket with `psql`. Returns
 * milliseconds a transfer, or null where it is not installed.
 */
export async function benchPostgres(): Promise<OtherDatabaseResult | null> {
  const programs = installed();
  if (!programs) return null;
  const who = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-postgres-"));
  if (who) chownSync(directory, who.uid, who.gid);
  const data = join(directory, "data");
  try {
    const made = spawnSync(
      join(programs, "initdb"),
      ["-D", data, "-U", USER, "-A", "trust", "--no-sync"],
      { ...who, cwd: directory, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    // Matches SQLite with a write-ahead log and `synchronous = NORMAL`: commits are whole, and the
    // last moments may be lost with the power.
    const server = spawn(
      join(programs, "postgres"),
      ["-D", data, "-k", directory, "-c", "listen_addresses=", "-c", "synchronous_commit=off"],
      { ...who, cwd: directory, stdio: ["ignore", "ignore", "pipe"] },
    );
    try {
      await printed(server, "stderr", "ready to accept connections");
      return await measured(programs, directory);
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await ended;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(programs: string, directory: string): Promise<OtherDatabaseResult> {
  const psql = spawn(
    join(programs, "psql"),
    ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", directory, "-U", USER, "-d", "postgres"],
    { cwd: directory, stdio: ["pipe", "pipe", "pipe"] },
  );
  const problems: string[] = [];
  psql.stderr.setEncoding("utf8").on("data", (text: string) => problems.push(text));
  const ended = new Promise<number>((resolve) => psql.once("exit", (code) => resolve(code ?? 1)));
  let asked = 0;
  const run = async (script: string): Promise<void> => {
    asked += 1;
    psql.stdin.write(`${script}\n\\echo done-${asked}-\n`);
    await Promise.race([
      printed(psql, "stdout", `done-${asked}-`),
      ended.then(() => Promise.reject(new Error(`psql ended: ${problems.join("")}`))),
    ]);
  };
  const inBatches = (batches: number, transfers: number): string =>
    Array.from(
      { length: batches },
      () => `BEGIN;\n${Array.from({ length: transfers }, executed).join("\n")}\nCOMMIT;`,
    ).join("\n");
  const timed = async (batches: number, transfers: number): Promise<number> => {
    const script = inBatches(batches, transfers);
    const startedAt = performance.now();
    await run(script);
    return (performance.now() - startedAt) / BENCH_BATCH_SIZE;
  };
  await run(readFileSync(inRoot("bench", "ledger", "postgres.sql"), "utf8"));
  await run(
    handWrittenSale(randomSale(SMALL_CREATORS))
      .map(({ sql }, index) => `PREPARE ${PREPARED[index]} AS ${numbered(sql)};`)
      .join("\n"),
  );
  await run(inBatches(1, sized(SMALL_ENTRIES, 1_000) / 3));
  const found: OtherDatabaseResult = { single: [], batch: [] };
  for (let round = 0; round < sized(BENCH_ROUNDS, 1); round += 1) {
    found.single.push(await timed(BENCH_BATCH_SIZE, 1));
    found.batch.push(await timed(1, BENCH_BATCH_SIZE));
  }
  psql.stdin.end();
  await ended;
  return found;
}

const executed = (): string =>
  handWrittenSale(randomSale(SMALL_CREATORS))
    .map(
      ({ params }, index) =>
        `EXECUTE ${PREPARED[index]}(${params.map((one) => (typeof one === "number" ? one : `'${one}'`)).join(", ")});`,
    )
    .join("\n");

/** Replaces each `?` with PostgreSQL's numbered placeholders. */
function numbered(sql: string): string {
  let number = 0;
  return sql.replaceAll("?", () => `$${(number += 1)}`);
}

/** Returns the directory with `initdb`, `postgres` and `psql`, resolving links to them. */
function installed(): string | null {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "initdb"))
    .find(existsSync);
  const directory = found === undefined ? null : dirname(realpathSync(found));
  return directory !== null &&
    ["postgres", "psql"].every((program) => existsSync(join(directory, program)))
    ? directory
    : null;
}

/** Returns the user of PostgreSQL's package when this process is root, which PostgreSQL refuses. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout.trim() || Number.NaN),
  );
  if (!Number.isInteger(uid) || !Number.isInteger(gid))
    throw new Error("PostgreSQL does not run as root, and there is no user called postgres");
  return { uid: uid as number, gid: gid as number };
}

/** Waits until `child` prints `text`. */
function printed(child: ChildProcess, where: "stdout" | "stderr", text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const hear = (chunk: Buffer | string): void => {
      output += String(chunk);
      if (!output.includes(text)) return;
      child[where]?.off("data", hear);
      child.off("exit", fail);
      resolve();
    };
    const fail = (): void => reject(new Error(`it ended before it said "${text}":\n${output}`));
    child[where]?.on("data", hear);
    child.once("exit", fail);
  });
}
