import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import {
  refundTotalsUnchanged,
  settlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type {
  ChargeAndBack,
  SettlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { feeShareOfRefund, isRefundable } from "#app/domain/payments/rules.ts";
import { externalRefundCents } from "#app/domain/payments/refunds/rules/external-refund.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { refundSucceededStatements } from "./refund-succeeded.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";

/** What its payer and its seller read of money that the provider gave back without our asking. */
const RETURNED_OUTSIDE = "Devolvido diretamente pelo provedor de pagamento.";

/**
 * Writes down, once, what the provider says went back of a paid charge and nobody here decided:
 * somebody of the staff gave it back on the provider's own pages. It is a refund like any other,
 * with the same flow of money, and with the last centavo what was paid for ends.
 */
export async function recordExternalRefund(
  ctx: Context,
  { chargeId, said }: { chargeId: string; said: ReportedCharge },
): Promise<void> {
  await retryOnConflict(async () => {
    const snapshot = await settlementSnapshot(ctx, { chargeId });
    const returned =
      snapshot?.back &&
      (await externalRefundStatements(ctx, { ...snapshot, back: snapshot.back }, said));
    if (!returned?.refundId) return;
    await commit(ctx.db, returned.writes);
    logExternalRefund(ctx, returned);
  });
}

type ReportedCharge = Pick<ProviderCharge, "refundedCents">;
/** `refundId` is null when nothing went back that is not known. */
type ExternalRefund = { chargeId: string; refundId: string | null; writes: BatchWrite[] };

/**
 * The statements of `recordExternalRefund`; `money` is read unless it is given. They are stale when
 * the charge, or what is known to go back of it, changed since it was read: what the provider
 * counts may be a refund of ours by now.
 */
export async function externalRefundStatements(
  ctx: Context,
  { charge, back, money, purchase }: SettlementSnapshot & ChargeAndBack,
  said: ReportedCharge,
): Promise<ExternalRefund> {
  const chargeId = charge.id;
  const amountCents = isRefundable(charge.status)
    ? externalRefundCents(charge, { saidCents: said.refundedCents, ...back })
    : 0;
  const asRead = guardStatement(ctx.db, refundTotalsUnchanged({ charge, back }));
  if (amountCents === 0) return { chargeId, refundId: null, writes: [asRead] };
  const now = ctx.now();
  // The id is that of the total: the same news twice is the same refund.
  const refund: Refund = {
    id: `returned:${chargeId}:${said.refundedCents}`,
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
      ...(await refundSucceededStatements(ctx, { charge, money, purchase }, refund)),
    ],
  };
}

export function logExternalRefund(ctx: Context, { chargeId, refundId }: ExternalRefund): void {
  if (refundId) ctx.log("payments.returned_outside", { chargeId, refundId });
}
