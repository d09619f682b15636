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
  delivery: DeliveryRef,
  of: { providerChargeId: string; refundId?: string | null; disputeId?: string },
): Promise<ReversalEventSnapshot | null> {
  const rows = await READS(ctx, delivery, of);
  const eventSnapshot = toInboxEventSnapshot(rows.delivery[0]);
  return eventSnapshot && { ...eventSnapshot, ...reversalOf(ctx, rows) };
}

/** Prepares an event about a refund, with its charge, the funds and the purchase. */
export async function prepareRefundEvent(
  ctx: Context,
  delivery: DeliveryRef,
): Promise<PreparedEvent | null> {
  const find = async (
    delivery: DeliveryRef,
    providerRefund: ProviderRefund,
  ): Promise<PreparedEvent | null> => {
    const found = await delivered(ctx, delivery, {
      providerChargeId: providerRefund.chargeId,
      refundId: providerRefund.reference,
    });
    return (
      found && { event: found.event, apply: async () => await refunded(ctx, found, providerRefund) }
    );
  };
  return await prepareAnsweredEvent(ctx, delivery, {
    ask: async (provider, objectId) => await provider.refundById(objectId),
    find,
  });
}

async function refunded(
  ctx: Context,
  { event, refund, charge, refundTotals, funds, purchase }: ReversalEventSnapshot,
  providerRefund: ProviderRefund,
): Promise<EventProblem | null> {
  // A provider's event never applies to a charge of another provider.
  if (charge?.provider !== event.provider) return { reason: "unknown_refund" };
  const extraWrites = [inboxHandledStatement(ctx, { inboxId: event.id })];
  if (refund)
    await settleRefund(ctx, {
      refundId: refund.id,
      providerRefund,
      snapshot: { refund, charge, funds, purchase },
      extraWrites,
    });
  // An external refund: the provider's charge says how much was refunded.
  else
    await settleCharge(ctx, {
      chargeId: charge.id,
      providerCharge: await providerOf(ctx, event).chargeById(providerRefund.chargeId),
      snapshot: { charge, refundTotals, funds, purchase },
      extraWrites,
    });
  return null;
}

/** Prepares an event about a dispute or MED, with its charge and all that it decides. */
export async function prepareDisputeEvent(
  ctx: Context,
  delivery: DeliveryRef,
): Promise<PreparedEvent | null> {
  const find = async (
    delivery: DeliveryRef,
    providerDispute: ProviderDispute,
  ): Promise<PreparedEvent | null> => {
    const found = await delivered(ctx, delivery, {
      providerChargeId: providerDispute.chargeId,
      disputeId: delivery.objectId,
    });
    return (
      found && { event: found.event, apply: async () => await fought(ctx, found, providerDispute) }
    );
  };
  return await prepareAnsweredEvent(ctx, delivery, {
    ask: async (provider, objectId) => await provider.disputeById(objectId),
    find,
  });
}

async function fought(
  ctx: Context,
  { event, charge, ...told }: ReversalEventSnapshot,
  providerDispute: ProviderDispute,
): Promise<EventProblem | null> {
  const { id: inboxId, provider, objectId: providerDisputeId } = event;
  const outcome = await settleDispute(ctx, {
    provider,
    providerDisputeId,
    providerDispute,
    extraWrites: [inboxHandledStatement(ctx, { inboxId })],
    ...(charge ? { snapshot: { ...told, charge } } : {}),
  });
  return outcome === "applied" ? null : { reason: outcome, about: { chargeId: charge?.id } };
}
