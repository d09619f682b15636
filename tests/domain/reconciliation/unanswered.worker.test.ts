import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { runReconciliation } from "#app/domain/reconciliation/commands/run.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { disputes } from "#drizzle/schema/payments.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { retryBackoffs } from "#drizzle/schema/retry-backoff.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import {
  differencesAbout,
  deleteRuns,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";
import { takenBy } from "#tests/support/takers.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await deleteRuns();
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
});
afterEach(async () => {
  await deleteRuns();
  await expectInvariantsToHold(world.ctx);
});

/** A paid charge without a webhook event. */
async function untold(name: string) {
  const waiting = await pixCheckout(world, await createPerson(world.ctx, name), ana);
  await payAtBank(world, waiting);
  return waiting;
}
async function reconcile(changed: Partial<PaymentProvider> = {}): Promise<void> {
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(asking(changed));
}
const asking = (changed: Partial<PaymentProvider>) => ({
  ...world.ctx,
  payments: { ...world.ctx.payments, ...changed },
});
const statusOf = async ({ chargeId }: { chargeId: string }) =>
  (await chargeRow(world.ctx, { chargeId }))?.status;
const lastRun = async () =>
  (await world.ctx.db.select().from(reconciliationRuns)).toSorted(
    (one, other) => other.startedAt - one.startedAt,
  )[0];
const brokenNames = async () =>
  (await invariantFindings(world.ctx))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name }) => name);
const unclear = async (): Promise<never> =>
  await Promise.reject(new ProviderUnclear("an answer of another shape"));

test("a charge that the provider does not answer about is counted, and compared again in later runs until it is", async () => {
  await reconcile();
  const [sick, well] = [await untold("Bruno"), await untold("Clara")];
  let asked = 0;
  const chargeById = async (id: string) => {
    if (id !== sick.providerChargeId) return await world.ctx.payments.chargeById(id);
    asked += 1;
    return await unclear();
  };
  await reconcile({ chargeById });
  expect([await statusOf(sick), await statusOf(well)]).toEqual(["awaiting_payment", "succeeded"]);
  expect(await lastRun()).toMatchObject({
    step: "done",
    unclearCount: 1,
    foundCount: 1,
    repairedCount: 1,
  });
  expect(asked).toBe(1);
  // By now the charge is older than the overlap of a run.
  for (let count = 0; count < 2; count += 1) {
    await world.advance(3 * DAY_MS);
    await reconcile({ chargeById });
    expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 1 });
  }
  await reconcile();
  expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 0 });
  expect(
    (await differencesAbout(world.ctx, [sick.providerChargeId])).map(({ state }) => state),
  ).toEqual(["repaired"]);
});

test("three unanswered lookups in a row pause the run, which later continues after the items that it skipped", async () => {
  for (const name of ["Bruno", "Clara", "Davi", "Eva"]) await untold(name);
  let asked = 0;
  const ctx = asking({
    async chargeById() {
      asked += 1;
      return await unclear();
    },
  });
  await world.advance(msUntilNextRun(world.ctx.now()));
  await runReconciliation(ctx);
  expect(asked).toBe(3);
  expect(await lastRun()).toMatchObject({ step: "charges", unclearCount: 3 });
  const run = await lastRun();
  expect(await ctx.db.$count(retryBackoffs, eq(retryBackoffs.subjectId, run?.id ?? ""))).toBe(1);
  await world.advance(HOUR_MS);
  await finishRun(ctx);
  expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 4 });
  expect(asked).toBe(4);
});

test("a dispute that the provider does not know closes its difference, and the run ends", async () => {
  const at = world.ctx.now();
  const id = world.ctx.newId();
  await world.ctx.db.insert(reconciliationDifferences).values({
    id,
    provider: world.ctx.payments.name,
    object: "dispute",
    objectId: `gone-${id}`,
    kind: "ours_missing",
    isMoney: true,
    gapCents: 0,
    state: "open",
    firstSeenAt: at,
    lastSeenAt: at,
  });
  await reconcile({
    disputeById: async () => await Promise.reject(new ProviderRefused("dispute_not_found")),
  });
  expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 0 });
  expect((await differencesAbout(world.ctx, [`gone-${id}`]))[0]).toMatchObject({
    state: "repaired",
    resolvedBy: null,
  });
});

test("a lost dispute that the provider no longer knows is an open difference of its amount", async () => {
  const waiting = await untold("Bruno");
  await settleCharge(world.ctx, waiting);
  const opened = await world.console(`/sandbox/charges/${waiting.providerChargeId}/dispute`);
  const objectId = String(opened.body["id"]);
  await world.console(`/sandbox/disputes/${objectId}/lose`);
  await reconcile();
  const [row] = await world.ctx.db
    .select({ id: disputes.id, amountCents: disputes.amountCents, status: disputes.status })
    .from(disputes)
    .where(eq(disputes.providerDisputeId, objectId));
  expect(row?.status).toBe("lost");
  const gone = {
    disputesSince: async () => await Promise.resolve({ items: [], next: null }),
    disputeById: async () => await Promise.reject(new ProviderRefused("dispute_not_found")),
  };
  await world.ctx.db
    .update(reconciliationDifferences)
    .set({ state: "open", resolvedAt: null })
    .where(eq(reconciliationDifferences.objectId, objectId));
  await reconcile(gone);
  const written = await differencesAbout(world.ctx, [objectId]);
  expect(written.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
    "ours_missing repaired",
    "theirs_missing open",
  ]);
  expect(written.find(({ state }) => state === "open")).toMatchObject({
    ourId: row?.id,
    gapCents: -(row?.amountCents ?? 0),
    theirs: null,
  });
  await reconcile();
  expect((await differencesAbout(world.ctx, [objectId])).map(({ state }) => state)).toEqual([
    "repaired",
    "repaired",
  ]);
});

test("a list that is unreadable for hours is left for the next run; moderators are alerted after a day, payouts go on", async () => {
  const waiting = await untold("Bruno");
  const ctx = asking({ disputesSince: unclear });
  await world.advance(msUntilNextRun(world.ctx.now()));
  for (let runs = 0; runs < 4; runs += 1) await runReconciliation(ctx);
  expect(await lastRun()).toMatchObject({ step: "disputes", unclearCount: 0 });
  expect(await statusOf(waiting)).toBe("succeeded");
  await world.advance(6 * HOUR_MS + MINUTE_MS);
  await finishRun(ctx);
  expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 1 });
  expect(await brokenNames()).toEqual([]);
  await world.advance(DAY_MS);
  expect(await brokenNames()).toEqual(["nights_whole"]);
  expect(isPayoutBlocking("nights_whole")).toBe(false);
  await reconcile();
  expect(await brokenNames()).toEqual([]);
});

test("a run that does not end alerts moderators after 26 hours", async () => {
  await world.advance(msUntilNextRun(world.ctx.now()));
  await runReconciliation(asking({ chargesSince: unclear }));
  await world.advance(DAY_MS + HOUR_MS);
  expect(await brokenNames()).toEqual([]);
  await world.advance(HOUR_MS + MINUTE_MS);
  expect(await brokenNames()).toEqual(["nights_whole"]);
  await finishRun(world.ctx);
  expect(await brokenNames()).toEqual([]);
});

test("a failure at one provider backs off its own run, and not the run of another provider", async () => {
  const waiting = await untold("Bruno");
  const broken: PaymentProvider = {
    ...world.ctx.payments,
    name: "broken",
    chargesSince: async () => await Promise.reject(new TypeError("not a function")),
  };
  const ctx = {
    ...world.ctx,
    payments: createPaymentRouter(
      [broken, world.ctx.payments],
      takenBy({ pix: "sandbox", card: "broken" }),
    ),
  };
  await world.advance(msUntilNextRun(world.ctx.now()));
  for (let runs = 0; runs < 4; runs += 1) await runReconciliation(ctx);
  expect(await statusOf(waiting)).toBe("succeeded");
  const runs = await ctx.db.select().from(reconciliationRuns);
  expect(Object.fromEntries(runs.map(({ provider, step }) => [provider, step]))).toEqual({
    broken: "charges",
    sandbox: "done",
  });
  const stuck = runs.find(({ provider }) => provider === "broken");
  expect(await ctx.db.$count(retryBackoffs, eq(retryBackoffs.subjectId, stuck?.id ?? ""))).toBe(1);
});
