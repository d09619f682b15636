import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { expectAppliedOnce, payAtBank, pixCheckout } from "#tests/support/payments.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test(
  "a crash at any point of applying a payment leaves it applied once",
  { timeout: 120_000 },
  async () => {
    const points = await crashAtEveryPoint(async (at) => {
      const { world, points } = await createCrashWorld();
      const ana = await createSeller(world.ctx);
      const bruno = await createPerson(world.ctx, "Bruno");
      const waiting = await pixCheckout(world, bruno, ana);
      points.arm(at);
      const end = await survives(points, async () => {
        await payAtBank(world, waiting);
        await world.drain();
      });
      // A crash loses the queue. The rows, the provider's retries and the crons remain.
      world.queued.splice(0);
      points.disarm();
      await recoverAfterCrash(world);
      await expectAppliedOnce(world, { chargeId: waiting.chargeId, fan: bruno, seller: ana });
      return end;
    });
    expect(points).toBeGreaterThan(6);
  },
);

test(
  "a crash at any point of opening a checkout loses no payment and charges none twice",
  { timeout: 120_000 },
  async () => {
    await crashAtEveryPoint(async (at) => {
      const { world, points } = await createCrashWorld();
      const ana = await createSeller(world.ctx);
      const bruno = await createPerson(world.ctx, "Bruno");
      points.arm(at);
      const end = await survives(points, () =>
        startSubscription(world.ctx, {
          memberId: bruno.id,
          memberName: bruno.name,
          planPriceId: ana.priceId,
          method: "pix",
          cardToken: null,
        }),
      );
      points.disarm();
      const atProvider = await testEnv.PSP_DB.prepare(
        "SELECT id, reference FROM charges WHERE reference IN (SELECT value FROM json_each(?))",
      )
        .bind(JSON.stringify(await chargeIdsOf(world, bruno.id)))
        .all<{ id: string; reference: string }>();
      expect(atProvider.results.length).toBeLessThanOrEqual(1);
      const [made] = atProvider.results;
      if (made) {
        await payAtBank(world, { providerChargeId: made.id });
        await recoverAfterCrash(world);
        await expectAppliedOnce(world, { chargeId: made.reference, fan: bruno, seller: ana });
      } else {
        await world.advance(DAY_MS);
        await recoverAfterCrash(world);
        for (const chargeId of await chargeIdsOf(world, bruno.id)) {
          expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("expired");
        }
      }
      return end;
    });
  },
);

async function chargeIdsOf(world: World, payerId: string): Promise<string[]> {
  const rows = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?")
    .bind(payerId)
    .all<{ id: string }>();
  return rows.results.map((row) => row.id);
}
