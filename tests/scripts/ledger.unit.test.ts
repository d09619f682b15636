import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { chargeSucceeded } from "#app/domain/ledger/rules.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { inRoot } from "#scripts/paths.ts";
import { sqliteDatabase } from "#scripts/verify-seals.ts";

const directory = mkdtempSync(join(tmpdir(), "coreto-ledger-"));
const file = join(directory, "product.sqlite");
let ids = 0;

beforeAll(async () => {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  const migrations = inRoot("drizzle", "migrations");
  for (const name of readdirSync(migrations)
    .filter((one) => one.endsWith(".sql"))
    .sort())
    database.exec(readFileSync(join(migrations, name), "utf8"));
  const db = sqliteDatabase(database);
  const on = (day: string) =>
    ({
      db,
      now: () => instantOfIsoDay(day),
      realNow: () => instantOfIsoDay(day),
      newId: () => `id-${(ids += 1)}`,
      log: () => undefined,
    }) as unknown as Context;
  for (const day of ["2026-01-10", "2026-01-20", "2026-02-03"]) {
    const ctx = on(day);
    await commit(db, [
      ...postingStatements(
        ctx,
        chargeSucceeded({
          chargeId: day,
          creatorId: "ana",
          provider: "sandbox",
          grossCents: 1_000,
          feeCents: 50,
        }),
      ),
    ]);
  }
  while ((await sealNextMonth(on("2026-03-02"), { digest: sha256Hex })) !== null);
  database.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function verify(...asked: string[]) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", inRoot("scripts", "ledger.ts"), ...asked],
    { encoding: "utf8" },
  );
  return { status, lines: stdout.trim().split("\n") };
}

test("the command verifies every closed month again, from the first or a given one, and exits with 0 when they match", () => {
  expect(verify("verify", "--database", file)).toEqual({
    status: 0,
    lines: ["2026-01  holds  6 entries", "2026-02  holds  3 entries", "All 2 closed months hold."],
  });
  expect(verify("verify", "--database", file, "--from", "2026-02").lines).toEqual([
    "2026-02  holds  3 entries",
    "All 1 closed months hold.",
  ]);
  expect(verify("verify", "--database", join(directory, "none.sqlite")).status).toBe(1);
  expect(verify("verify", "--database", file, "--from", "ontem").status).toBe(1);
});

test("a changed month is named, and the command exits with 1", () => {
  const database = new DatabaseSync(file);
  database.exec(
    "DROP TRIGGER ledger_entries_no_update; UPDATE ledger_entries SET amount_cents = amount_cents + 1 WHERE posted_at = (SELECT MIN(posted_at) FROM ledger_entries)",
  );
  database.close();
  expect(verify("verify", "--database", file)).toEqual({
    status: 1,
    lines: [
      "2026-01  BROKEN  6 entries",
      "2026-02  holds  3 entries",
      expect.stringContaining("1 of 2 closed months do not hold"),
    ],
  });
});
