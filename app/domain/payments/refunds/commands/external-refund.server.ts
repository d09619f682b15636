import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import {
  refundTotalsUnchanged,
  settlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type {
  ChargeWithRefunds,
  SettlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { feeShareOfRefund, isRefundable } from "#app/domain/payments/rules.ts";
import { externalRefundCents } from "#app/domain/payments/refunds/rules/external-refund.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { refundSucceededStatements } from "./refund-succeeded.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";

/** Refund reason that payer and seller read for an external refund. */
const RETURNED_OUTSIDE = "Devolvido diretamente pelo provedor de pagamento.";

/**
 * Records an external refund of a paid charge, once: staff refunded it on the provider's own pages.
 * Its funds are taken as with any refund. The purchase ends once nothing remains.
 */
export async function recordExternalRefund(
  ctx: Context,
  { chargeId, reportedCharge }: { chargeId: string; reportedCharge: ReportedCharge },
): Promise<void> {
  await retryOnConflict(async () => {
    const snapshot = await settlementSnapshot(ctx, { chargeId });
    const returned =
      snapshot?.refundTotals &&
      (await externalRefundStatements(
        ctx,
        { ...snapshot, refundTotals: snapshot.refundTotals },
        reportedCharge,
      ));
    if (!returned?.refundId) return;
    await commit(ctx.db, returned.writes);
    logExternalRefund(ctx, returned);
  });
}

type ReportedCharge = Pick<ProviderCharge, "refundedCents">;
/** `refundId` is null when there is no unknown refund. */
type ExternalRefund = { chargeId: string; refundId: string | null; writes: BatchWrite[] };

/**
 * Builds the statements of `recordExternalRefund`; `money` is read unless it is given. They are
 * stale if the charge or its refund totals changed since they were read. The provider's total may
 * by then include a refund of ours.
 */
export async function externalRefundStatements(
  ctx: Context,
  { charge, refundTotals, funds, purchase }: SettlementSnapshot & ChargeWithRefunds,
  reportedCharge: ReportedCharge,
): Promise<ExternalRefund> {
  const chargeId = charge.id;
  const amountCents = isRefundable(charge.status)
    ? externalRefundCents(charge, { reportedCents: reportedCharge.refundedCents, ...refundTotals })
    : 0;
  const asRead = guardStatement(ctx.db, refundTotalsUnchanged({ charge, refundTotals }));
  if (amountCents === 0) return { chargeId, refundId: null, writes: [asRead] };
  const now = ctx.now();
  // The id contains the total, so that the same event gives the same refund.
  const refund: Refund = {
    id: `returned:${chargeId}:${reportedCharge.refundedCents}`,
    chargeId,
    amountCents,
    feeShareCents: feeShareOfRefund(charge, amountCents),
    reason: RETURNED_OUTSIDE,
    decidedBy: null,
    status: "succeeded",
    providerRefundId: null,
    createdAt: now,
    settledAt: now,
    costCents: null,
  };
  return {
    chargeId,
    refundId: refund.id,
    writes: [
      asRead,
      ctx.db.insert(refunds).values(refund),
      ...(await refundSucceededStatements(ctx, { charge, funds, purchase }, refund)),
    ],
  };
}

export function logExternalRefund(ctx: Context, { chargeId, refundId }: ExternalRefund): void {
  if (refundId) ctx.log("payments.returned_outside", { chargeId, refundId });
}
