import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { planChanges } from "#drizzle/schema/subscriptions.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { otherPlan, subscriptionOfId, paidUpgrade } from "#tests/support/plan-changes.ts";

/**
 * Bruno subscribes to Ana's plan (R$ 30,00 a month). The plan Palco costs R$ 60,00 and has two
 * seats.
 */
async function mortalStage() {
  const { world, points } = await createCrashWorld();
  const ana = await createSeller(world.ctx, { amountCents: 3_000 });
  const bruno = await createPerson(world.ctx, "Bruno");
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  const palco = await otherPlan(world.ctx, ana.id, { monthly: 6_000, seatsLimit: 2 });
  const wish = { fanId: bruno.id, subscriptionId, planPriceId: palco.prices.monthly };
  const seats = async () => {
    const rows = await world.ctx.db.select().from(plans).where(eq(plans.creatorId, ana.id));
    return [ana.planId, palco.planId].map(
      (planId) => rows.find(({ id }) => id === planId)?.seatsTaken,
    );
  };
  return { world, points, ana, palco, wish, seats };
}

/** The charges of plan changes, with the state of the change and the status at the provider. */
async function differences(world: World, subscriptionId: string) {
  const rows = await world.ctx.db
    .select({ id: charges.id, status: charges.status, change: planChanges.state })
    .from(charges)
    .innerJoin(planChanges, eq(planChanges.id, charges.planChangeId))
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.purchaseKind, "plan_change")));
  return await Promise.all(
    rows.map(async (row) => ({
      ...row,
      said: (await world.ctx.payments.chargeByReference(row.id))?.status ?? null,
    })),
  );
}

test.each(["pix", "card"] as const)(
  "a crash at any point of an upgrade by %s leaves the new plan paid, or the old plan and nothing charged",
  { timeout: 240_000 },
  async (method) => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, palco, wish, seats } = await mortalStage();
      const token = method === "card" ? await cardToken(world) : null;
      points.arm(at);
      const end = await survives(points, async () => {
        const { chargeId } = await startPlanChange(world.ctx, {
          ...wish,
          payerName: "Bruno",
          method,
          cardToken: token,
        });
        if (method === "pix")
          await payAtBank(world, {
            providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
          });
        await world.drain();
      });
      points.disarm();
      await recoverAfterCrash(world);
      // Every Pix code expired by then, and unconfirmed charges were looked up.
      await world.advance(HOUR_MS);
      await recoverAfterCrash(world);
      const made = await differences(world, wish.subscriptionId);
      expect(made.length).toBeLessThanOrEqual(1);
      const isDone = made[0]?.said === "succeeded";
      if (made[0])
        expect([made[0].status === "succeeded", made[0].change]).toEqual([
          isDone,
          isDone ? "done" : "over",
        ]);
      expect(await subscriptionOfId(world.ctx, wish.subscriptionId)).toMatchObject(
        isDone
          ? { status: "active", planId: palco.planId, amountCents: 6_000 }
          : { status: "active", planId: ana.planId, amountCents: 3_000 },
      );
      expect(await seats()).toEqual(isDone ? [0, 1] : [1, 0]);
      // A further plan change is possible.
      if (!isDone) {
        await paidUpgrade(world, wish);
        expect([
          (await subscriptionOfId(world.ctx, wish.subscriptionId)).planId,
          ...(await seats()),
        ]).toEqual([palco.planId, 0, 1]);
      }
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);
