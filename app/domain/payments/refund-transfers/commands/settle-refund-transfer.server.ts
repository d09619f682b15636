import { and, eq, inArray, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { refundTransferred, refundTransferReturned } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { loadRefundTransferSnapshot } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type {
  RefundTransfer,
  RefundTransferSnapshot,
} from "#app/domain/payments/refund-transfers/queries.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import {
  needsAnotherKey,
  transferStatusesBefore,
} from "#app/domain/payments/refund-transfers/rules.ts";
import {
  interpretTransfer,
  isDifferentTransfer,
  isPaidAfterReversal,
} from "#app/domain/payments/providers/rules/transfer-faults.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { recordFailureStatement } from "#app/domain/retry-backoff/commands.server.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import { providerCostStatements } from "#app/domain/payments/fees/commands/costs.server.ts";
import { refundKeyRequestedStatements } from "#app/domain/payments/refunds/commands/open-transfer.server.ts";
import { refundTransferRetryStatements } from "./refund-transfers.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import {
  resumeTransferRetryStatement,
  stopTransferRetriesStatements,
} from "./stop-refund-transfer.server.ts";

type RefundTransferUpdate = {
  transferId: string;
  providerTransfer?: ProviderTransfer;
  /**
   * The transfer and its charge, as the caller just read them. They are read again only if
   * something changed meanwhile.
   */
  read?: RefundTransferSnapshot;
  /**
   * Joins the batch of the change, or is written alone where nothing changes. Example: the stamp of
   * the webhook event.
   */
  extraWrites?: BatchWrite[];
};

/**
 * Result of applying a transfer's status. "another_transfer": the status is of another transfer
 * under the same attempt; nothing is applied. "paid_after_given_back": a reversed transfer is paid
 * after all, and the next attempt is stopped. Staff reviews both.
 */
export type RefundTransferOutcome = "applied" | "another_transfer" | "paid_after_given_back";

/**
 * Brings a refund transfer to the provider's status, once. Asks the provider if no status is given.
 * A returned transfer, or one that failed because of the key, asks for another key. One that failed
 * because of our account is retried later.
 */
export async function settleRefundTransfer(
  ctx: Context,
  { transferId, providerTransfer: answer, read, extraWrites = [] }: RefundTransferUpdate,
): Promise<RefundTransferOutcome> {
  const loaded = read ?? (await loadRefundTransferSnapshot(ctx, { transferId }));
  const reported = answer ?? (loaded && (await fetchProviderTransfer(ctx, loaded)));
  if (!loaded?.transfer.provider || !reported) {
    await commit(ctx.db, extraWrites);
    return "applied";
  }
  let unused: RefundTransferSnapshot | null = loaded;
  return await retryOnConflict(async () => {
    let now = unused ?? (await loadRefundTransferSnapshot(ctx, { transferId }));
    unused = null;
    const providerTransfer = now ? interpretTransfer(now.transfer, reported) : reported;
    if (now && isPaidAfterReversal(now.transfer, providerTransfer)) {
      ctx.log("payments.paid_after_given_back", { transferId });
      await commit(ctx.db, [
        ...(await stopTransferRetriesStatements(ctx, now.transfer, providerTransfer)),
        ...costOf(ctx, now.transfer, providerTransfer),
      ]);
      return "paid_after_given_back";
    }
    if (now && isDifferentTransfer(now.transfer, providerTransfer)) return "another_transfer";
    // A returned transfer was paid before, even if we received no event of it.
    if (
      now &&
      providerTransfer.status === "returned" &&
      transferStatusesBefore("paid").includes(now.transfer.status)
    ) {
      await commit(
        ctx.db,
        await settledStatements(ctx, now, { ...providerTransfer, status: "paid" }),
      );
      now = await loadRefundTransferSnapshot(ctx, { transferId });
    }
    await commit(ctx.db, [
      ...(now ? await broughtStatements(ctx, now, providerTransfer) : []),
      ...(providerTransfer.status === "processing"
        ? [recordFailureStatement(ctx, { subjectId: transferId })]
        : []),
      ...extraWrites,
    ]);
    return "applied";
  });
}

async function fetchProviderTransfer(
  ctx: Context,
  { transfer: { id, provider, providerTransferId, keyGivenAt } }: RefundTransferSnapshot,
): Promise<ProviderTransfer | null> {
  if (provider === null) return null;
  const asked = providerOf(ctx, { provider });
  return providerTransferId
    ? await asked.transferById(providerTransferId)
    : await asked.transferByReference(id, { readyAt: keyGivenAt });
}

async function broughtStatements(
  ctx: Context,
  snapshot: RefundTransferSnapshot,
  providerTransfer: ProviderTransfer,
): Promise<BatchWrite[]> {
  const { status } = snapshot.transfer;
  if (transferStatusesBefore(providerTransfer.status).includes(status))
    return [
      ...(await settledStatements(ctx, snapshot, providerTransfer)),
      ...costOf(
        ctx,
        { ...snapshot.transfer, providerTransferId: providerTransfer.id },
        providerTransfer,
      ),
    ];
  const isOver = status === "failed" || status === "returned";
  return [
    ...costOf(ctx, snapshot.transfer, providerTransfer),
    ...(isOver ? [resumeTransferRetryStatement(ctx, snapshot.transfer)] : []),
  ];
}

/** Books the provider's cost of this transfer, if it is not booked yet. */
function costOf(
  ctx: Context,
  { id, provider, chargeId, costCents, providerTransferId }: RefundTransfer,
  providerTransfer: ProviderTransfer,
): BatchWrite[] {
  return provider && providerTransferId === providerTransfer.id
    ? providerCostStatements(ctx, {
        object: "transfer",
        id,
        provider,
        chargeId,
        knownCents: costCents,
        reportedCents: providerTransfer.costCents,
      })
    : [];
}

async function settledStatements(
  ctx: Context,
  { transfer, charge }: RefundTransferSnapshot,
  { id, status, failureCode }: ProviderTransfer,
): Promise<BatchWrite[]> {
  const now = ctx.now();
  if (transfer.provider === null) return [];
  const ref = { ...transfer, transferId: transfer.id, provider: transfer.provider };
  const moved = (values: Partial<typeof refundTransfers.$inferInsert>) =>
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({ ...values, providerTransferId: id || transfer.providerTransferId })
        .where(
          and(
            eq(refundTransfers.id, transfer.id),
            eq(refundTransfers.status, transfer.status),
            sql`${refundTransfers.payerDigest} IS ${transfer.payerDigest}`,
            inArray(refundTransfers.status, [...transferStatusesBefore(status)]),
          ),
        ),
    );
  const over = { settledAt: now, pixKey: null };
  // The waiting row keeps the payer's digest. A paid transfer may still be returned.
  const unsent = { ...over, payerDigest: null };
  const askedAgain = () =>
    refundKeyRequestedStatements(ctx, charge, { ...transfer, isAgain: true });
  switch (status) {
    case "processing":
      return [moved({ status: "sent" })];
    case "paid":
      return [
        moved({ ...over, status: "paid" }),
        ...postingStatements(ctx, refundTransferred(ref)),
        paidAnnounced(ctx, charge, transfer),
      ];
    case "failed":
      return [
        moved({ ...unsent, status: "failed", failureCode }),
        ...(transfer.pixKey === null || needsAnotherKey(failureCode, transfer.refusals)
          ? await askedAgain()
          : refundTransferRetryStatements(ctx, transfer)),
      ];
    case "returned":
      return [
        moved({ ...unsent, status: "returned", failureCode }),
        ...postingStatements(ctx, refundTransferReturned(ref)),
        ...(await askedAgain()),
      ];
  }
}

function paidAnnounced(
  ctx: Context,
  charge: Charge,
  { id, refundId, amountCents, payerId }: RefundTransfer,
): BatchWrite {
  return announce<PaymentMessage>(ctx, `refund-transfer:${id}:paid`, {
    type: "refund.transferred",
    chargeId: charge.id,
    refundId,
    payerId,
    amountCents,
    description: charge.description,
  });
}
