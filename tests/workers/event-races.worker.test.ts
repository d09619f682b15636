import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { startDebtPayment } from "#app/domain/payments/debts/commands/debts.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { creatorOwedCents } from "#app/domain/payments/debts/queries/debts.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { settleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  mandateOf,
  mandateCheckout,
  subscriptionChargesOf,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
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
/** What pays for the month that runs, and what pays for those after it. */
let first: Charge;
let ahead: Charge;
beforeEach(async () => {
  // Nothing of another test waits for what the crons of this one would do.
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
 * The event is applied, and `happens` after all that it read, and after its provider answered:
 * right before it is written.
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
/** How much of a charge somebody decided to give back, by refund. */
const givenBack = async ({ id }: Charge) =>
  (await on.world.ctx.db.select().from(refunds).where(eq(refunds.chargeId, id))).map(
    ({ amountCents }) => amountCents,
  );

test("a refund ends nothing once the bank fights over another payment, and that payment waits for its decision", async () => {
  const refundId = await on.refunded(first);
  await applyWhile("refund", refundId, async () => await on.tell("dispute", on.fought(ahead)));
  expect(await statusOf()).toBe("active");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a refund ends the subscription once the bank gave up the other payment, whose days go back", async () => {
  const disputeId = on.fought(ahead);
  await on.tell("dispute", disputeId);
  const refundId = await on.refunded(first);
  await applyWhile(
    "refund",
    refundId,
    async () => await on.tell("dispute", on.decided(disputeId, "won")),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});

test("a lost dispute gives nothing back twice of what somebody gives back meanwhile", async () => {
  const disputeId = on.fought(first);
  await on.tell("dispute", disputeId);
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

test("a lost dispute leaves to the bank what it begins to fight over meanwhile", async () => {
  const disputeId = on.fought(first);
  await on.tell("dispute", disputeId);
  await applyWhile(
    "dispute",
    on.decided(disputeId, "lost"),
    async () => await on.tell("dispute", on.fought(ahead)),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a dispute that is won gives the days back that nobody can use, also when the subscription ended only now", async () => {
  const [overFirst, overAhead] = [on.fought(first), on.fought(ahead)];
  await on.tell("dispute", overFirst);
  await on.tell("dispute", overAhead);
  await applyWhile(
    "dispute",
    on.decided(overAhead, "won"),
    async () => await on.tell("dispute", on.decided(overFirst, "lost")),
  );
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});

test("a dispute that is won gives back all the days that nobody can use, also when a part that was to go back already fails meanwhile", async () => {
  const refundId = await decidedHalf(ahead);
  const [overFirst, overAhead] = [on.fought(first), on.fought(ahead)];
  await on.tell("dispute", overAhead);
  await on.tell("dispute", overFirst);
  await on.tell("dispute", on.decided(overFirst, "lost"));
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

/** The provider says that half of it went back; gives its id there. */
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

test("what the provider counts of a refund that is decided meanwhile is not written a second time", async () => {
  await applyWhile("charge", halfBack(first), async () => await decidedHalf(first));
  expect(await givenBack(first)).toEqual([first.amountCents / 2]);
  expect((await chargeRow(on.world.ctx, { chargeId: first.id }))?.refundedCents).toBe(0);
});

test("what was taken for a refund of ours, which fails meanwhile, is written as what went back by itself", async () => {
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

test("a refund on the provider's pages that two deliveries tell of is written once", async () => {
  const providerChargeId = halfBack(first);
  on.provider.refunds.set("rf_outside", {
    id: "rf_outside",
    reference: null,
    chargeId: providerChargeId,
    status: "succeeded",
    amountCents: first.amountCents / 2,
    dueAt: null,
  });
  await applyWhile("refund", "rf_outside", async () => await on.tell("charge", providerChargeId));
  expect(await givenBack(first)).toEqual([first.amountCents / 2]);
  expect((await chargeRow(on.world.ctx, { chargeId: first.id }))?.refundedCents).toBe(
    first.amountCents / 2,
  );
});

test("a dispute that two deliveries tell of opens once", async () => {
  const disputeId = on.fought(first);
  await applyWhile("dispute", disputeId, async () => await on.tell("dispute", disputeId));
  expect(
    await on.world.ctx.db.select().from(disputes).where(eq(disputes.chargeId, first.id)),
  ).toHaveLength(1);
});

test("a dispute that opens is over what a refund leaves that is confirmed meanwhile", async () => {
  const { ctx } = on.world;
  const refundId = await on.refunded(first, first.amountCents / 2);
  const disputeId = on.fought(first);
  await applyWhile("dispute", disputeId, async () => await on.tell("refund", refundId));
  const [dispute] = await ctx.db.select().from(disputes).where(eq(disputes.chargeId, first.id));
  expect(dispute).toMatchObject({ status: "open", amountCents: first.amountCents / 2 });
  expect(await chargeRow(ctx, { chargeId: first.id })).toMatchObject({
    status: "disputed",
    refundedCents: first.amountCents / 2,
  });
});

test("what pays a debt pays what is owed by then, and the rest is the creator's own", async () => {
  const { world } = on;
  const [dora, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  const { id: creatorId } = dora;
  const tip = async () => await on.sold(await pendingPixTip(world, bruno, dora));
  const sale = await tip();
  await on.withdrawn(creatorId);
  await on.tell("refund", await on.refunded(sale));
  const owedCents = await creatorOwedCents(world.ctx, { creatorId });
  const { chargeId } = await startDebtPayment(world.ctx, { creatorId, amountCents: 1_000 });
  const { netCents } = await tip();
  // A sale is released, and half of it recovers what is owed.
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

test("a change of plan of which all goes back stays once a renewal at its price is asked for meanwhile", async () => {
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
    // The delivery itself is in hand.
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

test("what ends with a change of plan gives nothing back twice of what somebody gives back meanwhile", async () => {
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
  const disputeId = on.fought(change);
  await on.tell("dispute", disputeId);
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

describe("an authorisation of Pix Automático", () => {
  type Code = Awaited<ReturnType<typeof mandateCheckout>>;
  let code: Code;
  beforeEach(async () => {
    const { world } = on;
    code = await mandateCheckout(
      world,
      await createPerson(world.ctx, "Clara"),
      await createSeller(world.ctx),
    );
    on.paidAtBank(code);
  });
  const standing = async () => ({
    subscription: await subscriptionRowOf(on.world, code),
    mandate: await mandateOf(on.world, code.mandateId),
  });
  /** Its payer ends it at their bank, and we are told. */
  async function endedAtBank(): Promise<void> {
    const row = on.provider.recurring.get(code.recurringPixId);
    if (!row || !on.provider.endRecurring(row, "canceled"))
      throw new Error("the bank does not end it");
    await on.tell("recurring_pix", code.recurringPixId);
  }

  test.each([
    ["the payment in its code", "charge", (of: Code) => of.providerChargeId],
    ["itself", "recurring_pix", (of: Code) => of.recurringPixId],
  ] as const)(
    "that ends while news of %s take it up renews nothing",
    async (_what, about, objectOf) => {
      // The page heard of the payment; nobody heard of the authorisation.
      await settleCharge(on.world.ctx, code);
      await applyWhile(about, objectOf(code), endedAtBank);
      expect(await standing()).toMatchObject({
        subscription: { status: "active", recurringPixId: null },
        authorisation: { status: "canceled", attachedAt: null },
      });
    },
  );

  test.each([
    ["the payment in its code", "charge", (of: Code) => of.providerChargeId],
    ["itself", "recurring_pix", (of: Code) => of.recurringPixId],
  ] as const)(
    "that is to end while news of %s begin what it pays for renews nothing, and ends at the provider",
    async (_what, about, objectOf) => {
      const toEnd = async () =>
        await on.world.ctx.db
          .update(recurringPix)
          .set({ endingAt: on.world.ctx.now() })
          .where(eq(recurringPix.id, code.mandateId));
      await applyWhile(about, objectOf(code), toEnd);
      expect(await standing()).toMatchObject({
        subscription: { status: "active", recurringPixId: null },
        authorisation: { attachedAt: null },
      });
      // As the cron does, where whoever ends it did not live to.
      await settleMandate(on.world.ctx, code);
      expect([
        (await standing()).mandate.status,
        on.provider.recurring.get(code.recurringPixId)?.status,
      ]).toEqual(["canceled", "canceled"]);
    },
  );

  test("that ends while the payment in its code is applied leaves the payment as it is", async () => {
    await applyWhile("charge", code.providerChargeId, endedAtBank);
    expect(await standing()).toMatchObject({
      subscription: { status: "active", recurringPixId: null },
      authorisation: { status: "canceled" },
    });
    expect(await chargeRow(on.world.ctx, code)).toMatchObject({ status: "succeeded" });
  });

  test("is told of with the same letter, whether it is taken up with its payment or after it", async () => {
    const { world } = on;
    const dora = await createSeller(world.ctx);
    await createCoupon(world.ctx, {
      creatorId: dora.id,
      code: "METADE",
      percent: 50,
      amountCents: null,
      cycles: 1,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    const bought = async (name: string) => {
      const of = await mandateCheckout(world, await createPerson(world.ctx, name), dora, {
        coupon: "METADE",
      });
      on.paidAtBank(of);
      return of;
    };
    const letterOf = async ({ mandateId }: Code) =>
      (
        await world.ctx.db
          .select()
          .from(outbox)
          .where(eq(outbox.id, `authorisation:${mandateId}:authorised`))
      )[0]?.payload ?? {};
    const [together, after] = [await bought("Bia"), await bought("Caio")];
    await on.tell("charge", together.providerChargeId);
    await settleCharge(world.ctx, after);
    await settleMandate(world.ctx, after);
    const [one, other] = [await letterOf(together), await letterOf(after)];
    expect(one).toMatchObject({
      type: "subscription.automatic",
      what: "authorised",
      nextDebitOn: expect.any(String),
    });
    expect({ ...one, subscriptionId: "", fanId: "" }).toEqual({
      ...other,
      subscriptionId: "",
      fanId: "",
    });
    // The coupon was for the payment in the code alone.
    expect(one.amountCents).toBe((await subscriptionRowOf(world, together)).amountCents);
  });
});
