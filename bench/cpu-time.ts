import { existsSync, readdirSync, readFileSync } from "node:fs";

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

/** The processes called `name` that `ancestor` started, or that one of its processes did. */
export function descendantsOf(ancestor: number, name: string): number[] {
  if (!existsSync("/proc")) return [];
  const processes = readdirSync("/proc").flatMap((entry) => processOf(Number(entry)));
  const isBelow = (pid: number): boolean => {
    const parent = processes.find((one) => one.pid === pid)?.parent;
    return parent !== undefined && (parent === ancestor || isBelow(parent));
  };
  return processes.filter((one) => one.name === name && isBelow(one.pid)).map(({ pid }) => pid);
}

function processOf(pid: number): { pid: number; parent: number; name: string }[] {
  if (!Number.isInteger(pid)) return [];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", parent = "0"] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
    return [{ pid, name, parent: Number(parent) }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}
