import { forgetPayerDigests } from "#app/domain/payments/refund-transfers/commands/refund-payer.server.ts";
import { remindOfRefundKey } from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import {
  RELEASE_BATCH_SIZE,
  releaseDueParts,
} from "#app/domain/payments/releases/commands/releases.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import {
  dueRefundKeyReminders,
  dueRefundTransfers,
  loadRefundTransfersToSend,
} from "#app/domain/payments/refund-transfers/queries.server.ts";
import { releasesDue } from "#app/domain/payments/releases/queries.server.ts";
import {
  stepPerRow,
  stepPerLoadedRow,
  stepPerBatch,
} from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/** About 240 calls to D1, which fit in one run. */
const RELEASES_PER_RUN = 3_000;
const TRANSFERS_PER_RUN = 100;
/** Transfers read in one call: the row, and what decides whether it is sent. */
const TRANSFERS_READ = 50;
const REMINDERS_PER_RUN = 100;

/** Sends refund transfers and releases funds whose hold has ended. */
export const paymentSteps = {
  sendRefundTransfers: stepPerLoadedRow({
    name: "payments.send_refund_transfers",
    event: "payouts.refund_transfer_unclear",
    due: (ctx) => dueRefundTransfers(ctx, { limit: TRANSFERS_PER_RUN }),
    size: TRANSFERS_READ,
    read: (ctx, transferIds) => loadRefundTransfersToSend(ctx, { transferIds }),
    each: (ctx, transferId, read) =>
      sendRefundTransfer(ctx, { transferId, ...(read ? { read } : {}) }),
  }),
  release: stepPerBatch({
    name: "payments.release",
    event: "payouts.release_failed",
    due: (ctx, now) => releasesDue(ctx, { now, limit: RELEASES_PER_RUN }),
    size: RELEASE_BATCH_SIZE,
    together: (ctx, releaseIds) => releaseDueParts(ctx, { releaseIds }),
  }),
  remindOfRefundKeys: stepPerRow({
    name: "payments.remind_of_refund_keys",
    event: "payouts.reminder_failed",
    kind: "key_reminder",
    due: (ctx) => dueRefundKeyReminders(ctx, { limit: REMINDERS_PER_RUN }),
    each: (ctx, transferId) => remindOfRefundKey(ctx, { transferId }),
  }),
  forgetPayerDigests: {
    name: "payments.forget_payer_digests",
    event: "payouts.forgetting_failed",
    run: forgetPayerDigests,
  },
} satisfies Record<string, Step>;
