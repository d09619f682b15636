import { and, eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { creatorBalances, payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(async () => {
  await world.console("/sandbox/chaos", {});
  await expectInvariantsToHold(world.ctx);
});

const storm = {
  duplicate: 3,
  reorder: true,
  drop: 4,
  stale_replay: true,
  api_error_percent: 15,
  timeouts: 6,
};

/** Ignores a failure caused by chaos. Only what was started matters. */
const quietly = (work: Promise<unknown>) => work.catch(() => undefined);

async function aWhile(ms: number): Promise<void> {
  await world.advance(ms);
  await testEnv.PSP_DB.prepare(
    "UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'waiting'",
  ).run();
  await testEnv.DB.prepare(
    "UPDATE inbox SET received_at = received_at - 60000 WHERE handled_at IS NULL",
  ).run();
  await quietly(world.tick());
}

test(
  "with every chaos switch on at once, no payment is lost, doubled or invented",
  { timeout: 120_000 },
  async () => {
    const { ctx } = world;
    const ana = await createSeller(ctx);
    await ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const fans = await Promise.all(
      Array.from({ length: 12 }, (_, index) => createPerson(ctx, `Fã ${index}`)),
    );
    await world.console("/sandbox/chaos", storm);
    for (const fan of fans) {
      await quietly(
        startSubscription(ctx, {
          memberId: fan.id,
          memberName: fan.name,
          planPriceId: ana.priceId,
          method: "pix",
          cardToken: null,
        }),
      );
    }
    await aWhile(2 * MINUTE_MS);
    await aWhile(2 * MINUTE_MS);
    const ids = fans.map((fan) => fan.id);
    const ours = await ctx.db.select().from(charges).where(inArray(charges.payerId, ids));
    // Every fan pays the charge that exists at the provider.
    const atProvider = await testEnv.PSP_DB.prepare(
      "SELECT id FROM charges WHERE reference IN (SELECT value FROM json_each(?))",
    )
      .bind(JSON.stringify(ours.map((charge) => charge.id)))
      .all<{ id: string }>();
    for (const { id } of atProvider.results) await world.console(`/sandbox/charges/${id}/pay`);
    await quietly(world.drain());
    await aWhile(MINUTE_MS);
    await world.console("/sandbox/chaos", {});
    for (let round = 0; round < 4; round += 1) await aWhile(15 * MINUTE_MS);

    const paid = await testEnv.PSP_DB.prepare(
      "SELECT reference FROM charges WHERE status = 'succeeded' AND reference IN (SELECT value FROM json_each(?))",
    )
      .bind(JSON.stringify(ours.map((charge) => charge.id)))
      .all<{ reference: string }>();
    const applied = await ctx.db
      .select()
      .from(charges)
      .where(and(inArray(charges.payerId, ids), eq(charges.status, "succeeded")));
    expect(applied.map((charge) => charge.id).toSorted()).toEqual(
      paid.results.map((row) => row.reference).toSorted(),
    );
    expect(applied.length).toBeGreaterThan(0);
    const live = await ctx.db
      .select()
      .from(subscriptions)
      .where(and(inArray(subscriptions.fanId, ids), eq(subscriptions.status, "active")));
    expect(live).toHaveLength(applied.length);

    await world.advance(9 * DAY_MS);
    await quietly(world.tick());
    const dueCents = applied.length * 1_890;
    expect((await creatorBalances(ctx, { creatorId: ana.id })).availableCents).toBe(dueCents);
    await world.console("/sandbox/chaos", storm);
    await requestPayout(ctx, { creatorId: ana.id });
    await quietly(world.drain());
    for (let round = 0; round < 3; round += 1) await aWhile(10 * MINUTE_MS);
    await world.console("/sandbox/chaos", {});
    for (let round = 0; round < 3; round += 1) await aWhile(10 * MINUTE_MS);
    const { items } = await payoutHistory(ctx, { creatorId: ana.id, cursor: null, limit: 9 });
    expect(items.map(({ status, amountCents }) => ({ status, amountCents }))).toEqual([
      { status: "paid", amountCents: dueCents },
    ]);
    const sent = await testEnv.PSP_DB.prepare(
      "SELECT SUM(amount_cents) AS cents FROM transfers WHERE reference = ?",
    )
      .bind(items[0]?.id)
      .first<{ cents: number }>();
    expect(sent?.cents).toBe(dueCents);
  },
);
