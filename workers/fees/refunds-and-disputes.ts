import type { Context } from "#app/domain/context.ts";
import { inboxHandledStatement } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import {
  chargeColumnOfAnswer,
  answeredEventStatement,
  toInboxEventSnapshot,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEventSnapshot } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderDispute, ProviderRefund } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import {
  reversalOf,
  reversalStatements,
} from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import type { Reversal } from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import { prepareAnsweredEvent, buildAnsweredReads } from "./prepare-event.ts";
import type { PreparedEvent, EventProblem, DeliveryRef } from "./prepare-event.ts";

const READS = buildAnsweredReads((reading) => ({
  delivery: [answeredEventStatement(reading, reading)],
  ...reversalStatements(chargeColumnOfAnswer(reading), reading),
}));

type ReversalEventSnapshot = InboxEventSnapshot & Reversal;

async function delivered(
  ctx: Context,
  telling: DeliveryRef,
  of: { providerChargeId: string; refundId?: string | null; disputeId?: string },
): Promise<ReversalEventSnapshot | null> {
  const rows = await READS(ctx, telling, of);
  const told = toInboxEventSnapshot(rows.delivery[0]);
  return told && { ...told, ...reversalOf(ctx, rows) };
}

/** Prepares an event about a refund, with its charge, the funds and the purchase. */
export async function prepareRefundEvent(
  ctx: Context,
  telling: DeliveryRef,
): Promise<PreparedEvent | null> {
  const find = async (told: DeliveryRef, said: ProviderRefund): Promise<PreparedEvent | null> => {
    const found = await delivered(ctx, told, {
      providerChargeId: said.chargeId,
      refundId: said.reference,
    });
    return found && { event: found.event, apply: async () => await refunded(ctx, found, said) };
  };
  return await prepareAnsweredEvent(ctx, telling, {
    ask: async (provider, objectId) => await provider.refundById(objectId),
    find,
  });
}

async function refunded(
  ctx: Context,
  { event, refund, charge, back, money, purchase }: ReversalEventSnapshot,
  said: ProviderRefund,
): Promise<EventProblem | null> {
  // A provider's event never applies to a charge of another provider.
  if (charge?.provider !== event.provider) return { reason: "unknown_refund" };
  const extraWrites = [inboxHandledStatement(ctx, { inboxId: event.id })];
  if (refund)
    await settleRefund(ctx, {
      refundId: refund.id,
      said,
      snapshot: { refund, charge, money, purchase },
      extraWrites,
    });
  // An external refund: the provider's charge says how much was refunded.
  else
    await settleCharge(ctx, {
      chargeId: charge.id,
      said: await providerOf(ctx, event).chargeById(said.chargeId),
      snapshot: { charge, back, money, purchase },
      extraWrites,
    });
  return null;
}

/** Prepares an event about a dispute or MED, with its charge and all that it decides. */
export async function prepareDisputeEvent(
  ctx: Context,
  telling: DeliveryRef,
): Promise<PreparedEvent | null> {
  const find = async (told: DeliveryRef, said: ProviderDispute): Promise<PreparedEvent | null> => {
    const found = await delivered(ctx, told, {
      providerChargeId: said.chargeId,
      disputeId: told.objectId,
    });
    return found && { event: found.event, apply: async () => await fought(ctx, found, said) };
  };
  return await prepareAnsweredEvent(ctx, telling, {
    ask: async (provider, objectId) => await provider.disputeById(objectId),
    find,
  });
}

async function fought(
  ctx: Context,
  { event, charge, ...told }: ReversalEventSnapshot,
  said: ProviderDispute,
): Promise<EventProblem | null> {
  const { id: inboxId, provider, objectId: providerDisputeId } = event;
  const outcome = await settleDispute(ctx, {
    provider,
    providerDisputeId,
    said,
    extraWrites: [inboxHandledStatement(ctx, { inboxId })],
    ...(charge ? { snapshot: { ...told, charge } } : {}),
  });
  return outcome === "applied" ? null : { reason: outcome, about: { chargeId: charge?.id } };
}
