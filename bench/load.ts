import { Agent, request } from "node:http";
import type { LoadResult } from "./harness.ts";

// Runs as a separate process, so that the cost of the requests does not slow the server.
const [address = "", secondsText = "1", connectionsText = "1", headersText = "{}"] =
  process.argv.slice(2);
const url = new URL(address);
const connections = Number(connectionsText);
const headers = JSON.parse(headersText) as Record<string, string>;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const latenciesMs: number[] = [];
let bytes = 0;

const startedAt = performance.now();
const endsAt = startedAt + Number(secondsText) * 1000;
await Promise.all(Array.from({ length: connections }, askUntilTheEnd));
const tookSeconds = (performance.now() - startedAt) / 1000;
latenciesMs.sort((one, other) => one - other);
const result: LoadResult = {
  requests: latenciesMs.length,
  requestsPerSecond: latenciesMs.length / tookSeconds,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  bytes,
};
console.log(JSON.stringify(result));
agent.destroy();

async function askUntilTheEnd(): Promise<void> {
  while (performance.now() < endsAt) {
    const askedAt = performance.now();
    await ask();
    latenciesMs.push(performance.now() - askedAt);
  }
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${address} answered ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", resolve);
    });
    asked.on("error", reject);
    asked.end();
  });
}

function percentile(share: number): number {
  return (
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ??
    Number.NaN
  );
}
