import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { sendRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import type { PendingCheckout } from "#tests/support/payments.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { chaoticProvider } from "./provider.ts";
import type { ChaoticProvider } from "./provider.ts";

export type EventAbout = ProviderEvent["type"];

type Answer = { status: "paid" | "failed" | "returned"; failureCode: string | null };

/**
 * A test world with the provider in memory, which sends no webhook by itself. Each test decides
 * which event arrives, and when.
 */
export type ManualProviderWorld = {
  world: World;
  provider: ChaoticProvider;
  /** Receives a webhook about `objectId` without applying it. Returns the inbox id. */
  received(about: EventAbout, objectId: string): Promise<string>;
  /** Receives a webhook about `objectId` and applies it. */
  deliver(about: EventAbout, objectId: string): Promise<void>;
  /** Pays the charge at the provider. Returns the provider's charge id. */
  paidAtBank(waiting: Pick<PendingCheckout, "providerChargeId">): string;
  /** Pays the charge and applies its webhook. */
  sold(waiting: PendingCheckout): Promise<Charge>;
  later(ms: number): Promise<void>;
  /** Runs `work` while every refund at the provider takes an hour. */
  slowly<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Refunds a charge, which the provider completes an hour later. Returns the provider's id. */
  refunded(charge: Charge, amountCents?: Cents): Promise<string>;
  /** Opens a dispute over the charge. Returns the provider's dispute id. */
  openDispute(charge: Charge): string;
  /**
   * Nine days later, sends a payout of the creator's whole available balance. The bank has not
   * answered yet. Returns the provider's transfer id.
   */
  payoutSent(creatorId: string): Promise<string>;
  /** Sends that payout and applies the webhook that says it is paid. */
  withdrawn(creatorId: string): Promise<void>;
  /** Sets the bank's answer to a transfer. Returns the transfer's id. */
  answered(transferId: string, answer: Answer): string;
  decided(disputeId: string, decision: "won" | "lost"): string;
};

let delivered = 0;

export async function createManualProviderWorld(): Promise<ManualProviderWorld> {
  const plain = await testContext({ webhooks: false });
  const provider = chaoticProvider(plain.ctx.now);
  const world = { ...plain, ctx: { ...plain.ctx, payments: provider.port } };
  const { ctx } = world;

  async function received(about: EventAbout, objectId: string): Promise<string> {
    const id = `evt_told_${(delivered += 1)}`;
    await receiveWebhook(
      ctx,
      new Request("https://coreto.test/webhooks/chaos", {
        method: "POST",
        body: JSON.stringify({ id, type: about, objectId }),
      }),
    );
    return `chaos-${id}`;
  }
  const deliver = async (about: EventAbout, objectId: string) =>
    await applyEvent(ctx, { inboxId: await received(about, objectId), about });

  function paidAtBank({ providerChargeId }: Pick<PendingCheckout, "providerChargeId">): string {
    const charge = provider.charges.get(providerChargeId);
    if (charge) provider.payCharge(charge);
    return providerChargeId;
  }
  async function sold(waiting: PendingCheckout): Promise<Charge> {
    await deliver("charge", paidAtBank(waiting));
    const charge = await chargeRow(ctx, waiting);
    if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
    return charge;
  }
  async function later(ms: number): Promise<void> {
    await world.advance(ms);
    provider.passTime();
  }
  async function slowly<Result>(work: () => Promise<Result>): Promise<Result> {
    const { dice } = provider.luck;
    provider.luck.dice = { ...dice, chance: (percent) => percent === 20 };
    const result = await work();
    provider.luck.dice = dice;
    return result;
  }
  async function refunded(charge: Charge, amountCents = charge.amountCents): Promise<string> {
    const id = ctx.newId();
    await commit(ctx.db, [requestRefundStatement(ctx, charge, { id, amountCents, reason: "" })]);
    await slowly(async () => await sendRefund(ctx, { refundId: id }));
    await later(2 * HOUR_MS);
    return `rf_${id}`;
  }
  function openDispute({ providerChargeId }: Charge): string {
    const providerCharge = provider.charges.get(providerChargeId ?? "");
    if (!providerCharge || !provider.openDispute(providerCharge))
      throw new Error("the bank does not fight over it");
    return `dp_${providerCharge.id}`;
  }
  function decided(disputeId: string, decision: "won" | "lost"): string {
    const dispute = provider.disputes.get(disputeId);
    if (dispute) provider.decideDispute(dispute, decision);
    return disputeId;
  }
  async function payoutSent(creatorId: string): Promise<string> {
    await ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, creatorId));
    await later(9 * DAY_MS);
    await runPayouts(ctx);
    const { payoutId } = await requestPayout(ctx, { creatorId });
    await claimPayout(ctx, { payoutId });
    await sendPayout(ctx, { payoutId });
    const [payout] = await ctx.db.select().from(payouts).where(eq(payouts.id, payoutId));
    if (payout?.status !== "sent") throw new Error(`the payout is ${payout?.status}`);
    return `tr_${payoutId}`;
  }
  function answered(transferId: string, answer: Answer): string {
    Object.assign(provider.transfers.get(transferId) ?? {}, answer, { dueAt: null });
    return transferId;
  }
  const withdrawn = async (creatorId: string) =>
    await deliver(
      "transfer",
      answered(await payoutSent(creatorId), { status: "paid", failureCode: null }),
    );
  return {
    payoutSent,
    answered,
    withdrawn,
    world,
    provider,
    received,
    deliver,
    paidAtBank,
    sold,
    later,
    slowly,
    refunded,
    openDispute,
    decided,
  };
}
