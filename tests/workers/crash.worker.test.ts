import { afterEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { balancesOf, payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { expectAppliedOnce, pay, pixCheckout, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await expectBooksToHold(world.ctx);
});

/** A world whose process may die at any write or provider call, and the points where it does. */
async function mortalWorld(): Promise<{ world: World; points: ReturnType<typeof crashPoints>; revive(): void }> {
  const points = crashPoints();
  const world = await testContext({ database: points.database });
  const provider = world.ctx.payments;
  // The provider is another process: only our calls to it may die, on either side.
  (world.ctx as { payments: Context["payments"] }).payments = points.port(provider);
  worlds.push(world);
  return { world, points, revive: () => points.disarm() };
}

/** Every point of `scenario` in turn, until one run passes them all. Gives how many points there were. */
async function atEveryPoint(scenario: (at: number) => Promise<"finished" | "crashed">): Promise<number> {
  for (let at = 1; at < 200; at += 1) {
    if ((await scenario(at)) === "finished") return at - 1;
  }
  throw new Error("the scenario never finished");
}

test("a crash at any point of applying a payment ends with it applied once", { timeout: 120_000 }, async () => {
  const points = await atEveryPoint(async (at) => {
    const { world, points, revive } = await mortalWorld();
    const ana = await seller(world.ctx);
    const bruno = await person(world.ctx, "Bruno");
    const waiting = await pixCheckout(world, bruno, ana);
    points.arm(at);
    const end = await survives(points, async () => {
      await pay(world, waiting);
      await world.drain();
    });
    // A dead process loses its queues; the row, the provider's retries and the crons remain.
    world.queued.splice(0);
    revive();
    await recover(world);
    await expectAppliedOnce(world, { chargeId: waiting.chargeId, fan: bruno, seller: ana });
    return end;
  });
  expect(points).toBeGreaterThan(8);
});

test("a crash at any point of opening a checkout loses no payment and takes none twice", { timeout: 120_000 }, async () => {
  await atEveryPoint(async (at) => {
    const { world, points, revive } = await mortalWorld();
    const ana = await seller(world.ctx);
    const bruno = await person(world.ctx, "Bruno");
    points.arm(at);
    const end = await survives(points, () =>
      startSubscription(world.ctx, { memberId: bruno.id, memberName: bruno.name, planPriceId: ana.priceId, method: "pix", cardToken: null }),
    );
    revive();
    const atProvider = await testEnv.PSP_DB.prepare(
      "SELECT id, reference FROM charges WHERE reference IN (SELECT value FROM json_each(?))",
    )
      .bind(JSON.stringify(await chargeIdsOf(world, bruno.id)))
      .all<{ id: string; reference: string }>();
    expect(atProvider.results.length).toBeLessThanOrEqual(1);
    const [made] = atProvider.results;
    if (made) {
      await pay(world, { providerChargeId: made.id });
      await recover(world);
      await expectAppliedOnce(world, { chargeId: made.reference, fan: bruno, seller: ana });
    } else {
      await world.advance(DAY_MS);
      await recover(world);
      for (const chargeId of await chargeIdsOf(world, bruno.id)) {
        expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("expired");
      }
    }
    return end;
  });
});

test("a crash at any point of a payout moves the money once", { timeout: 180_000 }, async () => {
  const points = await atEveryPoint(async (at) => {
    const { world, points, revive } = await mortalWorld();
    const ana = await seller(world.ctx);
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await world.ctx.db.run("UPDATE withdrawal_methods SET schedule = 'manual'");
    await world.advance(9 * DAY_MS);
    await world.tick();
    points.arm(at);
    const end = await survives(points, async () => {
      await requestPayout(world.ctx, { creatorId: ana.id });
      await world.drain();
      await world.console("/sandbox/tick");
      await world.drain();
    });
    world.queued.splice(0);
    revive();
    if ((await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 5 })).items.length === 0) {
      await requestPayout(world.ctx, { creatorId: ana.id });
    }
    for (let round = 0; round < 4; round += 1) {
      await world.advance(10 * 60_000);
      await recover(world);
    }
    const { items } = await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 5 });
    expect(items.map(({ status, amountCents }) => ({ status, amountCents }))).toEqual([{ status: "paid", amountCents: 1_890 }]);
    expect(await balancesOf(world.ctx, { creatorId: ana.id })).toMatchObject({ availableCents: 0, pendingCents: 0, inTransitCents: 0 });
    const sent = await testEnv.PSP_DB.prepare("SELECT COUNT(*) AS count FROM transfers WHERE reference = ?").bind(items[0]?.id).first<{ count: number }>();
    expect(sent?.count).toBe(1);
    return end;
  });
  expect(points).toBeGreaterThan(8);
});

/** What goes on by itself after a process came back: the provider sends again, the crons run, the sweepers look. */
async function recover(world: World): Promise<void> {
  await testEnv.PSP_DB.prepare("UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'waiting'").run();
  await testEnv.DB.prepare("UPDATE inbox SET received_at = received_at - 60000 WHERE handled_at IS NULL").run();
  await testEnv.DB.prepare("UPDATE outbox SET created_at = created_at - 60000 WHERE handled_at IS NULL").run();
  await world.tick();
}

async function chargeIdsOf(world: World, payerId: string): Promise<string[]> {
  const rows = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?").bind(payerId).all<{ id: string }>();
  return rows.results.map((row) => row.id);
}
