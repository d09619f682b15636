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
    /** Data directory of an unused product. */
    emptyData: string;
    /** Log file of the shared product (journey-setup.ts). */
    productLog: string;
  }
}

/**
 * Starts one built and seeded product for every e2e file, on free ports and with temporary data.
 * Provides empty data for files that start another product.
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
