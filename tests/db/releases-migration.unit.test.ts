import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const DIRECTORY = inRoot("drizzle", "migrations");
const migrations = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".sql"))
  .toSorted();
const first = migrations.findIndex((file) => file.endsWith("_releases_by_period.sql"));
const apply = (db: DatabaseSync, files: readonly string[]) => {
  for (const file of files) db.exec(readFileSync(join(DIRECTORY, file), "utf8"));
};

test("net of charges paid before releases by period stays pending or available, as it was", () => {
  const db = new DatabaseSync(":memory:");
  apply(db, migrations.slice(0, first));
  const charge = db.prepare(
    "INSERT INTO charges (id, payer_id, creator_id, purchase_kind, purchase_id, description, amount_cents, fee_basis_points, fee_cents, net_cents, method, provider, status, refunded_cents, refunded_fee_cents, disputed_cents, succeeded_at, release_at, released_at, asked_at, created_at) VALUES (?, 'p', 'ana', 'tip', 't', 'd', 1000, 1000, 100, 900, 'pix', 'sandbox', ?, ?, ?, ?, ?, 50, ?, 1, 1)",
  );
  const entry = (chargeId: string, kind: string, cents: number) => {
    const id = `${chargeId}:${kind}`;
    db.prepare(
      "INSERT OR IGNORE INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor, balance_cents) VALUES ('creator_pending:ana', 'creator_pending', 'ana', -1, 0, 0)",
    ).run();
    db.prepare(
      "INSERT INTO ledger_transactions (id, source_key, kind, charge_id, created_at) VALUES (?, ?, ?, ?, 1)",
    ).run(id, id, kind, chargeId);
    db.prepare(
      "INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents) VALUES (?, ?, 'creator_pending:ana', ?)",
    ).run(id, id, cents);
  };
  charge.run("waits", "partially_refunded", 500, 50, 0, 5, null);
  entry("waits", "charge.refunded", 450);
  charge.run("released", "partially_refunded", 500, 50, 0, 5, 51);
  charge.run("fought", "disputed", 0, 0, 1_000, 5, 30);
  entry("fought", "dispute.opened", 900);
  charge.run("lost", "dispute_lost", 0, 0, 1_000, 5, 30);
  entry("lost", "dispute.opened", 900);
  charge.run("fought-late", "disputed", 0, 0, 1_000, 5, 51);
  charge.run("unpaid", "expired", 0, 0, 0, null, null);
  apply(db, migrations.slice(first));
  const rows = db
    .prepare(
      "SELECT charge_id, position, net_cents, taken_cents, release_at, released_at, (SELECT pending_cents FROM charges c WHERE c.id = charge_id) AS pending FROM charge_releases ORDER BY charge_id",
    )
    .all();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["fought", 0, 900, 0, 50, null, 0],
    ["fought-late", 0, 900, 0, 50, 51, 0],
    ["lost", 0, 900, 900, 50, null, 0],
    ["released", 0, 900, 0, 50, 51, 0],
    ["waits", 0, 900, 450, 50, null, 450],
  ]);
});
