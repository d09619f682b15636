import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { runReconciliation } from "#app/domain/reconciliation/commands/run.server.ts";
import { runItems } from "#app/domain/reconciliation/queries/run-items.server.ts";
import type { RunItem } from "#app/domain/reconciliation/queries/run-items.server.ts";
import { chargeForComparison } from "#app/domain/reconciliation/queries/pairs.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { disputes } from "#drizzle/schema/payments.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { reconciliationRuns, reconciliationSightings } from "#drizzle/schema/reconciliation.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import {
  differencesAbout,
  deleteRuns,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";
import { takenBy } from "#tests/support/takers.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runPayouts } from "#workers/payouts/run.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  await deleteRuns();
  // The provider sends no webhooks: every delivery is lost.
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(async () => {
  await deleteRuns();
  await expectInvariantsToHold(world.ctx);
});

const known = async (chargeId: string) => {
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge) throw new Error("no charge");
  return charge;
};
/** A paid charge that is settled here. */
async function paid(fan = bruno) {
  const waiting = await pixCheckout(world, fan, ana);
  await payAtBank(world, waiting);
  await settleCharge(world.ctx, waiting);
  return await known(waiting.chargeId);
}
async function reconcile(): Promise<void> {
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
}
/** All items that the last run compared, in pages of two. Checks them against `listedCount`. */
async function comparedInLast() {
  const { id: runId, listedCount } = (await lastRun()) ?? { id: "", listedCount: -1 };
  const items: RunItem[] = [];
  for (let cursor: string | null = null, isOver = false; !isOver; isOver = cursor === null) {
    const page: Awaited<ReturnType<typeof runItems>> = await runItems(world.ctx, {
      runId,
      cursor,
      limit: 2,
    });
    items.push(...(page?.items ?? []));
    cursor = page?.next ?? null;
  }
  expect(items).toHaveLength(listedCount);
  expect(
    await world.ctx.db.$count(reconciliationSightings, eq(reconciliationSightings.runId, runId)),
  ).toBe(listedCount);
  return items;
}
const lastRun = async () =>
  (await world.ctx.db.select().from(reconciliationRuns)).toSorted(
    (one, other) => other.startedAt - one.startedAt,
  )[0];

describe("reconciliation of missed webhook events", () => {
  test("one run applies a payment, an external refund, a lost dispute and a payout; the next run finds nothing", async () => {
    const fans = await Promise.all(
      ["Clara", "Davi", "Eva"].map((name) => createPerson(world.ctx, name)),
    );
    const [back, disputed] = [await paid(fans[0]), await paid(fans[1])];
    await world.advance(9 * DAY_MS);
    await runPayouts(world.ctx);
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    const sent = await payoutRow(world.ctx, { payoutId });
    expect(sent?.status).toBe("sent");
    const waiting = await pixCheckout(world, fans[2] ?? bruno, ana);
    await payAtBank(world, waiting);
    await world.ctx.payments.refund({
      refundId: `panel-${world.ctx.newId()}`,
      providerChargeId: back.providerChargeId ?? "",
      amountCents: 500,
    });
    const opened = await world.console(`/sandbox/charges/${disputed.providerChargeId}/dispute`);
    await world.console(`/sandbox/disputes/${opened.body["id"]}/lose`);
    await world.console(`/sandbox/transfers/${sent?.providerTransferId}/settle`);
    await world.drain();

    await reconcile();
    expect(await known(waiting.chargeId)).toMatchObject({ status: "succeeded" });
    expect(await known(back.id)).toMatchObject({
      status: "partially_refunded",
      refundedCents: 500,
    });
    expect(await known(disputed.id)).toMatchObject({ status: "dispute_lost" });
    expect(
      await world.ctx.db
        .select({ status: disputes.status })
        .from(disputes)
        .where(eq(disputes.chargeId, disputed.id)),
    ).toEqual([{ status: "lost" }]);
    expect((await payoutRow(world.ctx, { payoutId }))?.status).toBe("paid");
    const about = [
      waiting.providerChargeId,
      back.providerChargeId,
      String(opened.body["id"]),
      sent?.providerTransferId ?? null,
    ];
    const written = await differencesAbout(world.ctx, about);
    expect(
      written.map(({ object, kind, state }) => `${object} ${kind} ${state}`).toSorted(),
    ).toEqual([
      "charge amount repaired",
      "charge state repaired",
      "dispute ours_missing repaired",
      "transfer state repaired",
    ]);
    expect(await lastRun()).toMatchObject({ step: "done", foundCount: 4, repairedCount: 4 });
    const ours = await comparedInLast();
    // A refund made on the provider's pages is counted in its charge. It has no refund of ours by
    // that id.
    expect(ours.filter(({ isOurs }) => !isOurs)).toEqual([
      expect.objectContaining({ object: "refund", chargeId: null, cents: null }),
    ]);
    expect(ours).toContainEqual(
      expect.objectContaining({
        object: "charge",
        objectId: waiting.providerChargeId,
        chargeId: waiting.chargeId,
        cents: (await known(waiting.chargeId)).amountCents,
      }),
    );
    expect(ours).toContainEqual(
      expect.objectContaining({
        object: "transfer",
        objectId: sent?.providerTransferId,
        payoutId,
        cents: sent?.amountCents,
      }),
    );
    expect(ours).toContainEqual(
      expect.objectContaining({
        object: "dispute",
        objectId: opened.body["id"],
        chargeId: disputed.id,
      }),
    );

    await reconcile();
    expect(await lastRun()).toMatchObject({ step: "done", foundCount: 0, repairedCount: 0 });
    await expectInvariantsToHold(world.ctx);
  });

  test("applies a difference once with concurrent crons and with a crash at any point", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    const back = await paid(await createPerson(world.ctx, "Clara"));
    await payAtBank(world, waiting);
    await world.ctx.payments.refund({
      refundId: `panel-${world.ctx.newId()}`,
      providerChargeId: back.providerChargeId ?? "",
      amountCents: 700,
    });
    await world.advance(msUntilNextRun(world.ctx.now()));
    const points = crashPoints();
    const mortal = await testContext({ webhooks: false, database: points.database });
    const dying = {
      ...mortal.ctx,
      now: world.ctx.now,
      newId: world.ctx.newId,
      payments: points.port(world.ctx.payments),
    };
    let deaths = 0;
    for (let at = 1; at < 300; at += 1) {
      points.arm(at);
      if ((await survives(points, () => runReconciliation(dying))) === "finished") break;
      deaths += 1;
      points.disarm();
    }
    points.disarm();
    expect(deaths).toBeGreaterThan(5);
    await Promise.all([runReconciliation(world.ctx), runReconciliation(world.ctx)]);
    await finishRun(world.ctx);
    expect((await known(waiting.chargeId)).status).toBe("succeeded");
    expect(await known(back.id)).toMatchObject({
      status: "partially_refunded",
      refundedCents: 700,
    });
    expect(await world.ctx.db.$count(reconciliationRuns)).toBe(1);
  });

  test("a provider that does not answer delays its own run, not the run of the other provider", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    await payAtBank(world, waiting);
    let isUnavailable = true;
    const unavailable: PaymentProvider = {
      ...world.ctx.payments,
      name: "silent",
      chargesSince: async () => {
        if (isUnavailable) throw new ProviderUnclear("503");
        return { items: [], next: null };
      },
      refundsSince: async () => ({ items: [], next: null }),
      transfersSince: async () => ({ items: [], next: null }),
      disputesSince: async () => ({ items: [], next: null }),
    };
    const ctx = {
      ...world.ctx,
      payments: createPaymentRouter(
        [unavailable, world.ctx.payments],
        takenBy({ pix: "sandbox", card: "silent" }),
      ),
    };
    await world.advance(msUntilNextRun(world.ctx.now()));
    for (let runs = 0; runs < 8; runs += 1) await runReconciliation(ctx);
    expect((await known(waiting.chargeId)).status).toBe("succeeded");
    const runs = async () =>
      Object.fromEntries(
        (await ctx.db.select().from(reconciliationRuns)).map(({ provider, step }) => [
          provider,
          step,
        ]),
      );
    expect(await runs()).toEqual({ silent: "charges", sandbox: "done" });
    isUnavailable = false;
    await world.advance(HOUR_MS);
    for (let runs_ = 0; runs_ < 4; runs_ += 1) await runReconciliation(ctx);
    expect((await runs())["silent"]).toBe("done");
  });
});

test("a refund of ours that the provider counts before we confirm it is no difference", async () => {
  const charge = await paid();
  const refundId = world.ctx.newId();
  await commit(world.ctx.db, [
    requestRefundStatement(world.ctx, charge, { id: refundId, amountCents: 700, reason: "x" }),
  ]);
  expect(await chargeForComparison(world.ctx, { chargeId: charge.id })).toMatchObject({
    refundedCents: 0,
    waitingCents: 700,
  });
  await world.ctx.payments.refund({
    refundId,
    providerChargeId: charge.providerChargeId ?? "",
    amountCents: 700,
  });
  await reconcile();
  expect(await differencesAbout(world.ctx, [charge.providerChargeId])).toEqual([]);
  expect(await known(charge.id)).toMatchObject({
    status: "partially_refunded",
    refundedCents: 700,
  });
});

test("changes of the last minutes are skipped, and no run starts before three in the morning", async () => {
  await world.advance(msUntilNextRun(world.ctx.now()));
  const waiting = await pixCheckout(world, bruno, ana);
  await payAtBank(world, waiting);
  await finishRun(world.ctx);
  expect((await known(waiting.chargeId)).status).toBe("awaiting_payment");
  await world.advance(21 * HOUR_MS);
  await runReconciliation(world.ctx);
  expect(await world.ctx.db.$count(reconciliationRuns)).toBe(1);
  await world.advance(3 * HOUR_MS);
  await finishRun(world.ctx);
  expect((await known(waiting.chargeId)).status).toBe("succeeded");
});

test("a long list is read in pages over several cron runs, each item once", async () => {
  const charges = [];
  for (const name of ["Bruno", "Clara", "Davi"])
    charges.push(await paid(await createPerson(world.ctx, name)));
  const asked: (string | null)[] = [];
  const payments: PaymentProvider = {
    ...world.ctx.payments,
    async chargesSince(request) {
      asked.push(request.cursor);
      const [index, everything] = [
        Number(request.cursor ?? "0"),
        await all(world.ctx.payments, request.since),
      ];
      return {
        items: everything.slice(index, index + 1),
        next: index + 1 < everything.length ? String(index + 1) : null,
      };
    },
  };
  await world.advance(msUntilNextRun(world.ctx.now()));
  const runs = await finishRun({ ...world.ctx, payments });
  expect(runs).toBeGreaterThan(1);
  expect(new Set(asked).size).toBe(asked.length);
  expect(await lastRun()).toMatchObject({ foundCount: 0 });
  expect((await lastRun())?.listedCount).toBeGreaterThanOrEqual(asked.length);
});

test("the items of a run are retained while the run is listed, and never mix with another run", async () => {
  const charge = await paid();
  const old = Array.from({ length: 7 }, (_, n) => ({
    id: `old-${n}`,
    provider: "other",
    night: `2020-01-0${n + 1}`,
    startedAt: n,
    step: "done",
    finishedAt: n,
  }));
  await world.ctx.db.insert(reconciliationRuns).values(old);
  await world.ctx.db
    .insert(reconciliationSightings)
    .values(old.map(({ id }) => ({ runId: id, object: "charge" as const, objectId: "ch_gone" })));
  await reconcile();
  expect((await comparedInLast()).map(({ objectId }) => objectId)).toContain(
    charge.providerChargeId,
  );
  const saved = await world.ctx.db
    .selectDistinct({ runId: reconciliationSightings.runId })
    .from(reconciliationSightings);
  expect(saved.map(({ runId }) => runId).toSorted()).toEqual(
    [(await lastRun())?.id, "old-2", "old-3", "old-4", "old-5", "old-6"].toSorted(),
  );
  expect(
    (await runItems(world.ctx, { runId: "old-6", cursor: null, limit: 5 }))?.items,
  ).toMatchObject([{ objectId: "ch_gone", isOurs: false, chargeId: null }]);
  expect((await runItems(world.ctx, { runId: "old-0", cursor: null, limit: 5 }))?.items).toEqual(
    [],
  );
  expect(await runItems(world.ctx, { runId: "none", cursor: null, limit: 5 })).toBeNull();
});

test("a run reads only its own rows, never a whole table", async () => {
  await paid();
  const tap = recordDatabase(testEnv.DB);
  await world.advance(msUntilNextRun(world.ctx.now()));
  for (let runs = 0; runs < 4; runs += 1)
    await runReconciliation({ ...world.ctx, db: openDatabase(tap.database) });
  expect(await lastRun()).toMatchObject({ step: "done" });
  const asked = new Map(tap.trips.flat().map((one) => [one.query, one]));
  expect(asked.size).toBeGreaterThan(15);
  for (const one of asked.values())
    expect([one.query, await wholeTableReads(testEnv.DB, one)]).toEqual([one.query, []]);
  const unseen = [...asked.values()].filter(({ query }) =>
    query.includes('NOT EXISTS (SELECT 1 FROM "reconciliation_sightings"'),
  );
  expect(unseen).toHaveLength(5);
  for (const { query, params } of unseen) {
    const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail)[0]).toMatch(
      /^SEARCH \S+ USING (COVERING )?INDEX sqlite_autoindex_\w+_1 \(id>\? AND id<\?\)$/,
    );
  }
});

async function all(provider: PaymentProvider, since: number) {
  const items = [];
  for (let cursor: string | null = null, isOver = false; !isOver;) {
    const page: Awaited<ReturnType<PaymentProvider["chargesSince"]>> = await provider.chargesSince({
      since,
      cursor,
    });
    items.push(...page.items);
    cursor = page.next;
    isOver = cursor === null;
  }
  return items;
}
