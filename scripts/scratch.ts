import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
const LEAST_BYTES = 4 * 1024 ** 3;
/** Permits a bench that runs as another user to pass through the directory. */
const PASSABLE = 0o711;
const STOPPED = 130;

/**
 * Creates a temporary directory that is deleted with this process. It is in memory if there is
 * enough: test databases wait for the disk at every commit, and a crash needs none of them.
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
