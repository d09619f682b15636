import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { shiftSubscribersForVacation } from "#app/domain/subscriptions/vacation-sweep/commands.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { charges, chargePeriods } from "#drizzle/schema/payments.ts";
import { vacations } from "#drizzle/schema/plans.ts";
import { vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { survives } from "#tests/support/crash.ts";
import { crashAtEveryPoint, createCrashWorld } from "#tests/support/crash-world.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test(
  "a crash at any point of shifting subscribers, and a second try, shift each once and leave no open charge",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points } = await createCrashWorld();
      const ana = await createSeller(world.ctx);
      const { purchaseId: subscriptionId } = await paidSubscription(
        world,
        await createPerson(world.ctx),
        ana,
      );
      const endsAt = async () =>
        (await subscriptionRow(world.ctx, { subscriptionId }))?.currentPeriodEndsAt ?? 0;
      const before = await endsAt();
      // Creates the Pix code of the next period.
      await world.advance(before - world.ctx.now() - DAY_MS);
      await advanceSubscription(world.ctx, { subscriptionId });
      const open = (
        await world.ctx.db
          .select({ id: charges.id })
          .from(charges)
          .where(eq(charges.creatorId, ana.id))
      ).map(({ id }) => id);
      const { vacationId } = await startVacation(world.ctx, { creatorId: ana.id, days: 7 });
      world.queued.length = 0;
      points.arm(at);
      const end = await survives(points, () =>
        shiftSubscribersForVacation(world.ctx, { vacationId }),
      );
      points.disarm();
      for (let tries = 0; tries < 2; tries += 1)
        await shiftSubscribersForVacation(world.ctx, { vacationId });
      expect(await endsAt()).toBe(before + 7 * DAY_MS);
      expect(
        await world.ctx.db.$count(vacationShifts, eq(vacationShifts.vacationId, vacationId)),
      ).toBe(1);
      expect(
        await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, subscriptionId)),
      ).toBe(2);
      const left = await Promise.all(open.map((chargeId) => chargeRow(world.ctx, { chargeId })));
      expect(left.map((one) => one?.status).toSorted()).toEqual(["canceled", "succeeded"]);
      expect(
        (
          await world.ctx.db
            .select({ sweptAt: vacations.sweptAt })
            .from(vacations)
            .where(eq(vacations.id, vacationId))
        )[0]?.sweptAt,
      ).not.toBeNull();
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);
