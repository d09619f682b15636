/**
 * The environment variable with the offset of a product's clock from the machine's, in
 * milliseconds. `vitest.config.ts` sets it, and the processes of a test inherit it.
 */
const OFFSET_VARIABLE = "CORETO_CLOCK_OFFSET_MS";

/** The offset from the environment; 0 is the machine's own clock. */
export const clockOffsetMs = (): number => Number(process.env[OFFSET_VARIABLE] ?? 0);

/** Sets the offset for this process and its children, unless one is set already. */
export function setClockOffset(startsAt: string): number {
  const at = Date.parse(startsAt);
  if (Number.isNaN(at)) throw new Error(`TEST_NOW is no instant: ${startsAt}`);
  process.env[OFFSET_VARIABLE] ??= String(at - Date.now());
  return clockOffsetMs();
}

/**
 * Replaces the global `Date` by one that is `offsetMs` ahead of the machine's clock and runs like
 * it. A second call does nothing. It refers to nothing outside itself, because its text also runs
 * in workers (`withShiftedClock`) and in browsers (`shiftClockSource`).
 */
export function shiftClock(offsetMs: number): void {
  const holder = globalThis as unknown as { isClockShifted?: boolean; Date: DateConstructor };
  if (holder.isClockShifted || offsetMs === 0) return;
  const machine = holder.Date;
  const now = () => machine.now() + offsetMs;
  holder.isClockShifted = true;
  holder.Date = new Proxy(machine, {
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
    apply: () => new machine(now()).toString(),
    construct: (target, values, asked) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, asked) as Date,
  });
}

export const isClockShifted = (): boolean =>
  (globalThis as { isClockShifted?: boolean }).isClockShifted ?? false;

/** `shiftClock` as the text of a script. */
export const shiftClockSource = (offsetMs: number): string =>
  `(${shiftClock.toString()})(${offsetMs});`;

/**
 * The modules that precede a worker's own, so that all its code has the shifted clock. The first is
 * the worker's new entry. Empty if the clock is the machine's.
 */
export function withShiftedClock(
  offsetMs: number,
  entry: string,
): { name: string; contents: string }[] {
  if (offsetMs === 0) return [];
  return [
    {
      name: "clock-entry.js",
      contents: `import "./clock-shift.js";\nexport * from "./${entry}";\nexport { default } from "./${entry}";\n`,
    },
    { name: "clock-shift.js", contents: shiftClockSource(offsetMs) },
  ];
}

/** Shifts calls of the database's own clock in SQL too, because triggers read the time from it. */
export function onShiftedClock(sql: string, offsetMs: number): string {
  if (offsetMs === 0) return sql;
  const by = `'${Math.round(offsetMs / 1000)} seconds'`;
  return sql
    .replaceAll("strftime('%s', 'now')", `strftime('%s', 'now', ${by})`)
    .replaceAll("unixepoch()", `unixepoch('now', ${by})`);
}
