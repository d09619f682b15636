import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { balancesBefore } from "#app/domain/ledger/months/queries/journal.server.ts";
import { accountsOfKind } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { ledgerStatement } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** The number of sales of each creator in each month. */
const [FEW, MANY] = [1, 12];

let ctx: Context;
let fanId: string;
let ana: Seller;
let lia: Seller;
const on = (day: string): Context => ({
  ...ctx,
  now: () => instantOfIsoDay(day),
  realNow: () => instantOfIsoDay(day),
});

async function sold(months: readonly string[], each: number): Promise<void> {
  const days = months.flatMap((month) =>
    Array.from({ length: each }, (_, n) =>
      instantOfIsoDay(`${month}-${String(2 + n).padStart(2, "0")}`),
    ),
  );
  await insertSales(
    ctx,
    days.flatMap((at) =>
      [ana, lia].map(({ id }, which) => ({
        payerId: fanId,
        creatorId: id,
        amountCents: 1_000 * (which + 1),
        at,
      })),
    ),
  );
}

async function rowsReadBy(work: (ctx: Context) => Promise<unknown>): Promise<number> {
  const tap = recordDatabase(testEnv.DB);
  await work({ ...ctx, db: openDatabase(tap.database) });
  return tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}

const pending = { kind: "creator_pending", cursor: null, limit: 50 } as const;
const pastDays = [
  "2026-01-01",
  "2026-01-03",
  "2026-02-01",
  "2026-03-15",
  "2026-04-30",
  "2026-05-01",
].map(instantOfIsoDay);

beforeAll(async () => {
  ({ ctx } = await testContext());
  [ana, lia] = [await createSeller(ctx), await createSeller(ctx)];
  fanId = (await createPerson(ctx, "Bruno")).id;
  await sold(["2026-01"], FEW);
  await sealNextMonth(on("2026-02-02"), { digest: sha256Hex });
});

/** Returns what each account of a kind had before `until`, as a sum of all its entries. */
async function addedUp(until: Instant): Promise<Record<string, number>> {
  const { results } = await testEnv.DB.prepare(
    "SELECT account_id AS id, -SUM(amount_cents) AS cents FROM ledger_entries WHERE account_id LIKE 'creator_pending:%' AND posted_at < ? GROUP BY 1 HAVING SUM(amount_cents) <> 0",
  )
    .bind(until)
    .all<{ id: string; cents: number }>();
  return Object.fromEntries(results.map(({ id, cents }) => [id, cents]));
}

test("reading a past balance uses the sums of sealed months, however many sales these have", async () => {
  const until = instantOfIsoDay("2026-01-15");
  const fees = {
    of: { account: { kind: "platform_fees", ownerId: null } },
    from: instantOfIsoDay("2026-01-02"),
    until,
    cursor: null,
    limit: 50,
  } as const;
  const readOfKind = () => rowsReadBy((one) => accountsOfKind(one, { ...pending, until }));
  const readOfAccount = () => rowsReadBy((one) => ledgerStatement(one, fees));
  await sold(["2026-02"], FEW);
  await sealNextMonth(on("2026-03-02"), { digest: sha256Hex });
  const few = [await readOfKind(), await readOfAccount()] as const;
  await sold(["2026-03"], MANY);
  await sealNextMonth(on("2026-04-02"), { digest: sha256Hex, linkEntries: 7 });
  const [ofKind, ofAccount] = [await readOfKind(), await readOfAccount()];
  // One row for each account of the kind for the new month, and one more seal in each query.
  expect(ofKind - few[0]).toBeLessThan(15);
  expect(ofAccount - few[1]).toBeLessThan(20);
});

test("a past balance is the sum of all earlier entries, on any day, in sealed and open months", async () => {
  await sold(["2026-04"], FEW);
  for (const until of pastDays) {
    const { items, totalCents } = await accountsOfKind(ctx, { ...pending, until });
    const byAccount = await addedUp(until);
    expect([until, Object.fromEntries(items.map(({ id, cents }) => [id, cents]))]).toEqual([
      until,
      byAccount,
    ]);
    expect([until, totalCents]).toEqual([
      until,
      0 - ((await balancesBefore(ctx, { until })).creator_pending ?? 0),
    ]);
    const { closingCents } = await ledgerStatement(ctx, {
      of: { account: { kind: "creator_pending", ownerId: ana.id } },
      from: null,
      until,
      cursor: null,
      limit: 5,
    });
    expect([until, closingCents]).toEqual([until, byAccount[`creator_pending:${ana.id}`] ?? 0]);
  }
});

test("lists the largest account first, page by page, each once", async () => {
  const until = instantOfIsoDay("2026-04-01");
  const first = await accountsOfKind(ctx, { ...pending, until, limit: 1 });
  const second = await accountsOfKind(ctx, { ...pending, until, limit: 1, cursor: first.next });
  expect([first.items[0]?.ownerId, second.items[0]?.ownerId, second.next]).toEqual([
    lia.id,
    ana.id,
    null,
  ]);
  expect(await accountsOfKind(ctx, { ...pending, until, limit: 1, cursor: "1_zzz" })).toEqual({
    items: [],
    next: null,
    totalCents: first.totalCents,
  });
});

test("the database refuses to change, delete or add the monthly sum of a sealed month", async () => {
  const run = (query: string) => testEnv.DB.prepare(query).run();
  await expect(run("UPDATE ledger_account_months SET cents = cents + 1")).rejects.toThrow(
    "ledger_append_only",
  );
  await expect(run("DELETE FROM ledger_account_months")).rejects.toThrow("ledger_append_only");
  await expect(
    run(
      "INSERT INTO ledger_account_months (month, account_id, cents) VALUES ('2026-03', 'write_offs', 1)",
    ),
  ).rejects.toThrow("ledger_append_only");
  await expect(
    run(
      "INSERT OR REPLACE INTO ledger_account_months SELECT month, account_id, 1 FROM ledger_account_months",
    ),
  ).rejects.toThrow("ledger_append_only");
});
