import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { startDebtPayment } from "#app/domain/payments/debts/commands/debts.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { creatorOwedCents } from "#app/domain/payments/debts/queries/debts.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { subscriptionChargesOf, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { createManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import type { EventAbout, ManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { runMessage } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { otherPlan, openUpgrade } from "#tests/support/plan-changes.ts";
import { pendingPixTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";

let on: ManualProviderWorld;
/** `first` pays for the current month, `ahead` for the prepaid ones after it. */
let first: Charge;
let ahead: Charge;
beforeEach(async () => {
  // Rows of other tests must not be due in the crons of this one.
  await cleanDatabase("DB", testEnv.DB, []);
  on = await createManualProviderWorld();
  const { world } = on;
  const [ana, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  first = await on.sold(await pixCheckout(world, bruno, ana));
  const { chargeId } = await prepayPeriods(world.ctx, {
    fanId: bruno.id,
    subscriptionId: first.purchaseId,
    periods: 3,
  });
  ahead = await on.sold({
    chargeId,
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
});
afterEach(() => expectInvariantsToHold(on.world.ctx));

/**
 * Applies an event, and runs `happens` right before the write. By then the event has read
 * everything, and its provider has answered.
 */
async function applyWhile(
  about: EventAbout,
  objectId: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  const inboxId = await on.received(about, objectId);
  let isDone = false;
  const happened = async () => {
    await happens();
    isDone = true;
  };
  const slow = interleaveBeforeWrite(on.world.ctx, happened, /update "inbox"/i);
  await applyEvent(slow, { inboxId, about });
  const [row] = await on.world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId));
  expect({ isDone, handledAt: row?.handledAt }).toEqual({
    isDone: true,
    handledAt: expect.any(Number),
  });
}

const statusOf = async () =>
  (
    await on.world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, first.purchaseId))
  )[0]?.status;
/** The amounts (centavos) of the refunds decided for a charge. */
const givenBack = async ({ id }: Charge) =>
  (await on.world.ctx.db.select().from(refunds).where(eq(refunds.chargeId, id))).map(
    ({ amountCents }) => amountCents,
  );

test("a refund ends no subscription while another payment becomes disputed, and that payment is not refunded", async () => {
  const refundId = await on.refunded(first);
  await applyWhile(
    "refund",
    refundId,
    async () => await on.deliver("dispute", on.openDispute(ahead)),
  );
  expect(await statusOf()).toBe("active");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a refund ends the subscription once the other payment's dispute is won, and refunds its unused days", async () => {
  const disputeId = on.openDispute(ahead);
  await on.deliver("dispute", disputeId);
  const refundId = await on.refunded(first);
  await applyWhile(
    "refund",
    refundId,
    async () => await on.deliver("dispute", on.decided(disputeId, "won")),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});

test("a lost dispute refunds only what a concurrent refund left", async () => {
  const disputeId = on.openDispute(first);
  await on.deliver("dispute", disputeId);
  const halfCents = Math.floor(ahead.amountCents / 2);
  const decide = async () =>
    await commit(on.world.ctx.db, [
      requestRefundStatement(on.world.ctx, ahead, {
        id: on.world.ctx.newId(),
        amountCents: halfCents,
        reason: "",
      }),
    ]);
  await applyWhile("dispute", on.decided(disputeId, "lost"), decide);
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([halfCents, ahead.amountCents - halfCents]);
});

test("a lost dispute refunds nothing of a payment that becomes disputed meanwhile", async () => {
  const disputeId = on.openDispute(first);
  await on.deliver("dispute", disputeId);
  await applyWhile(
    "dispute",
    on.decided(disputeId, "lost"),
    async () => await on.deliver("dispute", on.openDispute(ahead)),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a won dispute refunds the unused days, also when the subscription ends meanwhile", async () => {
  const [overFirst, overAhead] = [on.openDispute(first), on.openDispute(ahead)];
  await on.deliver("dispute", overFirst);
  await on.deliver("dispute", overAhead);
  await applyWhile(
    "dispute",
    on.decided(overAhead, "won"),
    async () => await on.deliver("dispute", on.decided(overFirst, "lost")),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});

test("a won dispute refunds all unused days when a pending partial refund fails meanwhile", async () => {
  const refundId = await decidedHalf(ahead);
  const [overFirst, overAhead] = [on.openDispute(first), on.openDispute(ahead)];
  await on.deliver("dispute", overAhead);
  await on.deliver("dispute", overFirst);
  await on.deliver("dispute", on.decided(overFirst, "lost"));
  const providerRefund = {
    id: "",
    reference: refundId,
    chargeId: ahead.providerChargeId ?? "",
    status: "failed" as const,
    amountCents: ahead.amountCents / 2,
  };
  await applyWhile(
    "dispute",
    on.decided(overAhead, "won"),
    async () => await settleRefund(on.world.ctx, { refundId, providerRefund }),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents / 2, ahead.amountCents]);
});

/** Sets half of the charge as refunded at the provider. Returns its provider id. */
function halfBack({ providerChargeId, amountCents }: Charge): string {
  Object.assign(on.provider.charges.get(providerChargeId ?? "") ?? {}, {
    refundedCents: amountCents / 2,
  });
  return providerChargeId ?? "";
}
async function decidedHalf({ id: chargeId }: Charge): Promise<string> {
  const charge = await chargeRow(on.world.ctx, { chargeId });
  if (!charge) throw new Error("no charge");
  const id = on.world.ctx.newId();
  await commit(on.world.ctx.db, [
    requestRefundStatement(on.world.ctx, charge, {
      id,
      amountCents: charge.amountCents / 2,
      reason: "",
    }),
  ]);
  return id;
}

test("a refund decided while the charge event is applied is not recorded again as an external refund", async () => {
  await applyWhile("charge", halfBack(first), async () => await decidedHalf(first));
  expect(await givenBack(first)).toEqual([first.amountCents / 2]);
  expect((await chargeRow(on.world.ctx, { chargeId: first.id }))?.refundedCents).toBe(0);
});

test("an amount counted for our refund, which fails meanwhile, is recorded as an external refund", async () => {
  const refundId = await decidedHalf(first);
  const providerRefund = {
    id: "",
    reference: refundId,
    chargeId: first.providerChargeId ?? "",
    status: "failed" as const,
    amountCents: first.amountCents / 2,
  };
  await applyWhile(
    "charge",
    halfBack(first),
    async () => await settleRefund(on.world.ctx, { refundId, providerRefund }),
  );
  expect((await chargeRow(on.world.ctx, { chargeId: first.id }))?.refundedCents).toBe(
    first.amountCents / 2,
  );
});

test("an external refund announced by two events is recorded once", async () => {
  const providerChargeId = halfBack(first);
  on.provider.refunds.set("rf_outside", {
    id: "rf_outside",
    reference: null,
    chargeId: providerChargeId,
    status: "succeeded",
    amountCents: first.amountCents / 2,
    dueAt: null,
  });
  await applyWhile(
    "refund",
    "rf_outside",
    async () => await on.deliver("charge", providerChargeId),
  );
  expect(await givenBack(first)).toEqual([first.amountCents / 2]);
  expect((await chargeRow(on.world.ctx, { chargeId: first.id }))?.refundedCents).toBe(
    first.amountCents / 2,
  );
});

test("a dispute announced by two events opens once", async () => {
  const disputeId = on.openDispute(first);
  await applyWhile("dispute", disputeId, async () => await on.deliver("dispute", disputeId));
  expect(
    await on.world.ctx.db.select().from(disputes).where(eq(disputes.chargeId, first.id)),
  ).toHaveLength(1);
});

test("a dispute covers what a refund confirmed meanwhile leaves of the charge", async () => {
  const { ctx } = on.world;
  const refundId = await on.refunded(first, first.amountCents / 2);
  const disputeId = on.openDispute(first);
  await applyWhile("dispute", disputeId, async () => await on.deliver("refund", refundId));
  const [dispute] = await ctx.db.select().from(disputes).where(eq(disputes.chargeId, first.id));
  expect(dispute).toMatchObject({ status: "open", amountCents: first.amountCents / 2 });
  expect(await chargeRow(ctx, { chargeId: first.id })).toMatchObject({
    status: "disputed",
    refundedCents: first.amountCents / 2,
  });
});

test("a debt payment pays what is still owed, and the rest is available to the creator", async () => {
  const { world } = on;
  const [dora, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  const { id: creatorId } = dora;
  const tip = async () => await on.sold(await pendingPixTip(world, bruno, dora));
  const sale = await tip();
  await on.withdrawn(creatorId);
  await on.deliver("refund", await on.refunded(sale));
  const owedCents = await creatorOwedCents(world.ctx, { creatorId });
  const { chargeId } = await startDebtPayment(world.ctx, { creatorId, amountCents: 1_000 });
  const { netCents } = await tip();
  // A released sale recovers half of the debt.
  const released = async () => {
    await on.later(9 * DAY_MS);
    await runPayouts(world.ctx);
    expect(await creatorOwedCents(world.ctx, { creatorId })).toBeLessThan(1_000);
  };
  await applyWhile("charge", on.paidAtBank({ providerChargeId: `ch_${chargeId}` }), released);
  expect(await creatorOwedCents(world.ctx, { creatorId })).toBe(0);
  expect(
    balanceOfKind(await creatorBalanceRows(world.ctx, { creatorId }), "creator_available"),
  ).toBe(1_000 + netCents - owedCents);
});

test("a fully refunded plan change stays when a renewal at its price is created meanwhile", async () => {
  const { world } = on;
  const [dora, bia] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bia")];
  const { purchaseId: subscriptionId } = await on.sold(await pixCheckout(world, bia, dora));
  const palco = await otherPlan(world.ctx, dora.id, { monthly: 4_990 });
  const { id: chargeId, providerChargeId } = await openUpgrade(world.ctx, {
    fanId: bia.id,
    subscriptionId,
    planPriceId: palco.prices.monthly,
  });
  const refundId = await on.refunded(await on.sold({ chargeId, providerChargeId }));
  const isOnNew = async () =>
    (await subscriptionRowOf(world, { subscriptionId })).planPriceId === palco.prices.monthly;
  const renewed = async () => {
    await on.later(27 * DAY_MS);
    // Drops the queue message of the event: the test applies it itself.
    world.queued.splice(0);
    await runRenewals(world.ctx);
    for (const message of world.queued.splice(0)) await runMessage(world.ctx, message);
    expect(
      (await subscriptionChargesOf(world, { subscriptionId })).filter(
        ({ periodStartsAt }) => periodStartsAt !== null,
      ),
    ).toHaveLength(1);
  };
  await applyWhile("refund", refundId, renewed);
  expect([await isOnNew(), (await chargeRow(world.ctx, { chargeId }))?.status]).toEqual([
    true,
    "refunded",
  ]);
});

test("a lost dispute of a plan change refunds only what a concurrent refund left", async () => {
  const { world } = on;
  const [dora, bia] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bia")];
  const paid = await on.sold(await pixCheckout(world, bia, dora));
  const subscriptionId = paid.purchaseId;
  const palco = await otherPlan(world.ctx, dora.id, { annual: 49_900 });
  const { id: chargeId, providerChargeId } = await openUpgrade(world.ctx, {
    fanId: bia.id,
    subscriptionId,
    planPriceId: palco.prices.annual,
  });
  const change = await on.sold({ chargeId, providerChargeId });
  await pauseSubscription(world.ctx, { fanId: bia.id, subscriptionId });
  const disputeId = on.openDispute(change);
  await on.deliver("dispute", disputeId);
  const someCents = 100;
  const decide = async () =>
    await commit(world.ctx.db, [
      requestRefundStatement(world.ctx, paid, {
        id: world.ctx.newId(),
        amountCents: someCents,
        reason: "",
      }),
    ]);
  await applyWhile("dispute", on.decided(disputeId, "lost"), decide);
  expect((await subscriptionRowOf(world, { subscriptionId })).status).toBe("expired");
  const back = await givenBack(paid);
  expect(back[0]).toBe(someCents);
  expect(back.reduce((sum, cents) => sum + cents, 0)).toBeLessThanOrEqual(paid.amountCents);
});
