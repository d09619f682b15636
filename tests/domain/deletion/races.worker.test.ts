import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { DeletionAlreadyRequested, DeletionNotCancelable } from "#app/domain/deletion/errors.ts";
import { openDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import {
  annualPlan,
  deletionsOf,
  mailsOf,
  payoutsOfCreator,
  refundsOfCharge,
  settleDeletion,
} from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe("concurrent, repeated and late deletion commands", () => {
  test("ten clicks create one deletion", async () => {
    const bruno = await createPerson(world.ctx, "Bruno");
    const clicks = await Promise.allSettled(
      Array.from({ length: 10 }, () => requestDeletion(world.ctx, { personId: bruno.id })),
    );
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const click of clicks)
      if (click.status === "rejected")
        expect(click.reason).toBeInstanceOf(DeletionAlreadyRequested);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["requested"]);
  });

  test("ten workers at the end refund once, pay out once and notify once", async () => {
    const [ana, bruno] = [
      await createSeller(world.ctx, annualPlan),
      await createPerson(world.ctx, "Bruno"),
    ];
    const charge = await paidSubscription(world, bruno, ana);
    // The provider keeps its cost of the refunds, and a payout waits for the rest. It holds the
    // payments of others too.
    await paidSubscription(world, bruno, await createSeller(world.ctx));
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    await world.advance(9 * DAY_MS);
    await settleDeletion(world, 1);
    const { deletionId } = await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(30 * DAY_MS);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, () => advanceDeletion(world.ctx, { deletionId })),
      );
      await settleDeletion(world, 1);
    }
    expect(await refundsOfCharge(world.ctx, charge.id)).toHaveLength(1);
    expect(await payoutsOfCreator(world.ctx, ana.id)).toHaveLength(1);
    expect(
      (await mailsOf(world.ctx, ana.email)).filter((subject) => subject.includes("foi excluída")),
    ).toHaveLength(1);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("a deletion cannot be canceled once money moves, and the database keeps its end final", async () => {
    const bruno = await createPerson(world.ctx, "Bruno");
    const { deletionId, dueAt } = await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(30 * DAY_MS);
    expect(world.ctx.now()).toBeGreaterThanOrEqual(dueAt);
    await expect(cancelDeletion(world.ctx, { personId: bruno.id })).rejects.toThrow(
      DeletionNotCancelable,
    );
    await settleDeletion(world);
    expect(await openDeletion(world.ctx, { personId: bruno.id })).toBeNull();
    for (const status of ["requested", "closing", "canceled", "gone"]) {
      await expect(
        world.env.DB.prepare("UPDATE account_deletions SET status = ? WHERE id = ?")
          .bind(status, deletionId)
          .run(),
      ).rejects.toThrow("unknown_state");
    }
  });
});
