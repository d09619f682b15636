import { eq, inArray, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { releaseDueParts } from "#app/domain/payments/releases/commands/releases.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { crashAtEveryPoint, createCrashWorld } from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runPayouts } from "#workers/payouts/run.ts";

const partsOf = async ({ ctx }: World, ...sales: readonly Pick<Charge, "id">[]) =>
  await ctx.db
    .select()
    .from(chargeReleases)
    .where(
      inArray(
        chargeReleases.chargeId,
        sales.map(({ id }) => id),
      ),
    )
    .orderBy(chargeReleases.chargeId, chargeReleases.position);
/** Moves the release time of these sales' parts into the past. */
async function ripe(world: World, ...sales: readonly Pick<Charge, "id">[]): Promise<string[]> {
  await world.ctx.db
    .update(chargeReleases)
    .set({ releaseAt: 1 })
    .where(
      inArray(
        chargeReleases.chargeId,
        sales.map(({ id }) => id),
      ),
    );
  return (await partsOf(world, ...sales)).map(({ id }) => id);
}
const areReleased = async (world: World, ...sales: readonly Pick<Charge, "id">[]) =>
  (await partsOf(world, ...sales)).map(({ releasedAt }) => releasedAt !== null);

/** Three periods prepaid at once: three release parts. */
async function prepaidCharge(world: World, creator: Seller): Promise<Charge> {
  const fan = await createPerson(world.ctx, "Clara");
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: creator.priceId,
    method: "pix",
    cardToken: null,
    periods: 3,
  });
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge) throw new Error("no charge");
  return charge;
}

/** A creator who withdrew a sale that was refunded afterwards, and now has a debt. */
async function debtor(world: World): Promise<Seller> {
  const { ctx } = world;
  const owing = await createSeller(ctx);
  await ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, owing.id));
  const sale = await paidSubscription(world, await createPerson(ctx, "Bruno"), owing);
  await releaseDueParts(ctx, { releaseIds: await ripe(world, sale) });
  await requestPayout(ctx, { creatorId: owing.id });
  await world.drain();
  await world.advance(10 * MINUTE_MS);
  await world.tick();
  await refundCharge(ctx, {
    sellerId: owing.id,
    decidedBy: owing.id,
    chargeId: sale.id,
    refundId: ctx.newId(),
    amountCents: sale.amountCents,
    reason: "",
  });
  return owing;
}

test("parts of several charges and creators are released in two calls, each once, and debts are recovered in order", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [ana, eva] = [await debtor(world), await createSeller(ctx)];
  const { owedCents } = await creatorBalances(ctx, { creatorId: ana.id });
  const [prepaid, single] = [
    await prepaidCharge(world, ana),
    await paidSubscription(world, await createPerson(ctx, "Davi"), eva),
  ];
  const releaseIds = await ripe(world, prepaid, single);
  expect(releaseIds).toHaveLength(4);
  const prepaidCents = (await partsOf(world, prepaid)).map(({ netCents }) => netCents);
  const before = ctx.db.callsMade();
  await releaseDueParts(ctx, { releaseIds });
  expect(ctx.db.callsMade() - before).toBe(2);
  await Promise.all([
    releaseDueParts(ctx, { releaseIds }),
    releaseDueParts(ctx, { releaseIds: releaseIds.slice(1) }),
  ]);
  expect(await areReleased(world, prepaid, single)).toEqual([true, true, true, true]);
  expect([
    (await chargeRow(ctx, { chargeId: prepaid.id }))?.pendingCents,
    (await chargeRow(ctx, { chargeId: single.id }))?.pendingCents,
  ]).toEqual([0, 0]);
  const recoveredCents = prepaidCents.reduce(
    (sum, cents) => sum + Math.min(owedCents - sum, Math.floor(cents / 2)),
    0,
  );
  expect(owedCents).toBeGreaterThan(Math.floor((prepaidCents[0] ?? 0) / 2));
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    owedCents: owedCents - recoveredCents,
    pendingCents: 0,
    availableCents: prepaidCents.reduce((sum, cents) => sum + cents, 0) - recoveredCents,
  });
  await expectInvariantsToHold(ctx);
});

test("disputed parts and parts not yet due stay pending, and do not delay others", async () => {
  const world = await testContext();
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const [disputed, early, due] = [
    await paidSubscription(world, await createPerson(ctx, "Bruno"), ana),
    await paidSubscription(world, await createPerson(ctx, "Clara"), ana),
    await paidSubscription(world, await createPerson(ctx, "Davi"), ana),
  ];
  await openDisputeOn(world, disputed);
  const releaseIds = [
    ...(await ripe(world, disputed, due)),
    ...(await partsOf(world, early)).map(({ id }) => id),
    "none",
  ];
  await releaseDueParts(ctx, { releaseIds });
  expect(await Promise.all([disputed, early, due].map((sale) => areReleased(world, sale)))).toEqual(
    [[false], [false], [true]],
  );
  await expectInvariantsToHold(ctx);
});

test("a refund between read and commit forces a new read: refunded money is not released", async () => {
  const world = await testContext();
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const [back, unchanged] = [
    await paidSubscription(world, await createPerson(ctx, "Bruno"), ana),
    await paidSubscription(world, await createPerson(ctx, "Clara"), ana),
  ];
  const releaseIds = await ripe(world, back, unchanged);
  const refunded = () =>
    refundCharge(ctx, {
      sellerId: ana.id,
      decidedBy: ana.id,
      chargeId: back.id,
      refundId: ctx.newId(),
      amountCents: back.amountCents,
      reason: "",
    });
  await releaseDueParts(
    interleaveBeforeWrite(ctx, refunded, /update "charge_releases" set "released_at"/),
    {
      releaseIds,
    },
  );
  expect((await chargeRow(ctx, { chargeId: back.id }))?.status).toBe("refunded");
  expect([await areReleased(world, back), await areReleased(world, unchanged)]).toEqual([
    [false],
    [true],
  ]);
  await expectInvariantsToHold(ctx);
});

test("a run that crashes at any point releases each part whole or not at all, and the next run releases the rest", async () => {
  const { world, points } = await createCrashWorld();
  const ana = await createSeller(world.ctx);
  const died = await crashAtEveryPoint(async (at) => {
    const sales = [
      await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana),
      await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana),
    ];
    await ripe(world, ...sales);
    points.arm(at);
    const end = await survives(points, () => runPayouts(world.ctx));
    points.disarm();
    await runPayouts(world.ctx);
    expect(await areReleased(world, ...sales)).toEqual([true, true]);
    return end;
  });
  expect(died).toBeGreaterThan(1);
});

test("a part that cannot be released is recorded, retried with back-off and delays none of the others", async () => {
  const world = await testContext();
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const sales = [
    await paidSubscription(world, await createPerson(ctx, "Bruno"), ana),
    await paidSubscription(world, await createPerson(ctx, "Clara"), ana),
    await paidSubscription(world, await createPerson(ctx, "Davi"), ana),
  ];
  await ripe(world, ...sales);
  const [poison] = await partsOf(world, sales[1] ?? { id: "" });
  const cured = () => testEnv.DB.prepare("DROP TRIGGER IF EXISTS poison").run();
  onTestFinished(async () => void (await cured()));
  await testEnv.DB.prepare(
    `CREATE TRIGGER poison BEFORE UPDATE OF released_at ON charge_releases WHEN NEW.id = '${poison?.id}' BEGIN SELECT RAISE(ABORT, 'poison'); END`,
  ).run();
  for (let run = 0; run < 3; run += 1) await runPayouts(ctx);
  expect((await Promise.all(sales.map((sale) => areReleased(world, sale)))).flat()).toEqual([
    true,
    false,
    true,
  ]);
  expect(
    await ctx.db.all(sql`SELECT failures FROM setbacks WHERE subject_id = ${poison?.id}`),
  ).toEqual([{ failures: 3 }]);
  await cured();
  await runPayouts({ ...ctx, db: openDatabase(testEnv.DB), now: () => ctx.now() + DAY_MS / 2 });
  expect(await areReleased(world, ...sales)).toEqual([true, true, true]);
  await expectInvariantsToHold(ctx);
});
