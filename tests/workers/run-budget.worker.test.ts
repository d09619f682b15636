import { and, eq, isNotNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { observeDatabase } from "#tests/support/d1-recorder.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { CALLS_PER_INVOCATION, runCronSteps } from "#workers/scheduler.ts";

// The tests write due rows directly.
allowBrokenInvariants();

const released = (world: World, chargeId: string) =>
  world.ctx.db.$count(
    chargeReleases,
    and(eq(chargeReleases.chargeId, chargeId), isNotNull(chargeReleases.releasedAt)),
  );

test.each([
  ["of the payouts", /from "refunds"/, runPayouts, "payouts.refund_unclear"],
  ["of the renewals", /from "plan_changes"/, runRenewals, "renewals.plan_change_failed"],
] as const)(
  "a failing first step %s run does not stop the other steps",
  async (_, failing, run, event) => {
    const broken: { is: boolean } = { is: false };
    const world = await testContext({
      database: (binding) =>
        ({
          prepare: (query: string) => {
            if (broken.is && failing.test(query)) throw new Error("D1 is down");
            return binding.prepare(query);
          },
          batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
        }) as unknown as D1Database,
    });
    const ana = await createSeller(world.ctx);
    const charge = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await world.ctx.db
      .update(chargeReleases)
      .set({ releaseAt: 1 })
      .where(eq(chargeReleases.chargeId, charge.id));
    await world.ctx.db
      .update(subscriptions)
      .set({ calendarAt: 1 })
      .where(eq(subscriptions.id, charge.purchaseId));
    broken.is = true;
    await run(world.ctx);
    broken.is = false;
    expect(world.logged.map((line) => line.event)).toContain(event);
    if (run === runPayouts) expect(await released(world, charge.id)).toBe(1);
    else
      expect(world.queued).toContainEqual(
        expect.objectContaining({ type: "subscription.renew", id: charge.purchaseId }),
      );
  },
);

test("steps share the call budget: each leaves the later ones what they need, and the last one gets the rest", async () => {
  const { ctx, logged } = await testContext();
  const done = { first: 0, second: 0, last: 0 };
  const many = Array.from({ length: 500 }, (_, at) => String(at));
  const greedy = (name: keyof typeof done) =>
    stepPerRow({
      name,
      event: "run.step_failed",
      due: async () => many,
      each: async () => {
        done[name] += 1;
        await ctx.db.all(sql`SELECT 1`);
      },
    });
  const before = ctx.db.callsMade();
  await runCronSteps(
    ctx,
    [
      greedy("first"),
      { name: "broken", event: "run.broken", run: () => Promise.reject(new Error("no")) },
      greedy("second"),
      greedy("last"),
    ],
    { calls: 200 },
  );
  expect(ctx.db.callsMade() - before).toBe(200);
  expect(done.first).toBeGreaterThan(done.second);
  expect(done.second).toBeGreaterThan(20);
  expect(done.last).toBeGreaterThan(20);
  expect(logged.map(({ event }) => event)).toEqual(["run.broken"]);
});

// The last test: the due rows that it leaves must not reach the run of another test.
test("a run with a thousand due parts and a refund stays well within the D1 call limit, and completes all", async () => {
  let calls = 0;
  const world = await testContext({
    database: (binding) => observeDatabase(binding, () => (calls += 1)),
  });
  const { ctx } = world;
  const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx, "Bruno")];
  const ripe = await paidSubscription(world, bruno, ana);
  const parts = 1_000;
  // One charge with a thousand parts costs a run as much as a thousand charges.
  for (let from = 0; from < parts; from += 10) {
    await ctx.db.insert(chargeReleases).values(
      Array.from({ length: 10 }, (_, at) => ({
        id: ctx.newId(),
        chargeId: ripe.id,
        creatorId: ana.id,
        position: from + at + 1,
        netCents: 1,
        releaseAt: 1,
      })),
    );
  }
  const back = await paidSubscription(world, await createPerson(ctx, "Clara"), ana);
  await commit(ctx.db, [
    requestRefundStatement(ctx, back, {
      id: ctx.newId(),
      amountCents: back.amountCents,
      reason: "De volta",
    }),
  ]);
  const before = { tapped: calls, counted: ctx.db.callsMade() };
  await runPayouts(ctx);
  const made = calls - before.tapped;
  expect(made).toBe(ctx.db.callsMade() - before.counted);
  expect(made).toBeLessThan(CALLS_PER_INVOCATION * 0.2);
  expect((await chargeRow(ctx, { chargeId: back.id }))?.status).toBe("refunded");
  expect(await released(world, ripe.id)).toBe(parts);
});
