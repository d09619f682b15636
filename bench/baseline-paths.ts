/** What the web worker answers beside its pages in `npm run bench -- pages`. */
export type Baseline = "bare" | "cache" | "empty";

/** Header of a request that the edge's cache must not answer. */
export const FRESH_HEADER = "X-Bench-Fresh";

/** The URLs of the baselines, with the name as the group. */
export const BASELINE_PATH = /^[^?]*\/bench\/(bare|cache|empty)(?:\?|$)/;

/**
 * The path of a baseline. The worker is asked at once for some paths (`run_worker_first` in
 * wrangler.toml), and for others after the files of the build: `isWorkerFirst` says which.
 */
export const baselinePath = (name: Baseline, isWorkerFirst: boolean): string =>
  isWorkerFirst ? `/api/bench/${name}` : `/bench/${name}`;
