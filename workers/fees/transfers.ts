import type { InboxEventSubject } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import type { RefundTransferSnapshot } from "#app/domain/payments/refund-transfers/queries.server.ts";
import {
  toInboxEventSnapshot,
  refundTransferEventStatement,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import type { PayoutOutcome } from "#app/domain/payouts/sending/commands/settle.server.ts";
import {
  toPayoutOfEvent,
  payoutOfEventStatement,
} from "#app/domain/payouts/sending/queries/event-payout.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { buildEventReads } from "./event-steps.ts";
import type { EventProblem, EventSteps } from "./event-steps.ts";

/** A Pix of ours is either a payout or a refund transfer. */
type TransferEventSnapshot = { payout: Payout } | { refundTransfer: RefundTransferSnapshot };

export const transferEvents: EventSteps<TransferEventSnapshot, ProviderTransfer> = {
  async load(ctx, ref, named) {
    const rows = await READS(ctx, ref, named);
    const loaded = toInboxEventSnapshot(rows.event[0]);
    if (!loaded) return null;
    const { event, transfer, charge } = loaded;
    const payout = toPayoutOfEvent(rows.payout[0]);
    if (transfer && charge) return { event, snapshot: { refundTransfer: { transfer, charge } } };
    return { event, snapshot: payout && { payout } };
  },
  ask: async (provider, objectId) => await provider.transferById(objectId),
  namedBy: (_ctx, _event, { reference }) => ({ reference, providerChargeId: null }),
  async settle(ctx, { snapshot, answer: providerTransfer, extraWrites }) {
    if (!snapshot) return { reason: "unknown_transfer" };
    if ("payout" in snapshot) {
      const { payout } = snapshot;
      const update = { payoutId: payout.id, providerTransfer, read: payout, extraWrites };
      return problemOf(await settlePayout(ctx, update), { payoutId: payout.id });
    }
    const { transfer, charge } = snapshot.refundTransfer;
    return problemOf(
      await settleRefundTransfer(ctx, {
        transferId: transfer.id,
        providerTransfer,
        read: { transfer, charge },
        extraWrites,
      }),
      { chargeId: charge.id },
    );
  },
};

const READS = buildEventReads(({ db, keys }) => ({
  event: [refundTransferEventStatement({ db }, keys)],
  payout: [payoutOfEventStatement({ db }, keys)],
}));

const problemOf = (outcome: PayoutOutcome, about: InboxEventSubject): EventProblem | null =>
  outcome === "applied" ? null : { reason: outcome, about };
