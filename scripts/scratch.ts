import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
const LEAST_BYTES = 4 * 1024 ** 3;
/** What a bench runs as another user passes through it. */
const PASSABLE = 0o711;
const STOPPED = 130;

/**
 * A temporary directory that goes away with this process: in memory where there is plenty, since
 * databases of tests wait for the disk at every commit and nobody needs them after a crash.
 */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(hasRoomInMemory() ? SHARED_MEMORY : tmpdir(), "coreto-"));
  chmodSync(directory, PASSABLE);
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => process.exit(STOPPED));
  return directory;
}

function hasRoomInMemory(): boolean {
  if (!existsSync(SHARED_MEMORY) || freemem() < LEAST_BYTES) return false;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= LEAST_BYTES;
}
