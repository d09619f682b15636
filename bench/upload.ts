import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import { watchedIsolate } from "#tests/support/isolate-memory.ts";
import { LOCATED, receivedBytes, sentVideo } from "#tests/support/large-video.ts";
import { startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";

const MIB = 1024 * 1024;
/** The largest allowed video. Source: issue 4, "Media". */
const LARGEST_BYTES = sized(2048, 1) * MIB;
const WARM_UP_BYTES = sized(40, 1) * MIB;
const MAY_HOLD_BYTES = 64 * MIB;
const SAMPLE_EVERY_MS = 50;

/**
 * Measures the web worker's peak memory, against its 64 MB, while a video of 2 GB is uploaded,
 * completed and downloaded. Measures it once unchanged, and once with a location to blank, for
 * which the file is rewritten. Also reports the growth of the whole local runtime: one process with
 * every worker, bucket and database.
 */
export async function benchUpload(megabytes = LARGEST_BYTES / MIB): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-upload-"));
  const port = await freePortPair();
  const inspectorPort = await freePortPair();
  const server = await startServer(
    inRoot("bench", "server.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      BENCH_INSPECTOR_PORT: String(inspectorPort),
    },
    "bench server ready",
  );
  try {
    const seller = await signUpSeller(`http://localhost:${port}`);
    const sizeBytes = megabytes * MIB;
    for (const userData of [[], [LOCATED]]) await sentVideo(seller, WARM_UP_BYTES, { userData });
    const watch = <Result>(act: () => Promise<Result>) =>
      watchedIsolate(inspectorPort, "app", () => watchedProcess(server, act));
    const plain = await watch(() => sentVideo(seller, sizeBytes));
    const located = await watch(() => sentVideo(seller, sizeBytes, { userData: [LOCATED] }));
    const download = await watch(() => receivedBytes(seller, plain.result.result));
    if (download.result.result !== sizeBytes)
      throw new Error(`${download.result.result} bytes came of ${sizeBytes}`);
    return Object.entries({
      [`${megabytes} MB uploaded`]: plain,
      "the same and its place blanked": located,
      "the same downloaded": download,
    }).flatMap(([name, { beforeBytes, highestBytes, result }]) => [
      measurement(`${name}: the web worker's isolate held before`, beforeBytes),
      measurement(`${name}: the web worker's isolate held at most`, highestBytes, 1),
      measurement(`${name}: the whole runtime grew by`, result.grownBytes),
    ]);
  } finally {
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

function measurement(name: string, bytes: number, limit?: number): Measurement {
  return {
    name,
    value: Math.round(bytes / MIB),
    unit: "MB",
    baseline: MAY_HOLD_BYTES / MIB,
    ratio: Math.round((bytes / MAY_HOLD_BYTES) * 100) / 100,
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Runs `act` and returns the peak growth of the runtime's resident memory. */
async function watchedProcess<Result>(
  server: ChildProcess,
  act: () => Promise<Result>,
): Promise<{ result: Result; grownBytes: number }> {
  const before = residentBytes(server);
  let highest = before;
  const timer = setInterval(
    () => (highest = Math.max(highest, residentBytes(server))),
    SAMPLE_EVERY_MS,
  );
  try {
    const result = await act();
    return { result, grownBytes: Math.max(highest, residentBytes(server)) - before };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Sums every workerd under the server: the product's workers, and the stand-ins of the platform's
 * bucket and database.
 */
function residentBytes(server: ChildProcess): number {
  let sum = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = read(`/proc/${id}/status`);
    if (
      !/^Name:\tworkerd$/m.test(status) ||
      !new RegExp(`^PPid:\t${server.pid}$`, "m").test(status)
    )
      continue;
    sum += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }
  if (sum === 0) throw new Error("no workerd is running under the server");
  return sum;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended between the two samples.
    return "";
  }
}
