import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import {
  atBank,
  mandateCheckout,
  mandateSubscriber,
  debitsOf,
  debitInstructionsOf,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash as recoverNow,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** A world with crash points at any write or provider call, a creator and a subscriber. */
async function mortalShop() {
  const { world, points } = await createCrashWorld();
  return {
    world,
    points,
    ana: await createSeller(world.ctx),
    bruno: await createPerson(world.ctx, "Bruno"),
  };
}

/** Advances two minutes, and runs the recovery. */
async function recover(world: World): Promise<void> {
  await world.advance(2 * 60_000);
  await recoverNow(world);
}

test(
  "a crash at any point of creating the mandate leaves one active mandate at most, and a second try pays by one code",
  { timeout: 180_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno } = await mortalShop();
      points.arm(at);
      const end = await survives(points, () =>
        startSubscription(world.ctx, {
          memberId: bruno.id,
          memberName: bruno.name,
          planPriceId: ana.priceId,
          method: "pix",
          isAutomatic: true,
          cardToken: null,
        }),
      );
      points.disarm();
      await recover(world);
      const code = await mandateCheckout(world, bruno, ana);
      await atBank(world, `recurring/${code.recurringPixId}/approve`);
      await recover(world);
      const rows = await world.ctx.db
        .select()
        .from(recurringPix)
        .where(eq(recurringPix.payerId, bruno.id));
      const made = await testEnv.PSP_DB.prepare(
        "SELECT status FROM recurring_pix WHERE reference IN (SELECT value FROM json_each(?))",
      )
        .bind(JSON.stringify(rows.map(({ id }) => id)))
        .all<{ status: string }>();
      expect(made.results.filter(({ status }) => status === "active")).toHaveLength(1);
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "active",
        recurringPixId: code.mandateId,
      });
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);

test(
  "a crash at any point of applying the payment and the mandate's approval applies each once",
  { timeout: 180_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno } = await mortalShop();
      const code = await mandateCheckout(world, bruno, ana);
      points.arm(at);
      const end = await survives(points, async () => {
        await atBank(world, `recurring/${code.recurringPixId}/approve`);
        await world.drain();
      });
      points.disarm();
      await recover(world);
      await recover(world);
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "active",
        recurringPixId: code.mandateId,
      });
      expect(
        await world.ctx.db.$count(
          chargePeriods,
          eq(chargePeriods.subscriptionId, code.subscriptionId),
        ),
      ).toBe(1);
      return end;
    });
    expect(count).toBeGreaterThan(8);
  },
);

test(
  "a crash at any point of a renewal orders one debit, which is paid once",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno } = await mortalShop();
      const code = await mandateSubscriber(world, bruno, ana);
      const startsAt = (await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0;
      await world.advance(startsAt - 4.5 * DAY_MS - world.ctx.now());
      points.arm(at);
      const end = await survives(points, () => world.tick());
      points.disarm();
      await recover(world);
      await recover(world);
      const [debit, ...more] = await debitsOf(world, code);
      expect([debit?.status, more]).toEqual(["processing", []]);
      expect(
        await debitInstructionsOf({ providerChargeId: debit?.providerChargeId ?? null }),
      ).toHaveLength(1);
      await world.advance(startsAt - 0.2 * DAY_MS - world.ctx.now());
      await recover(world);
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "active",
        currentPeriodStartsAt: startsAt,
      });
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);
