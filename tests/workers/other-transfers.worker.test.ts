import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { receiveEvent } from "#app/domain/payments/commands/inbox.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import type { PaymentProvider, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/commands/settle.server.ts";
import { balancesOf, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { payoutHolds } from "#drizzle/schema/payouts.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { expectSetAside } from "#tests/support/aside.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { asideOf, giveKey, oldTip, setAside, triesOf } from "#tests/support/refund-transfers.ts";

const NET_CENTS = 1_890;
const OTHER = "tr_other";

let world: World;
let ana: Seller;
let deliveries = 0;

beforeEach(async () => {
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
