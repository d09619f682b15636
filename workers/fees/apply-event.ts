import { sql } from "drizzle-orm";
import { builtOnce } from "#app/db/built-once.ts";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countEventAttempt, handledStatement, quarantineEvent } from "#app/domain/payments/commands/inbox.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { settleRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import { refundTransferRow } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { chargeByProviderId, deliveryOf, deliveryStatement, purchaseToldOf, refundProvider, waitingInbox } from "#app/domain/payments/queries.server.ts";
import type { Delivery, InboxEvent } from "#app/domain/payments/queries.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderRefund } from "#app/domain/payments/schema.ts";
import { settlePayout } from "#app/domain/payouts/commands.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { settleCharge, settleDispute, settleRefund } from "#app/domain/purchases/commands/settle.server.ts";
import { paidForOf, paidForStatements } from "#app/domain/purchases/queries/paid-for.server.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
import { settleAuthorisationOf, settleAuthorisationQuietly } from "#app/domain/subscriptions/commands/authorisation.server.ts";
import { chargeTold } from "#app/domain/subscriptions/queries/automatic.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** How often an event that fails for a reason of ours is tried before it is set aside for a human. */
const ATTEMPTS_LIMIT = 10;
/** Deliveries of a batch that are applied beside each other: what two do to the same charge, the database lets one do. */
export const AT_ONCE = 5;
const SWEEP_LIMIT = 200;
/** A message younger than this is probably still in its queue. */
const SWEEP_AGE_MS = 15_000;

/**
 * Applies one stored delivery: reloads it, asks the provider what is true now, applies that once, stamps it. Safe to run any
 * number of times and in any order of events, since what is applied is the provider's present answer and never the event.
 */
export async function applyEvent(ctx: Context, { inboxId }: { inboxId: string }): Promise<void> {
  const found = await deliveryFound(ctx, inboxId);
  if (!found || found.event.handledAt !== null || found.event.quarantinedAt !== null) return;
  try {
    const problem = await settled(ctx, found);
    if (problem) await quarantineEvent(ctx, { inboxId, reason: problem });
  } catch (error) {
    if (error instanceof ProviderRefused) return await quarantineEvent(ctx, { inboxId, reason: `provider_refused:${error.code}` });
    const isOurs = !(error instanceof ProviderUnclear);
    if (isOurs && (await countEventAttempt(ctx, { inboxId })) >= ATTEMPTS_LIMIT) {
      return await quarantineEvent(ctx, { inboxId, reason: error instanceof Error ? error.name : "unknown" });
    }
    throw error;
  }
}

type Found = Delivery & { paidFor: PaidFor };

const readsOf = (adultSpaces: boolean) =>
  builtOnce((db) => {
    const inboxId = sql<string>`${sql.placeholder("inboxId")}`;
    return [deliveryStatement({ db }, { inboxId }), ...paidForStatements({ db, adultSpaces }, { ...purchaseToldOf({ inboxId }), now: sql<Instant>`${sql.placeholder("now")}` })];
  });
const READS = { true: readsOf(true), false: readsOf(false) };

/** The delivery, its charge, and what that pays for, in one trip to the database. */
async function deliveryFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const [delivery, ...paidFor] = await ctx.db.batch(READS[`${ctx.settings.adultSpaces}`](ctx.db, { inboxId, now: ctx.now() }));
  const found = deliveryOf(delivery);
  return found && { ...found, paidFor: paidForOf(ctx, paidFor) };
}

/** Applies and stamps it; gives the reason when it cannot be applied, and then stamps nothing. A charge is stamped in its own batch. */
async function settled(ctx: Context, found: Found): Promise<string | null> {
  const { type, objectId, id } = found.event;
  if (type === "charge") return await settledCharge(ctx, found, objectId);
  if (type === "instruction") return await settledCharge(ctx, found, (await madeBy(ctx, found.event).instructionById(objectId)).chargeId);
  const problem = await settledOther(ctx, found.event);
  if (problem === null) await commit(ctx.db, [handledStatement(ctx, { inboxId: id })]);
  return problem;
}

async function settledOther(ctx: Context, { type, objectId, provider }: InboxEvent): Promise<string | null> {
  switch (type) {
    case "refund": {
      const said = await madeBy(ctx, { provider }).refundById(objectId);
      if (!said.reference || (await refundProvider(ctx, { refundId: said.reference })) !== provider) return await settledReturned(ctx, provider, said);
      await settleRefund(ctx, { refundId: said.reference, said });
      return null;
    }
    case "transfer": {
      const said = await madeBy(ctx, { provider }).transferById(objectId);
      const refund = said.reference ? await refundTransferRow(ctx, { transferId: said.reference }) : null;
      if (refund?.provider === provider) {
        await settleRefundTransfer(ctx, { transferId: refund.id, said });
        return null;
      }
      if (!said.reference || (await payoutRow(ctx, { payoutId: said.reference }))?.provider !== provider) return "unknown_transfer";
      await settlePayout(ctx, { payoutId: said.reference, said });
      return null;
    }
    case "recurring_pix":
      return (await settleAuthorisationOf(ctx, { provider, providerRecurringPixId: objectId })) ? null : "unknown_recurring_pix";
    case "dispute": {
      const outcome = await settleDispute(ctx, { provider, providerDisputeId: objectId });
      return outcome === "applied" ? null : outcome;
    }
    default:
      return "unknown_type";
  }
}

/** A refund that nobody here asked for: its charge says what went back. */
async function settledReturned(ctx: Context, provider: string, { chargeId: providerChargeId }: ProviderRefund): Promise<string | null> {
  const charge = await chargeByProviderId(ctx, { provider, providerChargeId });
  if (!charge) return "unknown_refund";
  await settleCharge(ctx, { chargeId: charge.id });
  return null;
}

/** The event may come before we could write the provider's id: its reference is our charge's id, which we wrote first. */
async function settledCharge(ctx: Context, { event, charge: known, paidFor }: Found, providerChargeId: string): Promise<string | null> {
  const { provider } = event;
  const said = await madeBy(ctx, { provider }).chargeById(providerChargeId);
  const charge =
    known ??
    (await chargeByProviderId(ctx, { provider, providerChargeId })) ??
    (await chargeTold(ctx, { provider, said }));
  // What one provider says is never about a charge of another.
  if (charge?.provider !== provider) return "unknown_charge";
  await settleCharge(ctx, { chargeId: charge.id, said, read: charge, alongside: [handledStatement(ctx, { inboxId: event.id })] }, known ? paidFor : null);
  // The payment in the code of an authorisation came: whether that pays the renewals too is asked at once, and by reconciliation.
  if (charge.recurringPixId !== null && charge.debitOn === null) await settleAuthorisationQuietly(ctx, { authorisationId: charge.recurringPixId });
  return null;
}

/** Enqueues again what was received and never handled: a queue may lose anything, the row does not. */
export async function sweepInbox(ctx: Context): Promise<void> {
  const ids = await waitingInbox(ctx, { before: ctx.realNow() - SWEEP_AGE_MS, limit: SWEEP_LIMIT });
  await ctx.queues.paymentEvents.sendAll(ids.map((id) => ({ version: 1, type: "inbox.received", id })));
}
