import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCoreto } from "#scripts/coreto.ts";
import type { RunningCoreto, StartOptions } from "#scripts/coreto.ts";

/** A product of one file's own, empty: for what moves the clock, which all who share a product would feel. */
export async function ownProduct(env: Record<string, string> = {}, port = 0, more: Pick<StartOptions, "inspectorPort"> = {}): Promise<RunningCoreto> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-own-"));
  const coreto = await startCoreto({ dataDirectory, port, seed: false, env: { MODE: "test", ...env }, ...more });
  return {
    ...coreto,
    async stop() {
      await coreto.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** What only the database can do: nobody becomes a moderator by a form. */
export async function makeModerator(coreto: RunningCoreto, email: string): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  const { meta } = await db.prepare("UPDATE people SET is_moderator = 1 WHERE email = ?").bind(email).run();
  if (meta.changes !== 1) throw new Error(`nobody has the e-mail ${email}`);
}
