import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { RunningProduct, StartOptions } from "#scripts/local-product.ts";

/** Copies the data of an unused product, which is migrated already. */
export function emptyData(name: string): string {
  const dataDirectory = mkdtempSync(join(tmpdir(), `coreto-${name}-`));
  cpSync(inject("emptyData"), dataDirectory, { recursive: true });
  return dataDirectory;
}

/**
 * Starts an empty product for one file. For tests that move the clock, which would affect everybody
 * on a shared product.
 */
export async function ownProduct(
  env: Record<string, string> = {},
  port = 0,
  more: Pick<StartOptions, "inspectorPort" | "tick"> = {},
): Promise<RunningProduct> {
  const dataDirectory = emptyData("own");
  const coreto = await startLocalProduct({
    dataDirectory,
    port,
    seed: false,
    env: { MODE: "test", ...env },
    ...more,
  });
  return {
    ...coreto,
    async stop() {
      await coreto.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Makes a person a moderator in the database, because no form can. */
export async function makeModerator(coreto: RunningProduct, email: string): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  const { meta } = await db
    .prepare("UPDATE people SET is_moderator = 1 WHERE email = ?")
    .bind(email)
    .run();
  if (meta.changes !== 1) throw new Error(`nobody has the e-mail ${email}`);
}
