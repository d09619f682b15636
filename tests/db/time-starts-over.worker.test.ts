import { expect, test } from "vitest";
import { DAY_MS } from "#app/domain/time.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

// Observed on 24 November 2026, a Tuesday. Six days later is a Monday, when payouts are requested.
const TUESDAY = "2026-11-24T15:00:00Z";

async function later(world: World, days: number): Promise<void> {
  await world.advance(days * DAY_MS);
  await world.tick();
}

test("a subscription is prepaid a month ahead, and its money is available for payout", async () => {
  const world = await testContext({ startsAt: TUESDAY });
  await world.advance(27 * DAY_MS);
  await paidSubscription(world, await createPerson(world.ctx), await createSeller(world.ctx));
  await later(world, 9);
  await expectInvariantsToHold(world.ctx);
});

test("a test set earlier in time finds none of it: no payout of the next Monday depends on future money", async () => {
  const world = await testContext({ startsAt: TUESDAY });
  await later(world, 6);
  await later(world, 2);
  await expectInvariantsToHold(world.ctx);
  expect(await world.ctx.db.select().from(payouts)).toEqual([]);
});
