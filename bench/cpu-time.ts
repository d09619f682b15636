import { existsSync, readFileSync } from "node:fs";

/** How Linux counts the processor time of a process (`CLK_TCK`). */
const MS_A_TICK = 10;

/**
 * The processor time that processes have taken so far, in milliseconds. Not a number where there is
 * no /proc to read it from. Source: proc(5), /proc/[pid]/stat, fields 14 and 15.
 */
export function cpuTimeMs(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`;
    if (!existsSync(file)) return Number.NaN;
    const stat = readFileSync(file, "utf8");
    // The second field is the name of the program, which may hold spaces.
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(afterName[11]) + Number(afterName[12]);
  }
  return ticks * MS_A_TICK;
}
