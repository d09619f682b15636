import { and, inArray, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import type { Context } from "#app/domain/context.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import {
  annualPlan,
  deletionsOf,
  expectErased,
  mailsOf,
  payoutsOfCreator,
  refundsOfCharge,
  settleDeletion,
} from "#tests/support/account-deletion.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createCrashWorld } from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";

const STEPS_MAX = 200;
/**
 * Tests every other point. Each point needs a seeded world, and there are about fifty. With 1,
 * tests all.
 */
const STRIDE = 2;

/**
 * A creator and a subscriber whose deletions are both due, in a process that can crash at any write
 * or provider call.
 */
async function crashingWorld() {
  const { world, points } = await createCrashWorld();
  Object.assign(world.ctx, {
    mediaStore: points.port(world.ctx.mediaStore),
  } satisfies Partial<Context>);
  const ana = await createSeller(world.ctx, annualPlan);
  const tiao = await createSeller(world.ctx, annualPlan);
  const bruno = await createPerson(world.ctx, "Bruno");
  const charges = [
    await paidSubscription(world, bruno, tiao),
    await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana),
  ];
  await world.ctx.db.update(withdrawalMethods).set({ schedule: "manual" });
  await world.advance(9 * DAY_MS);
  await settleDeletion(world, 1);
  const deletions: string[] = [];
  for (const { id } of [ana, bruno])
    deletions.push((await requestDeletion(world.ctx, { personId: id })).deletionId);
  await world.drain();
  await world.advance(30 * DAY_MS);
  return { world, points, ana, bruno, charges, deletions };
}

/** Runs what the crons and queues do for a deletion, without other jobs. */
async function ending(world: World, deletions: string[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const deletionId of deletions) await advanceDeletion(world.ctx, { deletionId });
    await world.drain();
    await world.console("/sandbox/tick");
    await world.drain();
    await world.env.DB.prepare(
      "UPDATE outbox SET created_at = created_at - 60000 WHERE handled_at IS NULL",
    ).run();
    await sweepOutbox(world.ctx);
    await world.advance(10 * 60_000);
  }
}

test(
  "a crash at any point of a deletion refunds once, pays out once, erases everything and notifies once",
  { timeout: 300_000 },
  async () => {
    let at = 1;
    for (
      let end: "finished" | "crashed" = "crashed";
      end === "crashed" && at < STEPS_MAX;
      at += STRIDE
    ) {
      const { world, points, ana, bruno, charges, deletions } = await crashingWorld();
      points.arm(at);
      end = await survives(points, () => ending(world, deletions));
      world.queued.splice(0);
      points.disarm();
      await expectInvariantsToHold(world.ctx);
      for (let rounds = 0; rounds < 8 && !(await isOver(world, [ana.id, bruno.id])); rounds += 1)
        await settleDeletion(world, 1);
      for (const charge of charges)
        expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
          { status: "succeeded", amountCents: 13_356 },
        ]);
      expect(await payoutsOfCreator(world.ctx, ana.id)).toEqual(["paid 1562"]);
      for (const one of [ana, bruno]) {
        expect(await deletionsOf(world.ctx, one.id)).toEqual(["done"]);
        await expectErased(world.ctx, one.id, one.username);
        expect(
          (await mailsOf(world.ctx, one.email)).filter((subject) =>
            subject.includes("foi excluída"),
          ),
        ).toHaveLength(1);
      }
      expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
        availableCents: 0,
        pendingCents: 0,
        inTransitCents: 0,
      });
    }
    expect(at).toBeGreaterThan(60);
    expect(at).toBeLessThan(STEPS_MAX);
  },
);

async function isOver(world: World, personIds: string[]): Promise<boolean> {
  const open = await world.ctx.db.$count(
    accountDeletions,
    and(inArray(accountDeletions.personId, personIds), isNull(accountDeletions.finishedAt)),
  );
  return open === 0;
}
