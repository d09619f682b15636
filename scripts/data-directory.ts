import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./paths.ts";

export const dataDirectoryOf = (name: string): string => inRoot(".data", name);

/** Two processes on one database would lose each other's writes: the second is refused, and a dead one's mark is taken over. */
export function claimDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const mark = join(directory, "owner.pid");
  const owner = ownerOf(directory);
  if (owner !== null && owner !== process.pid) throw new Error(`${directory} is in use by process ${owner}: stop it first.`);
  writeFileSync(mark, String(process.pid));
  return () => rmSync(mark, { force: true });
}

/** The living process that uses `directory`, if any. */
export function ownerOf(directory: string): number | null {
  const mark = join(directory, "owner.pid");
  if (!existsSync(mark)) return null;
  const pid = Number(readFileSync(mark, "utf8"));
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
