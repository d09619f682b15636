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
import {
  refundTransferOpenedStatements,
  openRefundTransfer,
} from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import { refundSucceededStatements } from "./refund-succeeded.server.ts";
import { retryWithFreshSnapshot } from "#app/db/retry-on-conflict.ts";

/**
 * The statement that decides to give `amountCents` of a charge back. The provider is asked
 * afterwards, by `sendRefund`.
 */
export function requestRefundStatement(
  ctx: Context,
  charge: ChargeAmounts & Pick<Charge, "id">,
  refund: {
    id: string;
    amountCents: Cents;
    reason: string;
    /** Who decided it for the seller. */ decidedBy?: string;
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

/** What a provider answers to a refund of what the bank is fighting over. */
const BANK_HAS_IT = "charge_disputed";

/**
 * Asks the provider to give the money back, under the refund's own id: asking twice gives back
 * once, however long after. What the bank fights over waits for its decision: won, it is asked for
 * again; lost, the bank gave it back and this refund has nothing left to give. A Pix too old to be
 * given back is set aside for who paid, who is asked for a key: after the provider refused for
 * good, so that the money never goes both ways.
 */
export async function sendRefund(
  ctx: Context,
  {
    refundId,
    snapshot = null,
  }: {
    refundId: string;
    /** Where the caller has just read it. */ snapshot?: RefundSnapshot | null;
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
      said:
        (await saidOf(ctx, charge, {
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
      said: isBack ? { ...refused, status: "succeeded" } : refused,
    });
  }
}

/**
 * Whether what the provider refuses to give back went back already, on its own pages. Throws
 * ProviderUnclear.
 */
async function wentBack(
  ctx: Context,
  charge: Charge & { providerChargeId: string },
  { amountCents }: Refund,
): Promise<boolean> {
  const said = await providerOf(ctx, charge).chargeById(charge.providerChargeId);
  // Read after it was asked: another refund that was confirmed meanwhile counts as known, and not
  // as money that went outside.
  const now = await settlementSnapshot(ctx, { chargeId: charge.id });
  if (!now?.back || !isRefundable(now.charge.status)) return false;
  return (
    externalRefundCents(now.charge, {
      ...now.back,
      saidCents: said.refundedCents,
      waitingCents: now.back.waitingCents - amountCents,
    }) >= amountCents
  );
}

/**
 * Stripe forgets an idempotency key after 24 hours: what was asked for longer ago is looked for
 * before it is asked for again. Source: its API reference, "Idempotent requests".
 */
const KEY_KEPT_MS = 23 * HOUR_MS;

/** Null when the provider never heard of a refund of what the bank gave back. */
async function saidOf(
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
  const known =
    isLost || ctx.now() - createdAt >= KEY_KEPT_MS
      ? await provider.refundByReference({ refundId: id, providerChargeId })
      : null;
  return (
    known ??
    (isLost ? null : await provider.refund({ refundId: id, providerChargeId, amountCents }))
  );
}

/**
 * Tried at once; if the provider does not answer, the payouts worker's cron asks again under the
 * same key.
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
  /** What the provider says of the refund. */
  said: ProviderRefund;
  /** Where the caller has just read it. A fresh one is loaded if something changed meanwhile. */
  snapshot?: RefundSnapshot | undefined;
  /** As in ChargeUpdate. */
  extraWrites?: BatchWrite[];
};

/**
 * Applies what the provider says of a refund, once; with the last centavo what was paid for ends. A
 * Pix too old to be given back whose refund it took and could not do goes by a transfer.
 */
export async function settleRefund(
  ctx: Context,
  { refundId, said, snapshot: given, extraWrites = [] }: RefundUpdate,
): Promise<void> {
  const load = async () => await refundSnapshot(ctx, { refundId });
  await retryWithFreshSnapshot({ given: given ?? null, load }, async (snapshot) => {
    const writes = snapshot ? await settledStatements(ctx, snapshot, said) : [];
    await commit(ctx.db, [...writes, ...extraWrites]);
  });
}

async function settledStatements(
  ctx: Context,
  snapshot: RefundSnapshot,
  said: ProviderRefund,
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
      saidCents: said.costCents,
    });
  if (refund.status !== "requested") return refund.providerRefundId === said.id ? cost() : [];
  // Banks take days: those behind it have their turn.
  if (said.status === "processing")
    return [
      ctx.db
        .update(refunds)
        .set({ providerRefundId: said.id })
        .where(and(eq(refunds.id, refundId), eq(refunds.status, "requested"))),
      recordFailureStatement(ctx, { subjectId: refundId }),
    ];
  if (
    said.status === "failed" &&
    isRefundable(charge.status) &&
    needsRefundTransfer(charge, "", ctx.now())
  )
    return await refundTransferOpenedStatements(ctx, snapshot, {
      failedAs: refund.providerRefundId,
    });
  // Refunds that waited together are confirmed in any order: each share is of what the ones before
  // left, so that the parts add to the whole.
  const feeShareCents =
    said.status === "failed" ? refund.feeShareCents : feeShareOfRefund(charge, refund.amountCents);
  const settled = mustChangeOne(
    ctx.db
      .update(refunds)
      .set({
        status: said.status,
        feeShareCents,
        providerRefundId: said.id || null,
        settledAt: ctx.now(),
      })
      .where(and(eq(refunds.id, refundId), eq(refunds.status, "requested"))),
  );
  return [
    settled,
    ...cost(),
    ...(said.status === "failed"
      ? refusedStatements(ctx, charge, refund)
      : await refundSucceededStatements(ctx, snapshot, { ...refund, feeShareCents })),
  ];
}

/**
 * Whose money was to come back without anybody of the seller deciding it lost what it paid for
 * already: they are told, and the books tell the staff.
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
