import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { refundSuperseded } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import {
  RefundKeyNotExpected,
  RefundKeyOwnerMismatch,
  TooManyRefundKeys,
} from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { refundSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import {
  isForeignRefundKey,
  refundKeyPage,
  refundKeyPath,
  refundTransferRow,
} from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { feeShareOfRefund, isRefundable } from "#app/domain/payments/rules.ts";
import {
  isKeyReminderDue,
  REFUND_KEY_RATE_LIMITS,
  nextTransferAttemptAt,
} from "#app/domain/payments/refund-transfers/rules.ts";
import { refundTransfers, refunds } from "#drizzle/schema/payments.ts";
import { refundSucceededStatements } from "#app/domain/payments/refunds/commands/refund-succeeded.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";

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
    const standing = await refundSnapshot(ctx, { refundId });
    if (standing?.refund.status === "requested" && isRefundable(standing.charge.status))
      await commit(ctx.db, await refundTransferOpenedStatements(ctx, standing, { failedAs }));
  });
}

/** Builds the statements of `openRefundTransfer`, for an unconfirmed refund of a refundable charge. */
export async function refundTransferOpenedStatements(
  ctx: Context,
  { refund, charge, money, purchase }: RefundSnapshot,
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
      { charge, money, purchase },
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

/**
 * Builds the statements of a later attempt at the same key. The provider refused for a reason other
 * than the key, so that the payer is not asked.
 */
export function refundTransferRetryStatements(
  ctx: Context,
  {
    refundId,
    chargeId,
    payerId,
    amountCents,
    pixKeyKind,
    pixKey,
    keyGivenAt,
    payerDigest,
    ...before
  }: RefundTransfer,
): BatchWrite[] {
  const id = ctx.newId();
  const refusals = before.refusals + 1;
  return [
    ctx.db.insert(refundTransfers).values({
      id,
      refundId,
      chargeId,
      payerId,
      amountCents,
      status: "awaiting_key",
      payerDigest,
      refusals,
      createdAt: ctx.now(),
    }),
    ctx.db
      .update(refundTransfers)
      .set({
        status: "ready",
        pixKeyKind,
        pixKey,
        keyGivenAt,
        readyFrom: nextTransferAttemptAt(refusals, ctx.now()),
      })
      .where(eq(refundTransfers.id, id)),
  ];
}

async function keyAskedAnnounced(
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

/** Reminds the payer of a missing key when the reminder is due. Safe to repeat. */
export async function remindOfRefundKey(
  ctx: Context,
  { transferId }: { transferId: string },
): Promise<void> {
  const transfer = await refundTransferRow(ctx, { transferId });
  const charge = transfer && (await chargeRow(ctx, transfer));
  if (
    !transfer ||
    !charge ||
    transfer.status !== "awaiting_key" ||
    !isKeyReminderDue(transfer, ctx.now())
  )
    return;
  const remindersCount = transfer.remindersCount + 1;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({ remindersCount })
        .where(
          and(
            eq(refundTransfers.id, transferId),
            eq(refundTransfers.status, "awaiting_key"),
            eq(refundTransfers.remindersCount, transfer.remindersCount),
          ),
        ),
    ),
    ...(await keyAskedAnnounced(ctx, charge, { ...transfer, remindersCount, isAgain: false })),
  ]);
}

/**
 * Sets the key of a refund transfer: the payer's CPF or CNPJ. Anyone with the signed address may
 * set it until the transfer is sent. Returns the transfer to send. Refuses RefundKeyNotExpected,
 * and TooManyRefundKeys (6 in an hour, 12 in a day). Refuses RefundKeyOwnerMismatch if the payer's
 * billing details have another number, also after their account is erased.
 */
export async function giveRefundKey(
  ctx: Context,
  { refundId, signature, key }: { refundId: string; signature: string; key: TaxId },
): Promise<{ transferId: string }> {
  const page = await refundKeyPage(ctx, { refundId, signature });
  if (!page) throw new RefundKeyNotExpected();
  await countAction(
    ctx,
    { act: "refund_key", personId: page.payerId, limits: REFUND_KEY_RATE_LIMITS },
    (freeAt) => new TooManyRefundKeys(freeAt),
  );
  if (await isForeignRefundKey(ctx, { refundId, payerId: page.payerId, key }))
    throw new RefundKeyOwnerMismatch();
  const given = await ctx.db
    .update(refundTransfers)
    .set({
      status: "ready",
      pixKeyKind: key.taxKind,
      pixKey: key.taxId,
      // Another key does not restart the days until staff review. Nor does it wait for the back-off
      // of the key before it.
      keyGivenAt: sql`COALESCE(${refundTransfers.keyGivenAt}, CAST(${ctx.now()} AS INTEGER))`,
      readyFrom: sql`CASE WHEN ${refundTransfers.pixKey} = ${key.taxId} THEN ${refundTransfers.readyFrom} END`,
    })
    .where(
      and(
        eq(refundTransfers.refundId, refundId),
        inArray(refundTransfers.status, ["awaiting_key", "ready"]),
      ),
    )
    .returning({ id: refundTransfers.id });
  const [transfer] = given;
  if (!transfer) throw new RefundKeyNotExpected();
  return { transferId: transfer.id };
}

/**
 * Builds the statements that hold refund transfers while their payment is disputed. Stale when one
 * was sent meanwhile.
 */
export function disputedTransferStatements(
  ctx: Context,
  transfers: readonly RefundTransfer[],
  { providerDisputeId }: { providerDisputeId: string },
): BatchWrite[] {
  return transfers.map(({ id }) =>
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({ heldBy: providerDisputeId, disputedBy: providerDisputeId })
        .where(
          and(
            eq(refundTransfers.id, id),
            inArray(refundTransfers.status, ["awaiting_key", "ready"]),
            isNull(refundTransfers.heldBy),
          ),
        ),
    ),
  );
}

/**
 * Builds the statements for transfers that waited for a dispute. Won: they are sent to the payer.
 * Lost: they are canceled, since the bank refunded the payer.
 */
export function disputeDecidedTransferStatements(
  ctx: Context,
  charge: Charge,
  held: readonly RefundTransfer[],
  decision: "won" | "lost",
): BatchWrite[] {
  return held.flatMap((transfer) =>
    decision === "lost"
      ? refundTransferSupersededStatements(ctx, charge, transfer)
      : [
          ctx.db
            .update(refundTransfers)
            .set({ heldBy: null })
            .where(eq(refundTransfers.id, transfer.id)),
        ],
  );
}

/**
 * Builds the statements that cancel a transfer whose payer was refunded in another way. Nothing is
 * sent.
 */
export function refundTransferSupersededStatements(
  ctx: Context,
  charge: Charge,
  transfer: RefundTransfer,
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(refundTransfers)
        .set({ status: "canceled", pixKey: null, payerDigest: null, settledAt: ctx.now() })
        .where(
          and(
            eq(refundTransfers.id, transfer.id),
            inArray(refundTransfers.status, ["awaiting_key", "ready"]),
            sql`${refundTransfers.heldBy} IS ${transfer.heldBy}`,
          ),
        ),
    ),
    ...postingStatements(
      ctx,
      refundSuperseded({ ...transfer, transferId: transfer.id, provider: charge.provider }),
    ),
  ];
}
