import type { Context } from "#app/domain/context.ts";
import { countEventAttempt, markEventHandled, quarantineEvent } from "#app/domain/payments/commands/inbox.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeByProviderId, chargeRow, inboxEvent, refundRow, waitingInbox } from "#app/domain/payments/queries.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import { settlePayout } from "#app/domain/payouts/commands.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { settleCharge, settleDispute, settleRefund } from "#app/domain/purchases/commands/settle.server.ts";

/** How often an event that fails for a reason of ours is tried before it is set aside for a human. */
const ATTEMPTS_LIMIT = 10;
const SWEEP_LIMIT = 200;
/** A message younger than this is probably still in its queue. */
const SWEEP_AGE_MS = 15_000;

/**
 * Applies one stored delivery: reloads it, asks the provider what is true now, applies that once, stamps it. Safe to run any
 * number of times and in any order of events, since what is applied is the provider's present answer and never the event.
 */
export async function applyEvent(ctx: Context, { inboxId }: { inboxId: string }): Promise<void> {
  const event = await inboxEvent(ctx, { inboxId });
  if (!event || event.handledAt !== null || event.quarantinedAt !== null) return;
  try {
    const problem = await settled(ctx, event);
    if (problem) await quarantineEvent(ctx, { inboxId, reason: problem });
    else await markEventHandled(ctx, { inboxId });
  } catch (error) {
    if (error instanceof ProviderRefused) return await quarantineEvent(ctx, { inboxId, reason: `provider_refused:${error.code}` });
    const isOurs = !(error instanceof ProviderUnclear);
    if (isOurs && (await countEventAttempt(ctx, { inboxId })) >= ATTEMPTS_LIMIT) {
      return await quarantineEvent(ctx, { inboxId, reason: error instanceof Error ? error.name : "unknown" });
    }
    throw error;
  }
}

/** Gives the reason when the event cannot be applied, null when there is nothing left to do. */
async function settled(ctx: Context, { type, objectId }: InboxEvent): Promise<string | null> {
  switch (type) {
    case "charge":
      return await settledCharge(ctx, objectId);
    case "refund": {
      const said = await ctx.payments.refundById(objectId);
      if (!said.reference || !(await refundRow(ctx, { refundId: said.reference }))) return "unknown_refund";
      await settleRefund(ctx, { refundId: said.reference, said });
      return null;
    }
    case "transfer": {
      const said = await ctx.payments.transferById(objectId);
      if (!said.reference || !(await payoutRow(ctx, { payoutId: said.reference }))) return "unknown_transfer";
      await settlePayout(ctx, { payoutId: said.reference, said });
      return null;
    }
    case "instruction":
      return await settledCharge(ctx, (await ctx.payments.instructionById(objectId)).chargeId);
    case "recurring_pix":
      return "unknown_recurring_pix";
    case "dispute": {
      const outcome = await settleDispute(ctx, { providerDisputeId: objectId });
      return outcome === "applied" ? null : outcome;
    }
    default:
      return "unknown_type";
  }
}

/** The event may come before we could write the provider's id: its reference is our charge's id, which we wrote first. */
async function settledCharge(ctx: Context, providerChargeId: string): Promise<string | null> {
  const said = await ctx.payments.chargeById(providerChargeId);
  const charge =
    (await chargeByProviderId(ctx, { provider: ctx.payments.name, providerChargeId })) ??
    (said.reference ? await chargeRow(ctx, { chargeId: said.reference }) : null);
  if (!charge) return "unknown_charge";
  await settleCharge(ctx, { chargeId: charge.id, said });
  return null;
}

/** Enqueues again what was received and never handled: a queue may lose anything, the row does not. */
export async function sweepInbox(ctx: Context): Promise<void> {
  for (const id of await waitingInbox(ctx, { before: ctx.realNow() - SWEEP_AGE_MS, limit: SWEEP_LIMIT })) {
    await ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
  }
}
