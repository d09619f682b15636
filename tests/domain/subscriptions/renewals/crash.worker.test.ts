import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { survives } from "#tests/support/crash.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import {
  crashAtEveryPoint,
  chargesAtProvider,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test(
  "a request repeated after a crash sends the data of the first one, even if the payer's name changed",
  { timeout: 120_000 },
  async () => {
    let repeated = 0;
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points } = await createCrashWorld();
      const ana = await createSeller(world.ctx);
      const bruno = await createPerson(world.ctx, "Bruno");
      const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
      const endsAt =
        (await subscriptionRow(world.ctx, { subscriptionId }))?.currentPeriodEndsAt ?? 0;
      await world.advance(endsAt - DAY_MS - world.ctx.now());
      const sent: string[] = [];
      const { payments } = world.ctx;
      const createPixCharge: PaymentProvider["createPixCharge"] = (request) => {
        sent.push(JSON.stringify(request));
        return payments.createPixCharge(request);
      };
      // The provider does not find a charge by its reference yet.
      (world.ctx as { payments: Context["payments"] }).payments = {
        ...payments,
        createPixCharge,
        chargeByReference: () => Promise.resolve(null),
      };
      points.arm(at);
      const end = await survives(points, () => advanceSubscription(world.ctx, { subscriptionId }));
      points.disarm();
      await world.ctx.db
        .update(profiles)
        .set({ name: "Bruno de Outro Nome" })
        .where(eq(profiles.personId, bruno.id));
      await world.advance(11 * MINUTE_MS);
      await recoverAfterCrash(world);
      const made = (
        await world.ctx.db
          .select({ status: charges.status })
          .from(charges)
          .where(eq(charges.purchaseId, subscriptionId))
      ).map(({ status }) => status);
      expect(made.toSorted()).toEqual(["awaiting_payment", "succeeded"]);
      expect(await chargesAtProvider(world, bruno.id)).toHaveLength(2);
      expect(new Set(sent).size).toBe(1);
      repeated += sent.length - 1;
      return end;
    });
    expect(count).toBeGreaterThan(4);
    expect(repeated).toBeGreaterThan(0);
  },
);
