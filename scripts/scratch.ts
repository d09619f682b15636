import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
const LEAST_BYTES = 4 * 1024 ** 3;

/**
 * A temporary directory that goes away with this process: in memory where there is plenty, since
 * databases of tests wait for the disk at every commit and nobody needs them after a crash.
 */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(hasRoomInMemory() ? SHARED_MEMORY : tmpdir(), "coreto-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function hasRoomInMemory(): boolean {
  if (!existsSync(SHARED_MEMORY) || freemem() < LEAST_BYTES) return false;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= LEAST_BYTES;
}
