import type { Context } from "#app/domain/context.ts";
import {
  chargeColumnOfEvent,
  reversalEventStatement,
  toInboxEventSnapshot,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEventSnapshot } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderDispute, ProviderRefund } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import {
  reversalOf,
  reversalStatements,
} from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import type { Reversal } from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import { buildEventReads } from "./event-steps.ts";
import type { EventRef, EventSteps, LoadedEvent, NamedIds } from "./event-steps.ts";

/** A refund or dispute, its charge, the funds, and what ends with the charge. */
type ReversalEventSnapshot = Pick<
  InboxEventSnapshot,
  "refund" | "dispute" | "othersOpen" | "refundTotals"
> &
  Reversal & { charge: Charge };

export const refundEvents: EventSteps<ReversalEventSnapshot, ProviderRefund> = {
  load: loaderOf("refund"),
  ask: async (provider, objectId) => await provider.refundById(objectId),
  namedBy: (_ctx, _event, { reference, chargeId: providerChargeId }) => ({
    reference,
    providerChargeId,
  }),
  async settle(ctx, { event, snapshot, answer: providerRefund, extraWrites }) {
    if (!snapshot) return { reason: "unknown_refund" };
    const { charge, refund, refundTotals, funds, purchase } = snapshot;
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
  },
};

/** Disputes of cards, and MED of Pix. */
export const disputeEvents: EventSteps<ReversalEventSnapshot, ProviderDispute> = {
  load: loaderOf("dispute"),
  ask: async (provider, objectId) => await provider.disputeById(objectId),
  namedBy: (_ctx, _event, { chargeId: providerChargeId }) => ({
    reference: null,
    providerChargeId,
  }),
  async settle(ctx, { event, snapshot, answer: providerDispute, extraWrites }) {
    const outcome = await settleDispute(ctx, {
      provider: event.provider,
      providerDisputeId: event.objectId,
      providerDispute,
      ...(snapshot ? { snapshot } : {}),
      extraWrites,
    });
    return outcome === "applied"
      ? null
      : { reason: outcome, about: { chargeId: snapshot?.charge.id } };
  },
};

function loaderOf(type: "refund" | "dispute") {
  const reads = buildEventReads((reading) => ({
    event: [reversalEventStatement(reading, type, reading.keys)],
    ...reversalStatements(chargeColumnOfEvent(type, reading.keys), reading),
  }));
  return async (
    ctx: Context,
    ref: EventRef,
    named: NamedIds,
  ): Promise<LoadedEvent<ReversalEventSnapshot> | null> => {
    const rows = await reads(ctx, ref, named);
    const loaded = toInboxEventSnapshot(rows.event[0]);
    if (!loaded) return null;
    const { event, charge, refund, dispute, othersOpen, refundTotals } = loaded;
    return {
      event,
      snapshot: charge && {
        charge,
        refund,
        dispute,
        othersOpen,
        refundTotals,
        ...reversalOf(ctx, rows),
      },
    };
  };
}
