import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import { DAY_MS } from "#app/domain/time.ts";

const DIRECTORY = inRoot("drizzle", "migrations");
const migrations = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".sql"))
  .toSorted();
const apply = (db: DatabaseSync, files: readonly string[]) => {
  for (const file of files) db.exec(readFileSync(join(DIRECTORY, file), "utf8"));
};
const indexOf = (name: string) => migrations.findIndex((file) => file.endsWith(name));

type Row = Record<string, string | number | null>;
type Column = { name: string; type: string; notnull: number; dflt_value: string | null };

/** Adds a row. A required column that is not given has a value without a meaning. */
function insert(db: DatabaseSync, table: string, given: Row): void {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as unknown as Column[];
  const row: Row = { ...given };
  for (const { name, type, notnull, dflt_value } of columns)
    if (!(name in row) && notnull === 1 && dflt_value === null)
      row[name] = type.toUpperCase() === "INTEGER" ? 1 : "x";
  const names = Object.keys(row);
  db.prepare(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
  ).run(...Object.values(row));
}

/** Rows of before, as their own triggers left them: no trigger checks them again. */
function withoutTriggers(db: DatabaseSync, work: () => void): void {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  work();
  for (const { sql } of triggers) db.exec(String(sql));
}

const paid = (id: string, more: Row): Row => ({
  id,
  creator_id: "ana",
  payer_id: "bia",
  purchase_kind: "subscription",
  purchase_id: "sub",
  amount_cents: 1_000,
  fee_cents: 100,
  net_cents: 900,
  method: "pix",
  status: "succeeded",
  provider_charge_id: id,
  succeeded_at: 10 * DAY_MS,
  ...more,
});

test("what was paid before is money of the plan that it paid, with its refunds, and debts are none", () => {
  const db = new DatabaseSync(":memory:");
  const first = indexOf("_creator_links.sql");
  apply(db, migrations.slice(0, first));
  withoutTriggers(db, () => {
    insert(db, "subscriptions", { id: "sub", creator_id: "ana", fan_id: "bia", plan_id: "new" });
    insert(db, "gifts", { id: "gift", creator_id: "ana", plan_id: "gifted" });
    const change = {
      subscription_id: "sub",
      state: "done",
      from_plan_id: "old",
      to_plan_id: "new",
    };
    insert(db, "plan_changes", { id: "change", ...change, settled_at: 20 * DAY_MS });
    insert(db, "charges", paid("before", {}));
    insert(
      db,
      "charges",
      paid("difference", {
        purchase_kind: "plan_change",
        plan_change_id: "change",
        succeeded_at: 20 * DAY_MS,
      }),
    );
    insert(
      db,
      "charges",
      paid("after", { succeeded_at: 40 * DAY_MS, refunded_cents: 500, refunded_fee_cents: 50 }),
    );
    insert(db, "charges", paid("given", { purchase_kind: "gift", purchase_id: "gift" }));
    insert(db, "charges", paid("tip", { purchase_kind: "tip", purchase_id: "tip" }));
    insert(db, "charges", paid("debt", { purchase_kind: "debt", purchase_id: "debt" }));
    insert(db, "charges", paid("unpaid", { status: "expired", succeeded_at: null }));
  });
  apply(db, migrations.slice(first));
  const rows = db
    .prepare(
      "SELECT plan_id, SUM(count) AS count, SUM(amount_cents) AS amount, SUM(refunded_cents) AS refunded, SUM(net_cents) AS net FROM analytics_money GROUP BY 1 ORDER BY 1",
    )
    .all();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["", 1, 1_000, 0, 900],
    ["gifted", 1, 1_000, 0, 900],
    ["new", 2, 2_000, 500, 1_350],
    ["old", 1, 1_000, 0, 900],
  ]);
});

test("what was sold once before is money of its item, tickets that of their event", () => {
  const db = new DatabaseSync(":memory:");
  const first = indexOf("_sold_items.sql");
  apply(db, migrations.slice(0, first));
  const sale = (id: string, kind: string, more: Row = {}) =>
    insert(db, "charges", paid(id, { purchase_kind: kind, purchase_id: `of-${id}`, ...more }));
  withoutTriggers(db, () => {
    const purchase = { creator_id: "ana", person_id: "bia" };
    insert(db, "event_orders", {
      id: "order",
      event_id: "event",
      person_id: "bia",
      status: "paid",
    });
    for (const [id, kind, target] of [
      ["post", "post", "p1"],
      ["again", "post", "p1"],
      ["tickets", "event", "order"],
      ["whole", "collection", "c1"],
    ] as const) {
      const ended: Row = id === "again" ? { ended_at: 1, ended_reason: "refunded" } : {};
      insert(db, "purchases", {
        ...purchase,
        ...ended,
        id: `of-${id}`,
        kind,
        target_id: target,
        charge_id: id,
        bought_at: 10 * DAY_MS,
      });
    }
    sale("post", "post");
    sale("again", "post", { refunded_cents: 1_000, refunded_fee_cents: 100, status: "refunded" });
    sale("tickets", "event");
    sale("whole", "collection");
    sale("tip", "tip");
  });
  apply(db, migrations.slice(first));
  const rows = db
    .prepare(
      "SELECT kind, item_id, count, amount_cents, refunded_cents, net_cents FROM analytics_items ORDER BY 1, 2",
    )
    .all();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["collection", "c1", 1, 1_000, 0, 900],
    ["event", "event", 1, 1_000, 0, 900],
    ["post", "p1", 2, 2_000, 1_000, 900],
  ]);
});
