import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { invoiceBatches } from "#app/domain/fiscal/queries.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { latestChecks } from "#app/domain/audit/queries/checks.server.ts";
import { invariantTitles } from "#app/domain/audit/queries/invariants.server.ts";
import { allSeals } from "#app/domain/ledger/months/queries/journal.server.ts";
import { HOUR_MS, instantOfIsoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import worker from "#workers/payouts/index.ts";
import { runPayoutsCron } from "#workers/payouts/run.ts";

let world: World;
const on = (day: string): Context => ({
  ...world.ctx,
  now: () => instantOfIsoDay(day) + 12 * HOUR_MS,
  realNow: () => instantOfIsoDay(day) + 12 * HOUR_MS,
});
const sealed = async () => (await allSeals(world.ctx)).map(({ month }) => month);

beforeAll(async () => {
  world = await testContext();
  await insertSales(
    world.ctx,
    ["2026-03-10", "2026-04-10"].map((day) => ({
      payerId: "bruno",
      creatorId: "ana",
      amountCents: 1_000,
      at: instantOfIsoDay(day),
    })),
  );
  await sealNextMonth(on("2026-04-15"), { digest: sha256Hex });
});

test("one payouts run checks every invariant, claims payouts, reconciles, invoices the sealed month and seals the next", async () => {
  const ctx = on("2026-05-15");
  await ctx.db.insert(payouts).values({
    id: "asked",
    creatorId: "ana",
    amountCents: 0,
    status: "requested",
    pixKeyKind: "email",
    pixKey: "ana@exemplo.test",
    provider: "sandbox",
    requestedAt: 1,
  });
  await runPayoutsCron(ctx);
  expect([...(await latestChecks(ctx)).keys()].toSorted()).toEqual(
    invariantTitles.map(({ name }) => name).toSorted(),
  );
  expect(world.queued).toContainEqual({ version: 1, type: "payout.claim", id: "asked" });
  expect(
    await ctx.db
      .select({ provider: reconciliationRuns.provider, night: reconciliationRuns.night })
      .from(reconciliationRuns),
  ).toEqual([{ provider: "sandbox", night: "2026-05-15" }]);
  expect((await invoiceBatches(ctx)).map(({ month }) => month)).toEqual(["2026-03"]);
  expect(await sealed()).toEqual(["2026-04", "2026-03"]);
  expect(
    world.logged.filter(({ event }) => event.endsWith("_failed") || event.endsWith(".failed")),
  ).toEqual([]);
});

test("the scheduled handler of the payouts worker does all of that", async () => {
  const before = (await latestChecks(world.ctx)).get("books_balance")?.checkedAt ?? 0;
  await worker.scheduled?.({} as ScheduledController, testEnv, {} as ExecutionContext);
  expect((await latestChecks(world.ctx)).get("books_balance")?.checkedAt).toBeGreaterThan(before);
  expect((await sealed()).length).toBeGreaterThan(2);
  expect((await invoiceBatches(world.ctx)).map(({ month }) => month)).toContain("2026-04");
});
