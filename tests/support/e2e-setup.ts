import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startCoreto } from "#scripts/coreto.ts";

declare module "vitest" {
  interface ProvidedContext {
    origin: string;
    sandboxOrigin: string;
  }
}

/** One built and seeded product for every e2e file, on free ports, with data of its own that goes away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-e2e-"));
  const coreto = await startCoreto({ dataDirectory, seed: true, env: { MODE: "test" }, report: (line) => console.log(line) });
  project.provide("origin", coreto.origin);
  project.provide("sandboxOrigin", coreto.sandboxOrigin);
  return async () => {
    await coreto.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
}
