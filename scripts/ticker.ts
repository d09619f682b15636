import type { Miniflare } from "miniflare";
import { crons } from "./topology.ts";

/** Local crons never fire by themselves, and a real minute is too long to wait. */
const TICK_EVERY_MS = 5_000;

/**
 * Runs each cron of each worker every few seconds, never one twice at a time. Returns a function
 * that stops and waits for running crons.
 */
export function startTicking(
  miniflare: Miniflare,
  report: (line: string) => void,
): () => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const tickAll = (): void => {
    for (const { worker, cron } of crons()) {
      const key = `${worker} ${cron}`;
      if (running.has(key)) continue;
      running.set(
        key,
        tick(miniflare, worker, cron, report).finally(() => running.delete(key)),
      );
    }
  };
  const timer = setInterval(tickAll, TICK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.allSettled(running.values());
  };
}

async function tick(
  miniflare: Miniflare,
  worker: string,
  cron: string,
  report: (line: string) => void,
): Promise<void> {
  try {
    const target = await miniflare.getWorker(worker);
    await target.scheduled({ cron, scheduledTime: new Date() });
  } catch (error) {
    report(
      `The cron ${cron} of ${worker} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
