import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { refundOfUnpaidNetCents } from "#app/domain/payments/releases/rules/fraud-refund.ts";
import { underageRefundReasonText } from "./rules.ts";
import { underageSaleUnpaidNet, underageRefundId } from "./queries.server.ts";

/**
 * Refunds a sale of a seller who lied about their age, as far as it was not paid out
 * (`refundOfUnpaidNetCents`). The purchase ends once nothing remains. The refund's id derives from
 * the charge's, so that repeated or concurrent runs decide nothing more. Does nothing to a charge
 * that is not to be refunded. Source: domain rules, "Documents", "a false age refunds everything".
 */
export async function refundUnderageSale(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<void> {
  const refundId = underageRefundId(chargeId);
  const isDecided = await retryOnConflict(async () => {
    const due = await underageSaleUnpaidNet(ctx, { chargeId });
    const charge = due && (await chargeRow(ctx, { chargeId }));
    const amountCents = charge ? refundOfUnpaidNetCents(charge, due.notPaidOutCents) : 0;
    if (!charge || amountCents === 0) return false;
    try {
      await commit(ctx.db, [
        requestRefundStatement(ctx, charge, {
          id: refundId,
          amountCents,
          reason: underageRefundReasonText({ amountCents, leftCents: remainingCents(charge) }),
        }),
      ]);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      return false;
    }
    return true;
  });
  if (isDecided) await refundNow(ctx, refundId);
}
