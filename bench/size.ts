/** Tells the processes that a bench starts that it is small. */
export const SMALL = "BENCH_SMALL";

/**
 * `usual`, or `small` in a bench that was asked for with `--small`: so little that one sees that it
 * runs, and that its numbers mean nothing. `env` is that of the process or of the worker.
 */
export const sized = <Value>(
  usual: Value,
  small: Value,
  env: Record<string, unknown> = process.env,
): Value => (env[SMALL] === "true" || process.argv.includes("--small") ? small : usual);
