import { and, eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  settlementSnapshot,
  refundSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { feeShareOfRefund, isRefundable } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts } from "#app/domain/payments/rules.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { needsRefundTransfer } from "#app/domain/payments/refund-transfers/rules.ts";
import { externalRefundCents } from "#app/domain/payments/refunds/rules/external-refund.ts";
import type { ProviderRefund } from "#app/domain/payments/schema.ts";
import {
  recordFailure,
  recordFailureStatement,
} from "#app/domain/retry-backoff/commands.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { providerCostStatements } from "#app/domain/payments/fees/commands/costs.server.ts";
import { refundTransferOpenedStatements, openRefundTransfer } from "./open-transfer.server.ts";
import { refundSucceededStatements } from "./refund-succeeded.server.ts";
import { retryWithFreshSnapshot } from "#app/db/retry-on-conflict.ts";

/**
 * Builds the statement that decides a refund of `amountCents`. `sendRefund` asks the provider
 * afterwards.
 */
export function requestRefundStatement(
  ctx: Context,
  charge: ChargeAmounts & Pick<Charge, "id">,
  refund: {
    id: string;
    amountCents: Cents;
    reason: string;
    /** The team member who decided it for the seller. */
    decidedBy?: string;
  },
): BatchWrite {
  return ctx.db.insert(refunds).values({
    id: refund.id,
    chargeId: charge.id,
    amountCents: refund.amountCents,
    feeShareCents: feeShareOfRefund(charge, refund.amountCents),
    reason: refund.reason,
    decidedBy: refund.decidedBy ?? null,
    status: "requested",
    createdAt: ctx.now(),
  });
}

/** Code with which a provider refuses a refund of a disputed charge. */
const BANK_HAS_IT = "charge_disputed";

/**
 * Sends a refund to the provider, under the refund's own id. A repeated request refunds once,
 * however much later. A disputed charge waits for the decision. Won: the refund is requested again.
 * Lost: the bank has refunded it, and nothing remains. A Pix too old for a refund becomes a refund
 * transfer, and the payer is asked for a key. This happens only after the provider refused for
 * good, so that money is never sent twice.
 */
export async function sendRefund(
  ctx: Context,
  {
    refundId,
    snapshot = null,
  }: {
    refundId: string;
    /** The snapshot that the caller just read. */
    snapshot?: RefundSnapshot | null;
  },
): Promise<void> {
  const read = snapshot ?? (await refundSnapshot(ctx, { refundId }));
  if (read?.refund.status !== "requested" || !read.charge.providerChargeId) return;
  const { refund, charge } = read;
  const refused: ProviderRefund = {
    id: "",
    reference: refundId,
    chargeId: read.charge.providerChargeId,
    status: "failed",
    amountCents: refund.amountCents,
  };
  try {
    await settleRefund(ctx, {
      refundId,
      providerRefund:
        (await fetchProviderRefund(ctx, charge, {
          ...refund,
          providerChargeId: read.charge.providerChargeId,
        })) ?? refused,
      snapshot: read,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_refused", { refundId, code: error.code });
    if (error.code === BANK_HAS_IT) return await recordFailure(ctx, { subjectId: refundId });
    const isBack = await wentBack(
      ctx,
      { ...charge, providerChargeId: read.charge.providerChargeId },
      refund,
    );
    if (
      !isBack &&
      isRefundable(charge.status) &&
      needsRefundTransfer(charge, error.code, ctx.now())
    )
      return await openRefundTransfer(ctx, { refundId });
    await settleRefund(ctx, {
      refundId,
      providerRefund: isBack ? { ...refused, status: "succeeded" } : refused,
    });
  }
}

/** Reports whether a refused refund was already made as an external refund. Throws ProviderUnclear. */
async function wentBack(
  ctx: Context,
  charge: Charge & { providerChargeId: string },
  { amountCents }: Refund,
): Promise<boolean> {
  const providerCharge = await providerOf(ctx, charge).chargeById(charge.providerChargeId);
  // Read after the provider answered. Another refund confirmed meanwhile counts as known, and not
  // as external.
  const now = await settlementSnapshot(ctx, { chargeId: charge.id });
  if (!now?.refundTotals || !isRefundable(now.charge.status)) return false;
  return (
    externalRefundCents(now.charge, {
      ...now.refundTotals,
      reportedCents: providerCharge.refundedCents,
      waitingCents: now.refundTotals.waitingCents - amountCents,
    }) >= amountCents
  );
}

/**
 * Stripe keeps an idempotency key for 24 hours. An older request is looked up before it is
 * repeated. Source: its API reference, "Idempotent requests".
 */
const KEY_RETAINED_MS = 23 * HOUR_MS;

/** Null when the bank has refunded the charge and the provider does not know this refund. */
async function fetchProviderRefund(
  ctx: Context,
  charge: Charge,
  {
    id,
    providerRefundId,
    providerChargeId,
    amountCents,
    createdAt,
  }: Refund & { providerChargeId: string },
): Promise<ProviderRefund | null> {
  const provider = providerOf(ctx, charge);
  if (providerRefundId) return await provider.refundById(providerRefundId);
  const isLost = charge.status === "dispute_lost";
  const existing =
    isLost || ctx.now() - createdAt >= KEY_RETAINED_MS
      ? await provider.refundByReference({ refundId: id, providerChargeId })
      : null;
  return (
    existing ??
    (isLost ? null : await provider.refund({ refundId: id, providerChargeId, amountCents }))
  );
}

/**
 * Sends a refund at once. If the provider does not answer, the payouts worker's cron retries under
 * the same key.
 */
export async function refundNow(ctx: Context, refundId: string): Promise<void> {
  try {
    await sendRefund(ctx, { refundId });
  } catch (error) {
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_unclear", { refundId });
  }
}

export type RefundUpdate = {
  refundId: string;
  /** The provider's refund. */
  providerRefund: ProviderRefund;
  /** The snapshot that the caller just read. A fresh one is loaded if something changed meanwhile. */
  snapshot?: RefundSnapshot | undefined;
  /** As in ChargeUpdate. */
  extraWrites?: BatchWrite[];
};

/**
 * Applies the provider's status of a refund, once. The purchase ends once nothing remains. If the
 * provider accepted the refund of an old Pix and it failed, a refund transfer follows.
 */
export async function settleRefund(
  ctx: Context,
  { refundId, providerRefund, snapshot: given, extraWrites = [] }: RefundUpdate,
): Promise<void> {
  const load = async () => await refundSnapshot(ctx, { refundId });
  await retryWithFreshSnapshot({ given: given ?? null, load }, async (snapshot) => {
    const writes = snapshot ? await settledStatements(ctx, snapshot, providerRefund) : [];
    await commit(ctx.db, [...writes, ...extraWrites]);
  });
}

async function settledStatements(
  ctx: Context,
  snapshot: RefundSnapshot,
  providerRefund: ProviderRefund,
): Promise<BatchWrite[]> {
  const { refund, charge } = snapshot;
  const { id: refundId } = refund;
  const cost = () =>
    providerCostStatements(ctx, {
      object: "refund",
      id: refundId,
      provider: charge.provider,
      chargeId: charge.id,
      knownCents: refund.costCents,
      reportedCents: providerRefund.costCents,
    });
  if (refund.status !== "requested")
    return refund.providerRefundId === providerRefund.id ? cost() : [];
  // Banks take days. The back-off lets other refunds go first.
  if (providerRefund.status === "processing")
    return [
      ctx.db
        .update(refunds)
        .set({ providerRefundId: providerRefund.id })
        .where(and(eq(refunds.id, refundId), eq(refunds.status, "requested"))),
      recordFailureStatement(ctx, { subjectId: refundId }),
    ];
  if (
    providerRefund.status === "failed" &&
    isRefundable(charge.status) &&
    needsRefundTransfer(charge, "", ctx.now())
  )
    return await refundTransferOpenedStatements(ctx, snapshot, {
      failedAs: refund.providerRefundId,
    });
  // Concurrent refunds are confirmed in any order. Each share is of what the earlier ones left, so
  // that the parts add up.
  const feeShareCents =
    providerRefund.status === "failed"
      ? refund.feeShareCents
      : feeShareOfRefund(charge, refund.amountCents);
  const settled = mustChangeOne(
    ctx.db
      .update(refunds)
      .set({
        status: providerRefund.status,
        feeShareCents,
        providerRefundId: providerRefund.id || null,
        settledAt: ctx.now(),
      })
      .where(and(eq(refunds.id, refundId), eq(refunds.status, "requested"))),
  );
  return [
    settled,
    ...cost(),
    ...(providerRefund.status === "failed"
      ? refusedStatements(ctx, charge, refund)
      : await refundSucceededStatements(ctx, snapshot, { ...refund, feeShareCents })),
  ];
}

/**
 * Notifies the payer of a refused refund that no one of the seller decided. They already lost their
 * access. The ledger checks notify staff.
 */
function refusedStatements(ctx: Context, charge: Charge, refund: Refund): BatchWrite[] {
  if (refund.decidedBy !== null || charge.status === "dispute_lost") return [];
  const { id: refundId, amountCents } = refund;
  return [
    announce<PaymentMessage>(ctx, `refund:${refundId}:refused`, {
      type: "charge.refund_refused",
      chargeId: charge.id,
      refundId,
      payerId: charge.payerId,
      amountCents,
      description: charge.description,
    }),
  ];
}
