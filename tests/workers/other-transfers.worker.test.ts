import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { receiveEvent } from "#app/domain/payments/commands/inbox.server.ts";
import { sendRefundTransfer, settleRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import type { PaymentProvider, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/commands/settle.server.ts";
import { balancesOf, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { payoutHolds } from "#drizzle/schema/payouts.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { expectSetAside } from "#tests/support/aside.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { noNights, untilNight, wholeNight } from "#tests/support/reconciliation.ts";
import { answeredByBank, asideOf, giveKey, oldTip, setAside, statusesOf, triesOf } from "#tests/support/refund-transfers.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const NET_CENTS = 1_890;
const OTHER = "tr_other";

let world: World;
let ana: Seller;
let deliveries = 0;

beforeEach(async () => {
  // The provider of a test before goes on saying what it says, which is not what the test said that it does.
  await Promise.all([cleanDatabase("DB", testEnv.DB, []), cleanDatabase("PSP_DB", testEnv.PSP_DB, [])]);
  world = await testContext();
  ana = await seller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
});
afterEach(() => expectBooksToHold(world.ctx));

/** The provider as it is, but that asked for this transfer it says this. */
function saying(said: ProviderTransfer): Context {
  const payments = world.ctx.payments as PaymentProvider;
  return { ...world.ctx, payments: { ...payments, transferById: async (id) => (id === said.id ? said : await payments.transferById(id)) } };
}

/** A webhook about a transfer, applied while the provider says that; gives what became of its delivery. */
async function told(said: ProviderTransfer): Promise<{ reason: string | null; handledAt: number | null } | undefined> {
  const id = `evt_${(deliveries += 1)}`;
  const { id: inboxId } = await receiveEvent(world.ctx, { provider: "sandbox", event: { id, type: "transfer", objectId: said.id }, rawBody: "{}" });
  await applyEvent(saying(said), { inboxId });
  const [delivery] = await world.ctx.db.select({ reason: inbox.quarantineReason, handledAt: inbox.handledAt }).from(inbox).where(eq(inbox.id, inboxId));
  return delivery;
}

/** The provider itself says so from now on, in its lists too. */
const saysFailed = (transferId: string) => testEnv.PSP_DB.prepare("UPDATE transfers SET status = 'failed', failure_code = 'account_closed' WHERE id = ?").bind(transferId).run();

async function night(): Promise<void> {
  await noNights();
  await world.advance(untilNight(world.ctx.now()));
  await wholeNight(world.ctx);
  await noNights();
}

/** Every account with what is in it, and how many letters were asked for: what no repeat changes. */
const allOfIt = async () => [await world.ctx.db.select({ id: ledgerAccounts.id, cents: ledgerAccounts.balanceCents }).from(ledgerAccounts).orderBy(ledgerAccounts.id), await world.ctx.db.$count(outbox)];
const centsIn = async (accountId: string) => (await world.ctx.db.select({ cents: ledgerAccounts.balanceCents }).from(ledgerAccounts).where(eq(ledgerAccounts.id, accountId)))[0]?.cents;
const isAnnounced = async (id: string) => (await world.ctx.db.$count(outbox, eq(outbox.id, id))) === 1;

const holds = () => world.ctx.db.select({ endedAt: payoutHolds.endedAt }).from(payoutHolds).where(eq(payoutHolds.creatorId, ana.id));

/** A payout of all that a sale brought, which the provider has. */
async function sent(): Promise<{ payoutId: string; transferId: string }> {
  await subscribed(world, await person(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  await claimPayout(world.ctx, { payoutId });
  await sendPayout(world.ctx, { payoutId });
  const payout = await payoutRow(world.ctx, { payoutId });
  if (payout?.status !== "sent" || !payout.providerTransferId) throw new Error(`the payout is ${payout?.status}`);
  return { payoutId, transferId: payout.providerTransferId };
}

const said = (payoutId: string, id: string, status: ProviderTransfer["status"]): ProviderTransfer => ({ id, reference: payoutId, status, amountCents: NET_CENTS, failureCode: status === "failed" ? "account_closed" : null });

describe("another transfer under the same payout", () => {
  test.each(["failed", "paid", "returned", "processing"] as const)("that is %s changes nothing of the first and is set aside; the first is paid as if nothing had been", async (status) => {
    const { payoutId, transferId } = await sent();
    expect(await told(said(payoutId, OTHER, status))).toEqual({ reason: "another_transfer", handledAt: null });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "sent", providerTransferId: transferId });
    expect((await balancesOf(world.ctx, { creatorId: ana.id })).availableCents).toBe(0);
    await told(said(payoutId, transferId, "paid"));
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "paid", providerTransferId: transferId });
    expect(await balancesOf(world.ctx, { creatorId: ana.id })).toMatchObject({ availableCents: 0, inTransitCents: 0 });
    await expectSetAside(world.ctx, ["another_transfer"]);
  });
});

describe("another transfer under the same refund", () => {
  test("that failed asks nobody for another key, and is set aside", async () => {
    const tip = await oldTip(world, await person(world.ctx, "Bruno"), ana);
    const refundId = await setAside(world, tip);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(world.ctx, { transferId });
    const [before] = await triesOf(world, refundId);
    expect(before).toMatchObject({ status: "sent" });
    const aside = await asideOf(world, refundId);
    const news = { id: OTHER, reference: transferId, status: "failed" as const, amountCents: tip.amountCents, failureCode: "key_not_found" };
    expect(await told(news)).toEqual({ reason: "another_transfer", handledAt: null });
    expect(await triesOf(world, refundId)).toEqual([before]);
    expect(await asideOf(world, refundId)).toBe(aside);
    await expectSetAside(world.ctx, ["another_transfer"]);
  });
});

describe("a payout that was paid, and whose very transfer is told as failed later", () => {
  async function paid(): Promise<{ payoutId: string; transferId: string; clearingCents: number }> {
    const one = await sent();
    await told(said(one.payoutId, one.transferId, "paid"));
    expect(await payoutRow(world.ctx, one)).toMatchObject({ status: "paid" });
    return { ...one, clearingCents: (await centsIn("provider_clearing:sandbox")) ?? 0 };
  }
  async function expectBack({ payoutId, clearingCents }: { payoutId: string; clearingCents: number }): Promise<void> {
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "returned", failureCode: "account_closed" });
    expect(await balancesOf(world.ctx, { creatorId: ana.id })).toMatchObject({ availableCents: NET_CENTS, inTransitCents: 0 });
    expect(await centsIn("provider_clearing:sandbox")).toBe(clearingCents + NET_CENTS);
    expect(await isAnnounced(`payout:${payoutId}:returned`)).toBe(true);
  }

  test("came back: its creator has the money, and reads it, once", async () => {
    const one = await paid();
    const news = said(one.payoutId, one.transferId, "failed");
    expect(await told(news)).toEqual({ reason: null, handledAt: expect.any(Number) });
    await expectBack(one);
    const before = await allOfIt();
    await told(news);
    await told({ ...news, status: "returned" });
    expect(await settlePayout(world.ctx, { payoutId: one.payoutId, said: news })).toBe("applied");
    expect(await allOfIt()).toEqual(before);
  });

  test("is found by the night too", async () => {
    const one = await paid();
    await saysFailed(one.transferId);
    await night();
    await expectBack(one);
    const before = await allOfIt();
    await night();
    expect(await allOfIt()).toEqual(before);
  });

  test("and then as paid again: nothing of it leaves before somebody looked", async () => {
    const { payoutId, transferId } = await paid();
    await told(said(payoutId, transferId, "failed"));
    expect(await told(said(payoutId, transferId, "paid"))).toEqual({ reason: "paid_after_given_back", handledAt: null });
    expect(await holds()).toEqual([{ endedAt: null }]);
    await expectSetAside(world.ctx, ["paid_after_given_back"]);
  });

  test.each([OTHER, ""])("another one (%j) takes nothing back", async (id) => {
    const { payoutId } = await paid();
    const before = await allOfIt();
    const outcome = await settlePayout(world.ctx, { payoutId, said: said(payoutId, id, "failed") });
    expect([outcome, await allOfIt()]).toEqual([id === OTHER ? "another_transfer" : "applied", before]);
  });
});

describe("a refund that was paid, and whose very transfer is told as failed later", () => {
  async function paid(): Promise<{ refundId: string; transferId: string; providerTransferId: string; amountCents: number; clearingCents: number }> {
    const tip = await oldTip(world, await person(world.ctx, "Bruno"), ana);
    const refundId = await setAside(world, tip);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(world.ctx, { transferId });
    await answeredByBank(world, transferId);
    const [one] = await triesOf(world, refundId);
    if (one?.status !== "paid" || !one.providerTransferId) throw new Error(`the transfer is ${one?.status}`);
    expect(await asideOf(world, refundId)).toBe(0);
    return { refundId, transferId, providerTransferId: one.providerTransferId, amountCents: tip.amountCents, clearingCents: (await centsIn("provider_clearing:sandbox")) ?? 0 };
  }
  async function expectBack({ refundId, amountCents, clearingCents }: Awaited<ReturnType<typeof paid>>): Promise<void> {
    expect(await statusesOf(world, refundId)).toEqual(["returned", "awaiting_key"]);
    expect(await asideOf(world, refundId)).toBe(amountCents);
    expect(await centsIn("provider_clearing:sandbox")).toBe(clearingCents + amountCents);
    expect(await isAnnounced(`refund-transfer:${(await triesOf(world, refundId))[1]?.id}:key_asked:0`)).toBe(true);
  }

  test("came back: it is set aside for who paid again, who is asked for another key, once", async () => {
    const one = await paid();
    const news = { id: one.providerTransferId, reference: one.transferId, status: "failed" as const, amountCents: one.amountCents, failureCode: "account_closed" };
    expect(await told(news)).toEqual({ reason: null, handledAt: expect.any(Number) });
    await expectBack(one);
    const before = await allOfIt();
    await told(news);
    await told({ ...news, status: "returned" });
    expect(await settleRefundTransfer(world.ctx, { transferId: one.transferId, said: news })).toBe("applied");
    expect(await allOfIt()).toEqual(before);
  });

  test("is found by the night too", async () => {
    const one = await paid();
    await saysFailed(one.providerTransferId);
    await night();
    await expectBack(one);
    const before = await allOfIt();
    await night();
    expect(await allOfIt()).toEqual(before);
  });

  test.each([OTHER, ""])("another one (%j) takes nothing back", async (id) => {
    const { transferId, amountCents } = await paid();
    const before = await allOfIt();
    const outcome = await settleRefundTransfer(world.ctx, { transferId, said: { id, reference: transferId, status: "failed", amountCents, failureCode: "account_closed" } });
    expect([outcome, await allOfIt()]).toEqual([id === OTHER ? "another_transfer" : "applied", before]);
  });
});

describe("a payout told as failed, and as paid later", () => {
  test.each([
    ["paid", "the very one"],
    ["processing", "the very one"],
    ["paid", "another one"],
  ] as const)("%s, %s: it is set aside, and the money that went back does not leave again before somebody looked", async (status, which) => {
    const { payoutId, transferId } = await sent();
    await told(said(payoutId, transferId, "failed"));
    expect((await balancesOf(world.ctx, { creatorId: ana.id })).availableCents).toBe(NET_CENTS);
    const news = said(payoutId, which === "another one" ? OTHER : transferId, status);
    expect(await told(news)).toEqual({ reason: "paid_after_given_back", handledAt: null });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "failed" });
    expect(await holds()).toEqual([{ endedAt: null }]);
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow("confer");
    // Told again, also by the night, it holds them once.
    expect(await settlePayout(saying(news), { payoutId, said: news })).toBe("paid_after_given_back");
    expect(await holds()).toHaveLength(1);
    await expectSetAside(world.ctx, ["paid_after_given_back"]);
  });
});
