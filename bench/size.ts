/** Environment variable that tells the processes of a bench to run small. */
export const SMALL = "BENCH_SMALL";

/**
 * Returns `usual`, or `small` in a bench started with `--small`, whose numbers mean nothing. `env`
 * is that of the process or of the worker.
 */
export const sized = <Value>(
  usual: Value,
  small: Value,
  env: Record<string, unknown> = process.env,
): Value => (env[SMALL] === "true" || process.argv.includes("--small") ? small : usual);
