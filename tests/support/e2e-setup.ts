import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { prepareCoreto, startCoreto } from "#scripts/coreto.ts";
import { clockOffsetMs, shiftClock } from "#scripts/shifted-clock.ts";

declare module "vitest" {
  interface ProvidedContext {
    origin: string;
    sandboxOrigin: string;
    /** The data of a product that nobody has used yet. */
    emptyData: string;
  }
}

/**
 * One built and seeded product for every e2e file, on free ports, with data of its own that goes
 * away; and empty data for whoever starts another.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shiftClock(clockOffsetMs());
  const [emptyData, dataDirectory] = [
    mkdtempSync(join(tmpdir(), "coreto-empty-")),
    mkdtempSync(join(tmpdir(), "coreto-e2e-")),
  ];
  const report = (line: string) => console.log(line);
  await prepareCoreto({ dataDirectory: emptyData, seed: false, report });
  cpSync(emptyData, dataDirectory, { recursive: true });
  const coreto = await startCoreto({ dataDirectory, seed: true, env: { MODE: "test" }, report });
  project.provide("origin", coreto.origin);
  project.provide("sandboxOrigin", coreto.sandboxOrigin);
  project.provide("emptyData", emptyData);
  return async () => {
    await coreto.stop();
    for (const directory of [emptyData, dataDirectory])
      rmSync(directory, { recursive: true, force: true });
  };
}
