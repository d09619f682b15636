import { eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { openRefundTransfer } from "#app/domain/payments/refunds/commands/open-transfer.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { disputes, refunds, refundTransfers } from "#drizzle/schema/payments.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { mandateCheckout, debitsOf, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { createManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import type { ManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { FAILING_KEY, giveKey, transferTriesOf } from "#tests/support/refund-transfers.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { pendingPixTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";

/** Enough rows for several reads of refunds, and for one read of the other kinds. */
const MANY = 12;

let on: ManualProviderWorld;
let ana: Seller;
beforeEach(async () => {
  // The crons must read only the rows of this test.
  await cleanDatabase("DB", testEnv.DB, []);
  on = await createManualProviderWorld();
  ana = await createSeller(on.world.ctx);
});
afterEach(() => expectInvariantsToHold(on.world.ctx));

/** What is due is read again after the step that changed rows. */
const DUE_AGAIN = 1;

/**
 * The D1 calls of a run, by the verb and first table of each statement. Leaves out the calls that
 * run once an hour.
 */
async function callsOf(run: (ctx: Context) => Promise<unknown>): Promise<string[]> {
  const counted = countedDatabase(testEnv.DB);
  await run({ ...on.world.ctx, db: openDatabase(counted.database) });
  return counted.kinds().filter((kind) => !/payout_batches|withdrawal_methods/.test(kind));
}
const times = async <Made>(make: (at: number) => Promise<Made>): Promise<Made[]> => {
  const made: Made[] = [];
  for (let at = 0; at < MANY; at += 1) made.push(await make(at));
  return made;
};
/** A paid charge: a subscription for an even number, a tip for an odd one. */
const bought = async (at: number): Promise<Charge> =>
  await on.sold(
    await (at % 2 === 0 ? pixCheckout : pendingPixTip)(
      on.world,
      await createPerson(on.world.ctx, `Bia ${at}`),
      ana,
    ),
  );
async function decided(charge: Charge): Promise<string> {
  const id = on.world.ctx.newId();
  await commit(on.world.ctx.db, [
    requestRefundStatement(on.world.ctx, charge, {
      id,
      amountCents: charge.amountCents,
      reason: "",
    }),
  ]);
  return id;
}
/** A refund transfer with its key, ready to be sent. */
async function setAsideWithKey(charge: Charge): Promise<string> {
  const { ctx } = on.world;
  const refundId = await decided(charge);
  await openRefundTransfer(ctx, { refundId });
  await giveKey(on.world, refundId);
  return refundId;
}
/** A refund transfer that was sent. */
async function backSent(charge: Charge): Promise<string> {
  const [{ id: transferId = "" } = {}] = await transferTriesOf(
    on.world,
    await setAsideWithKey(charge),
  );
  await sendRefundTransfer(on.world.ctx, { transferId });
  return transferId;
}
/** Subscriptions by Pix Automático whose banks have an order to debit the next period. */
async function debited(count: number): Promise<{ subscriptionId: string }[]> {
  const { world, deliver, paidAtBank } = on;
  const codes = [];
  for (let at = 0; at < count; at += 1)
    codes.push(await mandateCheckout(world, await createPerson(world.ctx, `Lia ${at}`), ana));
  for (const code of codes) await deliver("charge", paidAtBank(code));
  const ends = await Promise.all(
    codes.map(async (code) => (await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0),
  );
  await on.later(Math.min(...ends) - 4.5 * DAY_MS - world.ctx.now());
  for (const code of codes) await advanceSubscription(world.ctx, code);
  expect((await Promise.all(codes.map(debitOf))).map((debit) => debit?.status)).toEqual(
    codes.map(() => "processing"),
  );
  return codes;
}
const debitOf = async (of: { subscriptionId: string }): Promise<Charge | undefined> =>
  (await debitsOf(on.world, of))[0];
async function statesOf(refundIds: string[]): Promise<(string | undefined)[]> {
  const rows = await on.world.ctx.db.select().from(refunds).where(inArray(refunds.id, refundIds));
  return refundIds.map((refundId) => rows.find(({ id }) => id === refundId)?.status);
}

test("requested refunds are read ten in a call, and each is sent and settled in one commit", async () => {
  const charges = await times(bought);
  const idle = await callsOf(runPayouts);
  const refundIds = await Promise.all(charges.map(decided));
  const calls = await callsOf(runPayouts);
  expect(await statesOf(refundIds)).toEqual(refundIds.map(() => "succeeded"));
  expect(
    await on.world.ctx.db.select({ status: subscriptions.status }).from(subscriptions),
  ).toEqual(
    charges
      .filter(({ purchaseKind }) => purchaseKind === "subscription")
      .map(() => ({ status: "expired" })),
  );
  expect(calls.length - idle.length).toBe(2 + MANY + DUE_AGAIN);
});

test("a refund whose charge becomes disputed after the read stays requested, and the others are sent", async () => {
  const [first, second] = [await bought(0), await bought(1)];
  const refundIds = [await decided(first), await decided(second)];
  const disputeId = on.openDispute(second);
  await runPayouts(
    interleaveBeforeWrite(
      on.world.ctx,
      async () => await on.deliver("dispute", disputeId),
      /update "refunds"/i,
    ),
  );
  expect(await statesOf(refundIds)).toEqual(["succeeded", "requested"]);
  expect(
    await on.world.ctx.db
      .select({ chargeId: disputes.chargeId, status: disputes.status })
      .from(disputes),
  ).toEqual([{ chargeId: second.id, status: "open" }]);
});

test("a refund that the provider refuses fails, and another refund of the same charge succeeds", async () => {
  const { ctx } = on.world;
  const charge = await bought(1);
  const parts = [ctx.newId(), ctx.newId()];
  const at = ctx.now();
  await commit(
    ctx.db,
    parts.map((id) =>
      requestRefundStatement({ ...ctx, now: () => at }, charge, {
        id,
        amountCents: charge.amountCents / 4,
        reason: "",
      }),
    ),
  );
  const { port } = on.provider;
  let asks = 0;
  const refund: typeof port.refund = async (asked) => {
    if ((asks += 1) > 1) throw new ProviderRefused("refund_refused");
    return await port.refund(asked);
  };
  await runPayouts({ ...ctx, payments: { ...port, refund } });
  expect((await statesOf(parts)).toSorted()).toEqual(["failed", "succeeded"]);
  expect((await chargeRow(ctx, { chargeId: charge.id }))?.refundedCents).toBe(
    charge.amountCents / 4,
  );
});

test("unconfirmed payouts are read together, and each is settled in one commit", async () => {
  const { ctx } = on.world;
  const creators = [ana, await createSeller(ctx), await createSeller(ctx)];
  for (const creator of creators)
    await on.sold(await pendingPixTip(on.world, await createPerson(ctx, "Bruno"), creator));
  await ctx.db.update(withdrawalMethods).set({ schedule: "manual" });
  await on.later(9 * DAY_MS);
  await runPayouts(ctx);
  for (const { id: creatorId } of creators) {
    const { payoutId } = await requestPayout(ctx, { creatorId });
    await claimPayout(ctx, { payoutId });
    await sendPayout(ctx, { payoutId });
    on.answered(`tr_${payoutId}`, { status: "paid", failureCode: null });
  }
  const idle = await callsOf(runPayouts);
  await on.later(10 * MINUTE_MS);
  const calls = await callsOf(runPayouts);
  expect(await ctx.db.select({ status: payouts.status }).from(payouts)).toEqual(
    creators.map(() => ({ status: "paid" })),
  );
  expect(calls.length - idle.length).toBe(1 + creators.length + DUE_AGAIN);
});

test("unconfirmed refund transfers are read together, and each is settled in one commit", async () => {
  const { world } = on;
  const idle = await callsOf(runPayouts);
  const transferIds = [await backSent(await bought(1)), await backSent(await bought(3))];
  for (const transferId of transferIds)
    on.answered(`tr_${transferId}`, { status: "paid", failureCode: null });
  await on.later(2 * HOUR_MS);
  const calls = await callsOf(runPayouts);
  expect(
    await world.ctx.db.select({ status: refundTransfers.status }).from(refundTransfers),
  ).toEqual(transferIds.map(() => ({ status: "paid" })));
  expect(calls.length - idle.length).toBe(1 + transferIds.length + DUE_AGAIN);
});

test("refund transfers to send are read together, and each takes one commit to claim and one to send", async () => {
  const { ctx } = on.world;
  const idle = await callsOf(runPayouts);
  const refundIds = await times(async (at) => await setAsideWithKey(await bought(at)));
  const calls = await callsOf(runPayouts);
  expect(await ctx.db.select({ status: refundTransfers.status }).from(refundTransfers)).toEqual(
    refundIds.map(() => ({ status: "sent" })),
  );
  expect(calls.length - idle.length).toBe(1 + 2 * MANY + DUE_AGAIN);
});

test("a refund transfer whose key changes after the read waits for the next run, and goes to the new key", async () => {
  const { ctx } = on.world;
  const [first, second] = [
    await setAsideWithKey(await bought(1)),
    await setAsideWithKey(await bought(3)),
  ];
  const transferOf = async (refundId: string) =>
    (await ctx.db.select().from(refundTransfers).where(eq(refundTransfers.refundId, refundId)))[0];
  const changed = async () => await giveKey(on.world, second, FAILING_KEY);
  await runPayouts(interleaveBeforeWrite(ctx, changed, /update "refund_transfers"/i));
  expect([(await transferOf(first))?.status, await transferOf(second)]).toMatchObject([
    "sent",
    { status: "ready", pixKey: FAILING_KEY.taxId },
  ]);
  await runPayouts(ctx);
  expect(await transferOf(second)).toMatchObject({ status: "sent", pixKey: FAILING_KEY.taxId });
});

test("debits to cancel are read together with their mandates, and each is canceled in one commit", async () => {
  const { ctx } = on.world;
  const stopped = async (count: number) => {
    const codes = await debited(count);
    for (const { subscriptionId } of codes)
      await ctx.db
        .update(subscriptions)
        .set({ status: "canceled" })
        .where(eq(subscriptions.id, subscriptionId));
    await on.later(2 * MINUTE_MS);
    const calls = await callsOf(runRenewals);
    expect((await Promise.all(codes.map(debitOf))).map((debit) => debit?.status)).toEqual(
      codes.map(() => "canceled"),
    );
    return calls.length;
  };
  const one = await stopped(1);
  // The earlier mandate is looked up once a day too.
  expect((await stopped(4)) - one).toBe(2 * 3 + 1);
});

test("debits that the bank refused are read together, and each is ordered again in one commit", async () => {
  const { luck } = on.provider;
  const codes = await debited(3);
  luck.weather = { ...luck.weather, poor: 100 };
  luck.dice = { ...luck.dice, chance: (percent) => percent === 100 };
  await on.later(5 * DAY_MS);
  for (const code of codes)
    await on.deliver("charge", (await debitOf(code))?.providerChargeId ?? "");
  const refused = { status: "processing", failureCode: "insufficient_funds" };
  const debits = async () => await Promise.all(codes.map(debitOf));
  expect(await debits()).toMatchObject(codes.map(() => refused));
  const calls = await callsOf(runRenewals);
  expect(await debits()).toMatchObject(codes.map(() => ({ ...refused, failureCode: null })));
  const made = (kind: RegExp) => calls.filter((call) => kind.test(call)).length;
  // Two reads by pages: mandates without an event for a day, and debits with their refund totals.
  expect([made(/^select recurring_pix;/), made(/^select refunds;/)]).toEqual([1, 1]);
  expect([made(/update recurring_pix;/), made(/^update charges$/)]).toEqual([
    codes.length,
    codes.length,
  ]);
});

test("expired Pix codes are read together, and each is settled in one commit", async () => {
  const { ctx } = on.world;
  const waiting = await times(
    async (at) =>
      await (at % 2 === 0 ? pixCheckout : pendingPixTip)(
        on.world,
        await createPerson(ctx, `Caio ${at}`),
        ana,
      ),
  );
  const idle = await callsOf(runRenewals);
  await on.later(2 * HOUR_MS);
  const calls = await callsOf(runRenewals);
  expect(
    await Promise.all(waiting.map(async (one) => (await chargeRow(ctx, one))?.status)),
  ).toEqual(waiting.map(() => "expired"));
  expect(calls.length - idle.length).toBe(1 + MANY + DUE_AGAIN);
});

test("a Pix code paid after the read succeeds, and the others expire", async () => {
  const { ctx } = on.world;
  const [first, second] = [
    await pendingPixTip(on.world, await createPerson(ctx, "Caio"), ana),
    await pendingPixTip(on.world, await createPerson(ctx, "Davi"), ana),
  ];
  await on.later(2 * HOUR_MS);
  const paid = async () => {
    await on.deliver("charge", on.paidAtBank(second));
  };
  await runRenewals(interleaveBeforeWrite(ctx, paid, /update "charges"/i));
  const statusOf = async (one: { chargeId: string }) => (await chargeRow(ctx, one))?.status;
  expect([await statusOf(first), await statusOf(second)]).toEqual(["expired", "succeeded"]);
});
