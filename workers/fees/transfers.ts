import type { Context } from "#app/domain/context.ts";
import { inboxHandledStatement } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import type { InboxEventSubject } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import {
  toInboxEventSnapshot,
  refundTransferEventStatement,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEventSnapshot } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import { loadRefundTransferSnapshot } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import type { PayoutOutcome } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  toPayoutOfEvent,
  payoutOfEventStatement,
} from "#app/domain/payouts/sending/queries/event-payout.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { buildEventReads } from "./prepare-event.ts";
import type { PreparedEvent, EventProblem, DeliveryRef } from "./prepare-event.ts";

const READS = buildEventReads(({ db, inboxId }) => ({
  delivery: [refundTransferEventStatement({ db }, { inboxId })],
  payout: [payoutOfEventStatement({ db }, { inboxId })],
}));

/** Prepares an event about a Pix of ours: a payout or a refund transfer. */
export async function prepareTransferEvent(
  ctx: Context,
  { inboxId }: DeliveryRef,
): Promise<PreparedEvent | null> {
  const { delivery, payout } = await READS(ctx, inboxId);
  const eventSnapshot = toInboxEventSnapshot(delivery[0]);
  return (
    eventSnapshot && {
      event: eventSnapshot.event,
      apply: async () => await settled(ctx, eventSnapshot, toPayoutOfEvent(payout[0])),
    }
  );
}

/**
 * An event may come before the provider's id is stored. Its reference is our row's id, stored
 * before.
 */
async function settled(
  ctx: Context,
  eventSnapshot: InboxEventSnapshot,
  payout: Payout | null,
): Promise<EventProblem | null> {
  const { id: inboxId, provider, objectId } = eventSnapshot.event;
  const providerTransfer = await providerOf(ctx, { provider }).transferById(objectId);
  const extraWrites = [inboxHandledStatement(ctx, { inboxId })];
  const known =
    eventSnapshot.transfer && eventSnapshot.charge
      ? { transfer: eventSnapshot.transfer, charge: eventSnapshot.charge }
      : null;
  const back = payout
    ? null
    : (known ??
      (providerTransfer.reference
        ? await loadRefundTransferSnapshot(ctx, { transferId: providerTransfer.reference })
        : null));
  if (back?.transfer.provider === provider) {
    return problemOf(
      await settleRefundTransfer(ctx, {
        transferId: back.transfer.id,
        providerTransfer,
        read: back,
        extraWrites,
      }),
      { chargeId: back.charge.id },
    );
  }
  const paidOut =
    payout ??
    (providerTransfer.reference
      ? await payoutRow(ctx, { payoutId: providerTransfer.reference })
      : null);
  if (paidOut?.provider !== provider) return { reason: "unknown_transfer" };
  return problemOf(
    await settlePayout(ctx, { payoutId: paidOut.id, providerTransfer, read: paidOut, extraWrites }),
    { payoutId: paidOut.id },
  );
}

const problemOf = (outcome: PayoutOutcome, about: InboxEventSubject): EventProblem | null =>
  outcome === "applied" ? null : { reason: outcome, about };
