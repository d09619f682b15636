import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { refundSuperseded } from "#app/domain/ledger/rules.ts";
import {
  RefundKeyNotExpected,
  RefundKeyOwnerMismatch,
  TooManyRefundKeys,
} from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  isForeignRefundKey,
  refundKeyPage,
  refundTransferRow,
} from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";
import {
  isKeyReminderDue,
  REFUND_KEY_RATE_LIMITS,
  nextTransferAttemptAt,
} from "#app/domain/payments/refund-transfers/rules.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import { keyAskedAnnounced } from "#app/domain/payments/refunds/commands/open-transfer.server.ts";

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
