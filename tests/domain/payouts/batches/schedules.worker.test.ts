import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  changeSchedule,
  requestScheduledPayouts,
} from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { releaseDueParts } from "#app/domain/payments/releases/commands/releases.server.ts";
import { releasesDue } from "#app/domain/payments/releases/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { payoutBatchList } from "#app/domain/payouts/batches/queries/batches.server.ts";
import { civilDate, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import { payoutBatches, payouts } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const NET_CENTS = 1_890;
let world: World;
let ana: Seller;

beforeEach(async () => {
  world = await testContext();
  ana = await earner();
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** A creator with one released sale (R$ 18,90 net), whose payout schedule is manual. */
async function earner(): Promise<Seller> {
  const one = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: one.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), one);
  await world.advance(9 * DAY_MS);
  await world.tick();
  return one;
}

async function aWhile(ms = 10 * MINUTE_MS): Promise<void> {
  await world.advance(ms);
  await world.tick();
}

describe("payout schedules", () => {
  // The tests of this file share a database, and each Monday has one batch.
  beforeEach(async () => void (await world.ctx.db.delete(payoutBatches)));

  /** Advances to 10:00 of the next Monday. */
  async function toMonday(): Promise<void> {
    const now = world.ctx.now();
    const date = civilDate(now);
    const weekday = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay();
    await world.advance(
      instantOf({ ...date, day: date.day + ((8 - weekday) % 7 || 7) }, 10 * HOUR_MS) - now,
    );
  }
  const statusesOf = async () =>
    (
      await world.ctx.db
        .select({ status: payouts.status })
        .from(payouts)
        .where(eq(payouts.creatorId, ana.id))
    ).map(({ status }) => status);

  test("weekly schedules make one batch on a Monday, which includes balances released later that day", async () => {
    await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "weekly" });
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    const late = await earnerOf("weekly");
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.advance(HOUR_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    await world.advance(HOUR_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.drain();
    await aWhile();
    const { items } = await payoutBatchList(world.ctx, { beforeDay: null, limit: 5 });
    expect(items).toMatchObject([
      {
        finishedAt: expect.any(Number),
        parts: [{ status: "paid", count: 2, cents: NET_CENTS + late.cents }],
      },
    ]);
    expect(
      (await payoutBatchList(world.ctx, { beforeDay: items[0]?.day ?? "", limit: 5 })).items,
    ).toEqual([]);
  });

  test("a manual schedule requests no payout on a Monday", async () => {
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    expect(await statusesOf()).toEqual([]);
  });

  test("a weekly schedule pays a balance below the minimum after it is thirty days old", async () => {
    const small = await earnerOf("weekly", 900);
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.advance(42 * DAY_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    await world.drain();
    await aWhile();
    expect((await creatorBalances(world.ctx, { creatorId: small.id })).availableCents).toBe(0);
  });

  /** A creator with the net of a first sale, released just now. */
  async function earnerOf(
    schedule: "weekly",
    amountCents = 1_990,
  ): Promise<{ id: string; cents: number }> {
    const one = await createSeller(world.ctx, { amountCents });
    await changeSchedule(world.ctx, { creatorId: one.id, schedule });
    await paidSubscription(world, await createPerson(world.ctx, "Davi"), one);
    const { pendingCents } = await creatorBalances(world.ctx, { creatorId: one.id });
    const soon = { ...world.ctx, now: () => world.ctx.now() + 9 * DAY_MS };
    for (const releaseId of await releasesDue(soon, { now: soon.now(), limit: 50 }))
      await releaseDueParts(soon, { releaseIds: [releaseId] });
    return { id: one.id, cents: pendingCents };
  }
});
