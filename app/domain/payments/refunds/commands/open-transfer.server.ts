import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { refundSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { feeShareOfRefund, isRefundable } from "#app/domain/payments/rules.ts";
import { refundTransfers, refunds } from "#drizzle/schema/payments.ts";
import { refundSucceededStatements } from "./refund-succeeded.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { refundKeyPath } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";

/**
 * Opens a refund transfer, once, for a refund that no provider makes any more. Asks the payer for a
 * Pix key. For the seller the refund is done: the funds and the end of the purchase are as with any
 * refund. `failedAs` is the provider's id of a refund that it accepted and that failed for good.
 * Source: domain rules, "Subscriptions"; docs/decisions/money/refund-an-old-pix-by-a-transfer.md.
 */
export async function openRefundTransfer(
  ctx: Context,
  { refundId, failedAs = null }: { refundId: string; failedAs?: string | null },
): Promise<void> {
  await retryOnConflict(async () => {
    const snapshot = await refundSnapshot(ctx, { refundId });
    if (snapshot?.refund.status === "requested" && isRefundable(snapshot.charge.status))
      await commit(ctx.db, await refundTransferOpenedStatements(ctx, snapshot, { failedAs }));
  });
}

/** Builds the statements of `openRefundTransfer`, for an unconfirmed refund of a refundable charge. */
export async function refundTransferOpenedStatements(
  ctx: Context,
  { refund, charge, funds, purchase }: RefundSnapshot,
  { failedAs }: { failedAs: string | null },
): Promise<BatchWrite[]> {
  const { id: refundId, amountCents } = refund;
  const feeShareCents = feeShareOfRefund(charge, amountCents);
  return [
    mustChangeOne(
      ctx.db
        .update(refunds)
        .set({ status: "succeeded", feeShareCents, providerRefundId: null, settledAt: ctx.now() })
        .where(
          and(
            eq(refunds.id, refundId),
            eq(refunds.status, "requested"),
            sql`${refunds.providerRefundId} IS ${failedAs}`,
          ),
        ),
    ),
    ...(await refundSucceededStatements(
      ctx,
      { charge, funds, purchase },
      { ...refund, feeShareCents },
      { isByTransfer: true },
    )),
    ...(await refundKeyRequestedStatements(ctx, charge, { refundId, amountCents, isAgain: false })),
  ];
}

type RefundKeyRequest = {
  refundId: string;
  amountCents: number;
  /** From the previous attempt. */
  payerDigest?: string | null;
  isAgain: boolean;
};

/**
 * Builds the statements that ask the payer for a key: the first time, or because the Pix to their
 * key did not arrive.
 */
export async function refundKeyRequestedStatements(
  ctx: Context,
  charge: Charge,
  { refundId, amountCents, payerDigest = null, isAgain }: RefundKeyRequest,
): Promise<BatchWrite[]> {
  const transfer = {
    id: ctx.newId(),
    refundId,
    chargeId: charge.id,
    payerId: charge.payerId,
    amountCents,
    status: "awaiting_key" as const,
    payerDigest,
    createdAt: ctx.now(),
  };
  return [
    ctx.db.insert(refundTransfers).values(transfer),
    ...(await keyAskedAnnounced(ctx, charge, { ...transfer, remindersCount: 0, isAgain })),
  ];
}

export async function keyAskedAnnounced(
  ctx: Context,
  charge: Charge,
  {
    id,
    refundId,
    amountCents,
    remindersCount,
    isAgain,
  }: Pick<RefundTransfer, "id" | "refundId" | "amountCents" | "remindersCount"> & {
    isAgain: boolean;
  },
): Promise<BatchWrite[]> {
  const url = `${ctx.settings.appOrigin}${await refundKeyPath(ctx, { refundId })}`;
  return [
    announce<PaymentMessage>(ctx, `refund-transfer:${id}:key_asked:${remindersCount}`, {
      type: "refund.key_asked",
      chargeId: charge.id,
      refundId,
      payerId: charge.payerId,
      amountCents,
      description: charge.description,
      url,
      isAgain,
      isReminder: remindersCount > 0,
    }),
  ];
}
