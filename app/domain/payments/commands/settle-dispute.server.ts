import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeByProviderId, chargeRow, disputeByProviderId, waitingRefunds } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { isAsideDisputed, openTransfersOf } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { isDecided, isUnpaid } from "#app/domain/payments/rules.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { FLYING_TRANSFERS } from "#app/domain/payments/rules/refund-transfers.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import { disputeCostStatements, disputeDecidedStatements, disputeOpenedStatements, disputeStageStatements } from "./disputes.server.ts";
import { kindOf } from "./kinds.server.ts";
import type { PurchaseKinds } from "./kinds.server.ts";
import { decidedTransferStatements, heldTransferStatements } from "./refund-transfers.server.ts";
import { sendRefundWith } from "./refunds.server.ts";
import { rereading } from "./rereading.server.ts";
import { settleWith } from "./settle.server.ts";

/** Why a dispute could not be applied; its delivery is quarantined with it. */
export type DisputeOutcome = "applied" | "unknown_charge" | "amount_differs";

/**
 * Applies what the provider says of a dispute or MED, once: reserved when it opens; given back with what was paid for ended when
 * it is lost; free again when it is won. What was set aside to go back by a Pix of ours waits for it, and is not sent when it is lost. A dispute first heard of when it is decided goes through both steps.
 * Throws ProviderUnclear while a refund that the provider took from the same charge is not confirmed: the dispute is over the rest.
 * Source: domain rules, "Ledger".
 */
export async function settleDisputeWith(ctx: Context, kinds: PurchaseKinds, { provider, providerDisputeId }: { provider: string; providerDisputeId: string }): Promise<DisputeOutcome> {
  const said = await madeBy(ctx, { provider }).disputeById(providerDisputeId);
  const known = await disputedCharge(ctx, provider, said);
  if (!known) return "unknown_charge";
  // The news of a dispute may be faster than those of the payment, which may be lost for good.
  if (isUnpaid(known.status)) await settleWith(ctx, kinds, { chargeId: known.id });
  const opened = await openedBesideRefunds(ctx, kinds, { chargeId: known.id, said });
  if (opened !== "applied") return opened;
  if (isDecided(said.status)) await rereading(() => decideDispute(ctx, kinds, { chargeId: known.id, said }));
  else await rereading(() => noteStage(ctx, provider, said));
  return "applied";
}

/** Also one whose making was never answered, so that we know it only by the reference that we gave it. */
async function disputedCharge(ctx: Context, provider: string, { chargeId: providerChargeId }: ProviderDispute): Promise<Charge | null> {
  const known = await chargeByProviderId(ctx, { provider, providerChargeId });
  const reference = known ? null : (await madeBy(ctx, { provider }).chargeById(providerChargeId)).reference;
  const told = reference === null ? known : await chargeRow(ctx, { chargeId: reference });
  // What one provider says is never about a charge of another.
  return told?.provider === provider ? told : null;
}

/** The provider may count a refund of ours that we do not know to be done: then it is asked, and what is left is compared again. */
async function openedBesideRefunds(ctx: Context, kinds: PurchaseKinds, dispute: { chargeId: string; said: ProviderDispute }): Promise<DisputeOutcome> {
  const open = () => rereading(() => openDispute(ctx, dispute));
  const opened = await open();
  if (opened !== "amount_differs") return opened;
  for (const { id: refundId } of await waitingRefunds(ctx, dispute)) await sendRefundWith(ctx, kinds, { refundId });
  const again = await open();
  const isStillTaking = (await waitingRefunds(ctx, dispute)).some((refund) => refund.providerRefundId !== null);
  if (again === "amount_differs" && isStillTaking) throw new ProviderUnclear("a refund of the disputed charge is not confirmed yet");
  return again;
}

async function openDispute(ctx: Context, { chargeId, said }: { chargeId: string; said: ProviderDispute }): Promise<DisputeOutcome> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge) return "unknown_charge";
  if (await disputeByProviderId(ctx, { provider: charge.provider, providerDisputeId: said.id })) return "applied";
  if (await isAsideDisputed(ctx, { chargeId, providerDisputeId: said.id })) return "applied";
  const transfers = await openTransfersOf(ctx, { chargeId });
  if (transfers.some(({ status }) => FLYING_TRANSFERS.includes(status))) throw new ProviderUnclear("a refund of the disputed charge is on its way to who paid");
  // What is left of the charge, and what is set aside of it, is what can be fought over; anything else needs a human.
  const leftCents = charge.amountCents - charge.refundedCents;
  const asideCents = transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (said.amountCents !== leftCents + asideCents || charge.succeededAt === null) return "amount_differs";
  await commit(ctx.db, [...(leftCents > 0 ? await disputeOpenedStatements(ctx, charge, { ...said, amountCents: leftCents }) : []), ...heldTransferStatements(ctx, transfers, { providerDisputeId: said.id })]);
  return "applied";
}

/** The bank looks at an answer; the provider may also have moved the day. */
async function noteStage(ctx: Context, provider: string, said: ProviderDispute): Promise<void> {
  const dispute = await disputeByProviderId(ctx, { provider, providerDisputeId: said.id });
  if (dispute) await commit(ctx.db, [...disputeStageStatements(ctx, dispute, said), ...disputeCostStatements(ctx, dispute, said)]);
}

async function decideDispute(ctx: Context, kinds: PurchaseKinds, { chargeId, said }: { chargeId: string; said: ProviderDispute }): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  const dispute = charge && (await disputeByProviderId(ctx, { provider: charge.provider, providerDisputeId: said.id }));
  if (!charge || !isDecided(said.status)) return;
  const held = (await openTransfersOf(ctx, { chargeId })).filter(({ heldBy }) => heldBy === said.id);
  const writes = decidedTransferStatements(ctx, charge, held, said.status);
  if (dispute?.status === "open") {
    writes.push(...(await disputeDecidedStatements(ctx, charge, dispute, said.status)));
    const kind = kindOf(kinds, charge);
    writes.push(...(said.status === "lost" ? await kind.endedStatements(ctx, charge, "dispute_lost") : ((await kind.wonStatements?.(ctx, charge)) ?? [])));
  }
  if (dispute) writes.push(...disputeCostStatements(ctx, dispute, said));
  if (writes.length > 0) await commit(ctx.db, writes);
}
