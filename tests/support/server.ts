import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { inject } from "vitest";
import { inRoot } from "#scripts/paths.ts";

/** Origins of the product that all e2e files share. */
export const sharedServer = (): { origin: string; sandboxOrigin: string } => ({
  origin: inject("origin"),
  sandboxOrigin: inject("sandboxOrigin"),
});

export type ServedCoreto = {
  origin: string;
  sandboxOrigin: string;
  /** Sends SIGKILL to the whole process tree. */
  kill(): Promise<void>;
  /** Sends SIGTERM, as a supervisor does. */
  stop(): Promise<void>;
};

const STARTS_WITHIN_MS = 120_000;

/** Runs `npm run serve` as its own process, for tests that kill and restart it on the same data. */
export async function serveCoreto(options: {
  port: number;
  dataDirectory: string;
  seed: boolean;
  env?: Record<string, string>;
}): Promise<ServedCoreto> {
  const child = spawn(process.execPath, [inRoot("scripts", "serve.ts")], {
    cwd: inRoot(),
    // Its own process group, so that one signal reaches workerd too.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...options.env,
      PORT: String(options.port),
      CORETO_DATA_DIRECTORY: options.dataDirectory,
      CORETO_SEED: String(options.seed),
    },
  });
  await untilAnnounced(child, `http://127.0.0.1:${options.port + 1}`);
  return {
    origin: `http://localhost:${options.port}`,
    sandboxOrigin: `http://127.0.0.1:${options.port + 1}`,
    kill: () => end(child, "SIGKILL"),
    stop: () => end(child, "SIGTERM"),
  };
}

function untilAnnounced(child: ChildProcess, lastLine: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => fail(`did not start within ${STARTS_WITHIN_MS / 1000} s`),
      STARTS_WITHIN_MS,
    );
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`serve ${why}:\n${output}`));
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (!output.includes(lastLine)) return;
        clearTimeout(timer);
        resolve();
      });
    }
    child.once("exit", (code) => fail(`ended with ${code}`));
  });
}

function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      return resolve();
    child.once("exit", () => resolve());
    // SIGKILL goes to the group. SIGTERM goes to the process, which knows what to finish.
    process.kill(signal === "SIGKILL" ? -child.pid : child.pid, signal);
  });
}
