import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./paths.ts";

/** The user of a data directory: this process, and the workerd processes that it started. */
type DirectoryOwner = { pid: number; runtimes: number[] };

export type DirectoryClaim = { noteRuntimes(): void; release(): void };

export const dataDirectoryOf = (name: string): string => inRoot(".data", name);

/**
 * Claims a data directory for this process. Two processes on one database would lose each other's
 * writes, so the second is refused. The mark of a dead process is taken over. A workerd that it
 * left running is stopped, because killing a process does not kill its children.
 */
export function claimDataDirectory(directory: string): DirectoryClaim {
  mkdirSync(directory, { recursive: true });
  const owner = readOwner(directory);
  if (owner && owner.pid !== process.pid && isAlive(owner.pid))
    throw new Error(`${directory} is in use by process ${owner.pid}: stop it first.`);
  for (const pid of owner?.runtimes ?? []) endOrphan(pid);
  writeOwner(directory, []);
  return {
    noteRuntimes: () => writeOwner(directory, workerdsOf(process.pid)),
    release: () => rmSync(join(directory, "owner.json"), { force: true }),
  };
}

/** Deletes everything in the directory but the mark of its user. */
export function emptyDataDirectory(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name !== "owner.json") rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** The pid of the living process that uses `directory`; null if none. */
export function ownerOf(directory: string): number | null {
  const owner = readOwner(directory);
  return owner && isAlive(owner.pid) ? owner.pid : null;
}

/** The workerd processes of the product that uses `directory`. */
export const runtimesOf = (directory: string): number[] => readOwner(directory)?.runtimes ?? [];

function readOwner(directory: string): DirectoryOwner | null {
  const mark = join(directory, "owner.json");
  if (!existsSync(mark)) return null;
  try {
    return JSON.parse(readFileSync(mark, "utf8")) as DirectoryOwner;
  } catch {
    // The process was killed while it wrote its mark: the directory is free.
    return null;
  }
}

function writeOwner(directory: string, runtimes: number[]): void {
  writeFileSync(
    join(directory, "owner.json"),
    JSON.stringify({ pid: process.pid, runtimes } satisfies DirectoryOwner),
  );
}

function workerdsOf(parent: number): number[] {
  const listed =
    spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).stdout ?? "";
  return listed.split("\n").flatMap((line) => {
    const [pid, ppid, command] = line.trim().split(/\s+/);
    return Number(ppid) === parent && command?.includes("workerd") ? [Number(pid)] : [];
  });
}

/** Stops `pid` if it is a workerd without a parent: the number may belong to another process by now. */
function endOrphan(pid: number): void {
  const [ppid, command] = (
    spawnSync("ps", ["-p", String(pid), "-o", "ppid=,comm="], { encoding: "utf8" }).stdout ?? ""
  )
    .trim()
    .split(/\s+/);
  if (!command?.includes("workerd") || hasLivingNode(Number(ppid))) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It stopped by itself meanwhile.
    return;
  }
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; attempt < 250 && isAlive(pid); attempt += 1) Atomics.wait(pause, 0, 0, 20);
}

/** Whether the parent is a living Node: then the workerd is in use. */
function hasLivingNode(ppid: number): boolean {
  const command = (
    spawnSync("ps", ["-p", String(ppid), "-o", "comm="], { encoding: "utf8" }).stdout ?? ""
  ).trim();
  return ppid > 1 && command.includes("node");
}

/** A zombie process still has its number, but is dead. */
function isAlive(pid: number): boolean {
  const state = (
    spawnSync("ps", ["-p", String(pid), "-o", "stat="], { encoding: "utf8" }).stdout ?? ""
  ).trim();
  return state !== "" && !state.startsWith("Z");
}
