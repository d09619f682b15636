import { expect, test } from "vitest";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { CALM_FAULT_RATES } from "#tests/support/chaos/provider-state.ts";
import { createSeededWorld } from "#tests/support/chaos/seeded-world.ts";
import { msUntilNextRun, finishRun } from "#tests/support/reconciliation.ts";

test("one reconciliation run applies the state of every charge when all webhook events were lost", async () => {
  const seededWorld = await createSeededWorld();
  seededWorld.deal(7);
  seededWorld.provider.luck.weather = { ...CALM_FAULT_RATES, drop: 100 };
  const [page] = seededWorld.sellers;
  const by = (at: number) => ({
    memberId: seededWorld.fans[at]?.id ?? "",
    memberName: seededWorld.fans[at]?.name ?? "",
    method: "pix" as const,
    cardToken: null,
  });
  for (const at of [0, 1, 2])
    await startSubscription(seededWorld.ctx, { ...by(at), planPriceId: page?.priceId ?? "" });
  for (const at of [3, 4])
    await startTip(seededWorld.ctx, {
      ...by(at),
      creatorKey: page?.id ?? "",
      amountCents: 1_000,
      message: "Valeu!",
    });
  const [paid, declined, tip, ...waiting] = [...seededWorld.provider.charges.values()].toSorted(
    (one, other) => (one.id < other.id ? -1 : 1),
  );
  if (!paid || !declined || !tip) throw new Error("the provider has no charges");
  for (const charge of [paid, tip]) seededWorld.provider.payCharge(charge);
  seededWorld.provider.declineCharge(declined);
  await seededWorld.provider.port.refund({
    refundId: "panel-1",
    providerChargeId: tip.id,
    amountCents: 300,
  });
  // The codes of the other charges expire, and no event of that arrives either.
  seededWorld.advance(msUntilNextRun(seededWorld.ctx.now()));
  expect(seededWorld.provider.deliveries).toEqual([]);
  const here = async () =>
    Object.fromEntries(
      (await seededWorld.ctx.db.select().from(charges)).map(
        ({ providerChargeId, status, refundedCents }) => [
          providerChargeId,
          `${status} ${refundedCents}`,
        ],
      ),
    );
  expect(new Set(Object.values(await here()))).toEqual(new Set(["awaiting_payment 0"]));

  seededWorld.provider.luck.weather = CALM_FAULT_RATES;
  await finishRun(seededWorld.ctx);
  expect(await here()).toEqual({
    [paid.id]: "succeeded 0",
    [declined.id]: "failed 0",
    [tip.id]: "partially_refunded 300",
    ...Object.fromEntries(waiting.map(({ id }) => [id, "expired 0"])),
  });
  expect(
    await seededWorld.ctx.db
      .select({
        foundCount: reconciliationRuns.foundCount,
        repairedCount: reconciliationRuns.repairedCount,
      })
      .from(reconciliationRuns),
  ).toEqual([{ foundCount: 5, repairedCount: 5 }]);
  expect(
    new Set(
      (
        await seededWorld.ctx.db
          .select({ state: reconciliationDifferences.state })
          .from(reconciliationDifferences)
      ).map(({ state }) => state),
    ),
  ).toEqual(new Set(["repaired"]));
  // Nothing delivers the outbox in this world. Another test covers how long messages wait.
  await expectInvariantsToHold({ ...seededWorld.ctx, realNow: () => 0 });
});
