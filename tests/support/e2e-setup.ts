import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { prepareLocalProduct, startLocalProduct } from "#scripts/local-product.ts";
import { clockOffsetMs, shiftClock } from "#scripts/shifted-clock.ts";

declare module "vitest" {
  interface ProvidedContext {
    origin: string;
    sandboxOrigin: string;
    /** The data of a product that nobody has used yet. */
    emptyData: string;
    /** The file of what the shared product logs (journey-setup.ts). */
    productLog: string;
  }
}

/**
 * One built and seeded product for every e2e file, on free ports, with data of its own that goes
 * away; and empty data for whoever starts another.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shiftClock(clockOffsetMs());
  const [emptyData, dataDirectory, logs] = [
    mkdtempSync(join(tmpdir(), "coreto-empty-")),
    mkdtempSync(join(tmpdir(), "coreto-e2e-")),
    mkdtempSync(join(tmpdir(), "coreto-logs-")),
  ];
  const report = (line: string) => console.log(line);
  const productLog = join(logs, "product.log");
  await prepareLocalProduct({ dataDirectory: emptyData, seed: false, report });
  cpSync(emptyData, dataDirectory, { recursive: true });
  writeFileSync(productLog, "");
  const coreto = await startLocalProduct({
    dataDirectory,
    seed: true,
    env: { MODE: "test" },
    report,
    log: (line) => appendFileSync(productLog, `${line}\n`),
  });
  project.provide("origin", coreto.origin);
  project.provide("sandboxOrigin", coreto.sandboxOrigin);
  project.provide("emptyData", emptyData);
  project.provide("productLog", productLog);
  return async () => {
    await coreto.stop();
    for (const directory of [emptyData, dataDirectory, logs])
      rmSync(directory, { recursive: true, force: true });
  };
}
