import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { RunningProduct, StartOptions } from "#scripts/local-product.ts";

/** A copy of the data of a product that nobody has used: its start has nothing to migrate. */
export function emptyData(name: string): string {
  const dataDirectory = mkdtempSync(join(tmpdir(), `coreto-${name}-`));
  cpSync(inject("emptyData"), dataDirectory, { recursive: true });
  return dataDirectory;
}

/**
 * A product of one file's own, empty: for what moves the clock, which all who share a product would
 * feel.
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

/** What only the database can do: nobody becomes a moderator by a form. */
export async function makeModerator(coreto: RunningProduct, email: string): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  const { meta } = await db
    .prepare("UPDATE people SET is_moderator = 1 WHERE email = ?")
    .bind(email)
    .run();
  if (meta.changes !== 1) throw new Error(`nobody has the e-mail ${email}`);
}
