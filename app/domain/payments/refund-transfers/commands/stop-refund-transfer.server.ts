import { and, eq, inArray, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { refundPaidByEarlierTry } from "#app/domain/ledger/rules.ts";
import { latestTransferOfRefund } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";
import {
  PAID_BY_EARLIER_TRY,
  UNSENT_TRANSFERS,
  waitsForTransferCode,
} from "#app/domain/payments/refund-transfers/rules.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";

/**
 * Builds the statements that stop the next attempt when `given` is paid or under way after all.
 * `given` is a failed or returned transfer. None if the next attempt was sent already. Stale when
 * it is sent, or gets a key, meanwhile. If `given` is paid, the next attempt ends, and the money
 * left the account that sent it. If it is under way or disputed, the attempt waits for its outcome
 * (`resumeTransferRetryStatement`). INVARIANT: money that may have been paid is not sent again
 * before staff review. Source: docs/decisions/money/never-send-the-same-money-twice.md.
 */
export async function stopTransferRetriesStatements(
  ctx: Context,
  given: RefundTransfer,
  { status }: ProviderTransfer,
): Promise<BatchWrite[]> {
  const open = await latestTransferOfRefund(ctx, given);
  if (!open || !UNSENT_TRANSFERS.includes(open.status)) return [];
  const asRead = and(
    eq(refundTransfers.id, open.id),
    eq(refundTransfers.status, open.status),
    sql`${refundTransfers.heldBy} IS ${open.heldBy}`,
    sql`${refundTransfers.failureCode} IS ${open.failureCode}`,
  );
  if (status !== "paid" || open.heldBy !== null || given.provider === null) {
    return open.failureCode === null
      ? [
          mustChangeOne(
            ctx.db
              .update(refundTransfers)
              .set({ failureCode: waitsForTransferCode(given.id) })
              .where(asRead),
          ),
        ]
      : [];
  }
  return [
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({
          status: "canceled",
          failureCode: PAID_BY_EARLIER_TRY,
          pixKey: null,
          payerDigest: null,
          settledAt: ctx.now(),
        })
        .where(asRead),
    ),
    ...postingStatements(
      ctx,
      refundPaidByEarlierTry({ ...open, transferId: open.id, provider: given.provider }),
    ),
  ];
}

/**
 * Builds the statement that resumes the attempt that waited for `given`, which did not arrive after
 * all.
 */
export const resumeTransferRetryStatement = (ctx: Context, given: RefundTransfer): BatchWrite =>
  ctx.db
    .update(refundTransfers)
    .set({ failureCode: null })
    .where(
      and(
        eq(refundTransfers.refundId, given.refundId),
        inArray(refundTransfers.status, [...UNSENT_TRANSFERS]),
        eq(refundTransfers.failureCode, waitsForTransferCode(given.id)),
      ),
    );
