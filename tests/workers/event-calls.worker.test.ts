import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { refundCharge } from "#app/domain/billing/commands/refund.server.ts";
import type { Context } from "#app/domain/context.ts";
import { startDebtPayment } from "#app/domain/payments/commands/debts.server.ts";
import { openTransferWith, giveRefundKey } from "#app/domain/payments/commands/refund-transfers.server.ts";
import { refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { eventTypes } from "#app/domain/payments/schema.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { requestPayout, sendPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/commands/claim.server.ts";
import { claimGift } from "#app/domain/purchases/commands/claim-gift.server.ts";
import { purchaseKinds } from "#app/domain/purchases/commands/settle.server.ts";
import { giftCode } from "#app/domain/purchases/queries/gifts.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { automaticCheckout, debitsOf } from "#tests/support/automatic.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";
import type { ChaoticProvider } from "#tests/support/chaos/provider.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pixGift } from "#tests/support/gifts.ts";
import { pixCheckout } from "#tests/support/money.ts";
import type { Waiting } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan, upgradeCode } from "#tests/support/plan-changes.ts";
import { pixPurchase, soldPost } from "#tests/support/purchases.ts";
import { GOOD_KEY, signatureOf } from "#tests/support/refund-transfers.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { pixTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";

type About = ProviderEvent["type"];
type Payers = { ana: Seller; bruno: TestPerson };
/** Brings about what is told of, and gives the provider's id of it. */
type Arranged = (payers: Payers) => Promise<string>;
/** What an event costs in calls to D1 when it is applied, and when the same is told once more. Two are an ordinary event's: what is more says why in `because`. */
type Case = { arranged: Arranged; applied?: number; repeated?: number; because?: string };

let world: World;
let provider: ChaoticProvider;
let counted: ReturnType<typeof countedDatabase>;
let watched: Context;
let told = 0;
beforeEach(async () => {
  // Nothing of another test is looked at by the crons of this one.
  await cleanDatabase("DB", testEnv.DB, []);
  const plain = await testContext({ webhooks: false });
  provider = chaoticProvider(plain.ctx.now);
  world = { ...plain, ctx: { ...plain.ctx, payments: provider.port } };
  counted = countedDatabase(testEnv.DB);
  watched = { ...world.ctx, db: openDatabase(counted.database) };
});
afterEach(() => expectBooksToHold(world.ctx));

/** Tells of `objectId` in a delivery of its own; gives its id. */
async function received(about: About, objectId: string): Promise<string> {
  const id = `evt_calls_${(told += 1)}`;
  await receiveWebhook(world.ctx, new Request("https://coreto.test/webhooks/chaos", { method: "POST", body: JSON.stringify({ id, type: about, objectId }) }));
  return `chaos-${id}`;
}

const tell = async (about: About, objectId: string): Promise<void> => await applyEvent(world.ctx, { inboxId: await received(about, objectId), about });

async function callsOf(about: About, objectId: string): Promise<string[]> {
  const inboxId = await received(about, objectId);
  counted.reset();
  await applyEvent(watched, { inboxId, about });
  const calls = counted.kinds();
  const [row] = await world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId));
  expect(row).toMatchObject(about === "other" ? { handledAt: null, quarantineReason: "unknown_type" } : { handledAt: expect.any(Number), quarantinedAt: null });
  return calls;
}

/** Whoever is to pay does, at the provider. */
function paidAtBank({ providerChargeId }: { providerChargeId: string }): string {
  const charge = provider.charges.get(providerChargeId);
  if (charge) provider.payCharge(charge);
  return providerChargeId;
}

/** Paid, and applied. */
async function sold(waiting: Waiting): Promise<Charge> {
  await tell("charge", paidAtBank(waiting));
  const charge = await chargeRow(world.ctx, waiting);
  if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
  return charge;
}

const checkouts = {
  subscription: async ({ ana, bruno }: Payers) => await pixCheckout(world, bruno, ana),
  post: async ({ ana, bruno }: Payers) => await pixPurchase(world, bruno, (await soldPost(world.ctx, ana)).postId),
  tip: async ({ ana, bruno }: Payers) => await pixTip(world, bruno, ana),
  gift: async ({ ana, bruno }: Payers) => await pixGift(world, bruno, ana),
  plan_change: async ({ ana, bruno }: Payers) => {
    const { purchaseId: subscriptionId } = await sold(await pixCheckout(world, bruno, ana));
    const palco = await otherPlan(world.ctx, ana.id, { monthly: 4_990 });
    const { id: chargeId, providerChargeId } = await upgradeCode(world.ctx, { fanId: bruno.id, subscriptionId, planPriceId: palco.prices.monthly });
    return { chargeId, providerChargeId };
  },
};

async function later(ms: number): Promise<void> {
  await world.advance(ms);
  provider.passTime();
}

/** A refund that the provider took and does an hour later; gives its id there. */
async function slowRefund(charge: Charge, amountCents = charge.amountCents): Promise<string> {
  provider.luck.dice = { ...provider.luck.dice, chance: (percent) => percent === 20 };
  const refundId = world.ctx.newId();
  expect(await refundCharge(world.ctx, { sellerId: charge.creatorId, decidedBy: charge.creatorId, chargeId: charge.id, refundId, amountCents, reason: "" })).toBe("requested");
  provider.luck.dice = { ...provider.luck.dice, chance: () => false };
  return `rf_${refundId}`;
}

const refundOf =
  (checkout: (payers: Payers) => Promise<Waiting>, amountCents?: number): Arranged =>
  async (payers) => {
    const id = await slowRefund(await sold(await checkout(payers)), amountCents);
    await later(2 * HOUR_MS);
    return id;
  };

/** A payout that the provider sent and the bank did not answer yet; gives its id there. */
async function payoutSent(payers: Payers): Promise<string> {
  await world.ctx.db.update(withdrawalMethods).set({ schedule: "manual" }).where(eq(withdrawalMethods.creatorId, payers.ana.id));
  await sold(await checkouts.subscription(payers));
  await later(9 * DAY_MS);
  await runPayouts(world.ctx);
  const { payoutId } = await requestPayout(world.ctx, { creatorId: payers.ana.id });
  await claimPayout(world.ctx, { payoutId });
  await sendPayout(world.ctx, { payoutId });
  const [payout] = await world.ctx.db.select().from(payouts).where(eq(payouts.id, payoutId));
  if (payout?.status !== "sent") throw new Error(`the payout is ${payout?.status}`);
  return `tr_${payoutId}`;
}

function answered(transferId: string, answer: { status: "paid" | "failed" | "returned"; failureCode: string | null }): string {
  Object.assign(provider.transfers.get(transferId) ?? {}, answer, { dueAt: null });
  return transferId;
}

/** Money of a refund that goes by a Pix of ours, sent; gives its id at the provider. */
async function backSent(payers: Payers): Promise<string> {
  const charge = await sold(await checkouts.tip(payers));
  const refundId = world.ctx.newId();
  await world.ctx.db.batch([refundStatement(world.ctx, charge, { id: refundId, amountCents: charge.amountCents, reason: "" }) as never]);
  await openTransferWith(world.ctx, purchaseKinds, { refundId });
  const { transferId } = await giveRefundKey(world.ctx, { refundId, signature: await signatureOf(world, refundId), key: GOOD_KEY });
  await sendRefundTransfer(world.ctx, { transferId });
  return `tr_${transferId}`;
}

function fought(charge: Charge): string {
  const kept = provider.charges.get(charge.providerChargeId ?? "");
  if (!kept || !provider.openDispute(kept)) throw new Error("the bank does not fight over it");
  return `dp_${kept.id}`;
}

const disputeOf =
  (checkout: (payers: Payers) => Promise<Waiting>, then: "under_review" | "won" | "lost"): Arranged =>
  async (payers) => {
    const id = fought(await sold(await checkout(payers)));
    await tell("dispute", id);
    const dispute = provider.disputes.get(id);
    if (dispute && then === "under_review") dispute.status = then;
    else if (dispute) provider.decideDispute(dispute, then as "won" | "lost");
    return id;
  };

/** Somebody owes what was paid out and went back, and pays it. */
const debtPaid: Arranged = async (payers) => {
  await tell("transfer", answered(await payoutSent(payers), { status: "paid", failureCode: null }));
  const [charge] = [...provider.charges.values()];
  const sale = await chargeRow(world.ctx, { chargeId: charge?.reference ?? "" });
  if (!sale) throw new Error("nothing was sold");
  await refundCharge(world.ctx, { sellerId: sale.creatorId, decidedBy: sale.creatorId, chargeId: sale.id, refundId: world.ctx.newId(), amountCents: sale.amountCents, reason: "" });
  const { chargeId } = await startDebtPayment(world.ctx, { creatorId: payers.ana.id, amountCents: 1_000 });
  return paidAtBank({ providerChargeId: `ch_${chargeId}` });
};

const UNKNOWN = "what it is about is not known here until the provider says it";
const SEPARATE = "it is about two things, of which the second is read and written after the first";
const WAY_BACK = "what a change of plan goes back to is found step by step";

const CASES: Record<About, Record<string, Case>> = {
  charge: {
    "a subscription paid": { arranged: async (payers) => paidAtBank(await checkouts.subscription(payers)) },
    "a change of plan paid": { arranged: async (payers) => paidAtBank(await checkouts.plan_change(payers)) },
    "a post paid": { arranged: async (payers) => paidAtBank(await checkouts.post(payers)) },
    "a tip paid": { arranged: async (payers) => paidAtBank(await checkouts.tip(payers)) },
    "a gift paid": { arranged: async (payers) => paidAtBank(await checkouts.gift(payers)) },
    "a debt paid": { because: "what is owed is read when it is paid", arranged: debtPaid, applied: 3 },
    "a payment that was declined": {
      arranged: async (payers) => {
        const { providerChargeId } = await checkouts.tip(payers);
        const charge = provider.charges.get(providerChargeId);
        if (charge) provider.declineCharge(charge);
        return providerChargeId;
      },
    },
    "a code that ran out": {
      arranged: async (payers) => {
        const { providerChargeId } = await checkouts.subscription(payers);
        await later(2 * DAY_MS);
        return providerChargeId;
      },
    },
    "a code paid after it ran out": {
      arranged: async (payers) => {
        const waiting = await checkouts.post(payers);
        await later(2 * DAY_MS);
        await tell("charge", waiting.providerChargeId);
        return paidAtBank(waiting);
      },
    },
    "a payment of which a part went back": {
      because: SEPARATE,
      applied: 5,
      repeated: 5,
      arranged: async (payers) => {
        const charge = await sold(await checkouts.tip(payers));
        await refundCharge(world.ctx, { sellerId: charge.creatorId, decidedBy: charge.creatorId, chargeId: charge.id, refundId: world.ctx.newId(), amountCents: 500, reason: "" });
        return charge.providerChargeId ?? "";
      },
    },
    "a payment of which a part went back on the provider's pages": {
      because: SEPARATE,
      applied: 7,
      repeated: 5,
      arranged: async (payers) => {
        const { providerChargeId } = await sold(await checkouts.tip(payers));
        Object.assign(provider.charges.get(providerChargeId ?? "") ?? {}, { refundedCents: 500 });
        return providerChargeId ?? "";
      },
    },
    "the payment in the code of an authorisation": { because: SEPARATE, applied: 8, repeated: 8, arranged: async ({ ana, bruno }) => paidAtBank(await automaticCheckout(world, bruno, ana)) },
  },
  refund: {
    "all of a subscription": { arranged: refundOf(checkouts.subscription) },
    "all of a post": { arranged: refundOf(checkouts.post) },
    "all of a tip": { arranged: refundOf(checkouts.tip) },
    "all of a gift": { arranged: refundOf(checkouts.gift) },
    "all of a gift that was opened": {
      arranged: async (payers) => {
        const gift = await pixGift(world, payers.bruno, payers.ana);
        const charge = await sold(gift);
        const clara = await person(world.ctx, "Clara");
        await claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code: await giftCode(world.ctx, gift) });
        const id = await slowRefund(charge);
        await later(2 * HOUR_MS);
        return id;
      },
    },
    "all of a change of plan": { because: WAY_BACK, arranged: refundOf(checkouts.plan_change), applied: 9 },
    "a part of a tip": { arranged: refundOf(checkouts.tip, 500) },
    "one that the bank still does": { arranged: async (payers) => await slowRefund(await sold(await checkouts.tip(payers))) },
    "one that failed": {
      arranged: async (payers) => {
        const id = await slowRefund(await sold(await checkouts.tip(payers)));
        Object.assign(provider.refunds.get(id) ?? {}, { status: "failed", dueAt: null });
        return id;
      },
    },
    "one that nobody here asked for": {
      because: UNKNOWN,
      applied: 12,
      repeated: 10,
      arranged: async (payers) => {
        const { providerChargeId: chargeId } = await sold(await checkouts.tip(payers));
        Object.assign(provider.charges.get(chargeId ?? "") ?? {}, { refundedCents: 500 });
        provider.refunds.set("rf_outside", { id: "rf_outside", reference: null, chargeId: chargeId ?? "", status: "succeeded", amountCents: 500, dueAt: null });
        return "rf_outside";
      },
    },
  },
  transfer: {
    "a payout that arrived": { arranged: async (payers) => answered(await payoutSent(payers), { status: "paid", failureCode: null }) },
    "a payout that failed": { arranged: async (payers) => answered(await payoutSent(payers), { status: "failed", failureCode: "key_not_found" }) },
    "a payout that came back": {
      arranged: async (payers) => {
        const id = await payoutSent(payers);
        await tell("transfer", answered(id, { status: "paid", failureCode: null }));
        return answered(id, { status: "returned", failureCode: "account_closed" });
      },
    },
    "a payout that the bank still does": { arranged: payoutSent },
    "money back that arrived": { arranged: async (payers) => answered(await backSent(payers), { status: "paid", failureCode: null }) },
    "money back that failed": { arranged: async (payers) => answered(await backSent(payers), { status: "failed", failureCode: "key_not_found" }) },
    "money back that the bank still does": { arranged: backSent },
  },
  dispute: {
    "one that opens": { because: UNKNOWN, arranged: async (payers) => fought(await sold(await checkouts.subscription(payers))), applied: 4 },
    "one that the bank looks at": { arranged: disputeOf(checkouts.subscription, "under_review") },
    "one over a subscription that is won": { arranged: disputeOf(checkouts.subscription, "won") },
    "one over a subscription that is lost": { arranged: disputeOf(checkouts.subscription, "lost") },
    "one over a post that is lost": { arranged: disputeOf(checkouts.post, "lost") },
    "one over a tip that is lost": { arranged: disputeOf(checkouts.tip, "lost") },
    "one over a gift that is lost": { arranged: disputeOf(checkouts.gift, "lost") },
    "one over a change of plan that is lost": { because: WAY_BACK, arranged: disputeOf(checkouts.plan_change, "lost"), applied: 9 },
  },
  recurring_pix: {
    "one that was agreed to": {
      because: SEPARATE,
      applied: 9,
      repeated: 9,
      arranged: async ({ ana, bruno }) => {
        const code = await automaticCheckout(world, bruno, ana);
        await tell("charge", paidAtBank(code));
        return code.recurringPixId;
      },
    },
    "one that its payer ended": {
      because: SEPARATE,
      applied: 9,
      repeated: 4,
      arranged: async ({ ana, bruno }) => {
        const code = await automaticCheckout(world, bruno, ana);
        await tell("charge", paidAtBank(code));
        await tell("recurring_pix", code.recurringPixId);
        const row = provider.recurring.get(code.recurringPixId);
        if (row) provider.endRecurring(row, "canceled");
        return code.recurringPixId;
      },
    },
  },
  instruction: {
    "an order to debit": {
      because: UNKNOWN,
      applied: 4,
      repeated: 4,
      arranged: async ({ ana, bruno }) => {
        const code = await automaticCheckout(world, bruno, ana);
        await tell("charge", paidAtBank(code));
        await tell("recurring_pix", code.recurringPixId);
        await later(26 * DAY_MS);
        await runRenewals(world.ctx);
        for (const message of world.queued.splice(0)) await runMessage(world.ctx, message);
        const [debit] = await debitsOf(world, code);
        await later(5 * DAY_MS);
        return `in_${debit?.id}_1`;
      },
    },
  },
  other: { "what this product does not know": { arranged: async () => "obj_unknown" } },
};

describe.each(eventTypes)("an event about: %s;", (about) => {
  test.each(Object.entries(CASES[about]))("%s", async (_name, { arranged, applied = 2, repeated = 2 }) => {
    const objectId = await arranged({ ana: await seller(world.ctx), bruno: await person(world.ctx, "Bruno") });
    const first = await callsOf(about, objectId);
    const again = await callsOf(about, objectId);
    expect({ applied: first, repeated: again }).toEqual({ applied: expect.objectContaining({ length: applied }), repeated: expect.objectContaining({ length: repeated }) });
  });
});
