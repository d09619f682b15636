import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { commit, mustChangeOne, guardStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { payoutBlockingChecksStatement } from "#app/domain/audit/queries/checks.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { refundTotalsUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { loadRefundTransfersToSend } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransferToSend } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { transferSender } from "#app/domain/payments/refund-transfers/rules.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import { refundTransferSupersededStatements } from "./refund-transfers.server.ts";
import { settleRefundTransfer } from "./settle-refund-transfer.server.ts";

/**
 * Sends a refund transfer to the payer's key, under the transfer's own id. A repeated request moves
 * money once. The row is claimed in a commit of its own before the provider is asked. An unclear
 * answer throws ProviderUnclear and is asked about later. Nothing is sent while a ledger invariant
 * is broken, the payment is disputed, or the provider's balance is too low. Source: domain rules,
 * "Payouts"; docs/decisions/money/refund-an-old-pix-by-a-transfer.md and
 * docs/decisions/money/check-invariants-on-what-changed.md.
 */
export async function sendRefundTransfer(
  ctx: Context,
  {
    transferId,
    read,
  }: { transferId: string; /** As the caller just read it. */ read?: RefundTransferToSend },
): Promise<void> {
  // A transfer claimed earlier may have been sent since it was read.
  const loaded =
    read && read.transfer.status !== "claimed"
      ? read
      : (await loadRefundTransfersToSend(ctx, { transferIds: [transferId] })).get(transferId);
  if (loaded?.isHeldByBooks && loaded.transfer.status !== "sent")
    ctx.log("payouts.held_by_books", { transferId });
  const snapshot = loaded?.transfer.status === "ready" ? await claimed(ctx, loaded) : loaded;
  if (!snapshot) return;
  const {
    status,
    provider,
    amountCents,
    pixKeyKind,
    pixKey,
    keyGivenAt: readyAt,
  } = snapshot.transfer;
  if (status === "sent" || (status === "claimed" && snapshot.isHeldByBooks))
    return void (await settleRefundTransfer(ctx, { transferId, read: snapshot }));
  if (status !== "claimed" || provider === null || pixKey === null || pixKeyKind === null) return;
  try {
    await settleRefundTransfer(ctx, {
      transferId,
      read: snapshot,
      providerTransfer: await providerOf(ctx, { provider }).transfer({
        payoutId: transferId,
        amountCents,
        pixKeyKind,
        pixKey,
        readyAt,
      }),
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    await settleRefundTransfer(ctx, {
      transferId,
      read: snapshot,
      providerTransfer: {
        id: "",
        reference: transferId,
        status: "failed",
        amountCents,
        failureCode: error.code,
      },
    });
  }
}

/**
 * Sends a refund transfer at once, when the payer has just given the key. The payouts worker's cron
 * retries it.
 */
export async function sendRefundTransferNow(
  ctx: Context,
  transfer: { transferId: string },
): Promise<void> {
  try {
    await sendRefundTransfer(ctx, transfer);
  } catch (error) {
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_transfer_unclear", transfer);
  }
}

/**
 * Claims a transfer that may be sent now. Returns null if it must wait, or if it changed meanwhile.
 * Throws ProviderUnclear.
 */
async function claimed(
  ctx: Context,
  snapshot: RefundTransferToSend,
): Promise<RefundTransferToSend | null> {
  const { transfer, charge, isHeldByBooks } = snapshot;
  const { id: transferId, amountCents, heldBy, failureCode, readyFrom, pixKey } = transfer;
  if (failureCode !== null || (readyFrom !== null && readyFrom > ctx.now())) return null;
  if (!charge.providerChargeId || heldBy !== null || isHeldByBooks) return null;
  try {
    if (await mayBeOutside(ctx, snapshot, charge.providerChargeId)) return null;
    const sender = transferSender(ctx.payments, charge);
    const hasEnough = sender !== null && (await sender.balance()).availableCents >= amountCents;
    if (!sender || !hasEnough)
      return await waits(ctx, transferId, sender ? "balance" : "no_provider");
    const claim = { status: "claimed", provider: sender.name } as const;
    await commit(ctx.db, [
      guardStatement(
        ctx.db,
        sql`${refundTotalsUnchanged(snapshot)} AND ${notExists(payoutBlockingChecksStatement(ctx))}`,
      ),
      mustChangeOne(
        ctx.db
          .update(refundTransfers)
          .set(claim)
          .where(
            and(
              eq(refundTransfers.id, transferId),
              eq(refundTransfers.status, "ready"),
              isNull(refundTransfers.heldBy),
              isNull(refundTransfers.failureCode),
              sql`${refundTransfers.pixKey} IS ${pixKey}`,
            ),
          ),
      ),
    ]);
    return { ...snapshot, transfer: { ...transfer, ...claim } };
  } catch (error) {
    // Another run claimed it, a dispute came, or the key changed. The next run reads again.
    if (!(error instanceof StaleWrite)) throw error;
    return null;
  }
}

async function waits(
  ctx: Context,
  transferId: string,
  because: "balance" | "no_provider" | "refund_under_way",
): Promise<null> {
  ctx.log("payments.refund_transfer_waits", { transferId, because });
  await recordFailure(ctx, { subjectId: transferId });
  return null;
}

/**
 * Reports whether an external refund may have returned this money, so that it must not be sent
 * again. While another refund of the charge is unconfirmed, this cannot be decided, and the
 * transfer waits. The refund totals were read before the provider was asked, so the write checks
 * that they are unchanged.
 */
async function mayBeOutside(
  ctx: Context,
  { transfer, charge, refundTotals }: RefundTransferToSend,
  providerChargeId: string,
): Promise<boolean> {
  const { refundedCents } = await providerOf(ctx, charge).chargeById(providerChargeId);
  if (refundedCents - (charge.refundedCents - refundTotals.sentCents) < transfer.amountCents)
    return false;
  if (refundTotals.waitingCents > 0) {
    await waits(ctx, transfer.id, "refund_under_way");
    return true;
  }
  await commit(ctx.db, [
    guardStatement(ctx.db, refundTotalsUnchanged({ charge, refundTotals })),
    ...refundTransferSupersededStatements(ctx, charge, transfer),
  ]);
  ctx.log("payments.refund_transfer_needless", { transferId: transfer.id });
  return true;
}
