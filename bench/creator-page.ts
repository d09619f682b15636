import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import { compareServers, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";

const SEEDED_PATH = "/space/ana/public";

/**
 * Measures the time of a creator page in the edge cache, beside a bare handler that answers the
 * same bytes.
 */
export async function benchCreatorPage(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-"));
  const port = await freePortPair();
  const barePort = await freePortPair();
  const coreto = await startServer(
    inRoot("scripts", "serve.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      CORETO_SEED: String(sized(true, false)),
    },
    `http://127.0.0.1:${port + 1}`,
  );
  try {
    const origin = `http://localhost:${port}`;
    const path = sized(SEEDED_PATH, "") || `/space/${(await signUpSeller(origin)).username}/public`;
    const page = await fetch(`${origin}${path}`);
    if (page.status !== 200) throw new Error(`${path} answered ${page.status}`);
    const body = join(directory, "page.html");
    writeFileSync(body, await page.text());
    const bare = await startServer(
      inRoot("bench", "bare-server.ts"),
      { PORT: String(barePort), BENCH_BODY: body },
      "bare server ready",
    );
    try {
      return await compareServers("creator page", {
        subject: `${origin}${path}`,
        baseline: `http://localhost:${barePort}/`,
      });
    } finally {
      await stopServer(bare);
    }
  } finally {
    await stopServer(coreto);
    rmSync(directory, { recursive: true, force: true });
  }
}
