import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow, waitingRefundsCents } from "#app/domain/payments/queries.server.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import { transferredCents } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { feeShareOfRefund, isHeld } from "#app/domain/payments/rules.ts";
import { returnedCents } from "#app/domain/payments/rules/returned.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import type { PurchaseKinds } from "./kinds.server.ts";
import { refundedStatements } from "./refunded.server.ts";
import { rereading } from "./rereading.server.ts";

/** What its payer and its seller read of money that the provider gave back without our asking. */
const RETURNED_OUTSIDE = "Devolvido diretamente pelo provedor de pagamento.";

/**
 * Writes down, once, what the provider says went back of a paid charge and nobody here decided: somebody of the staff gave it back on the provider's own
 * pages. It is a refund like any other, with the same flow of money, and with the last centavo what was paid for ends.
 */
export async function recordReturned(ctx: Context, kinds: PurchaseKinds, { chargeId, said }: { chargeId: string; said: Pick<ProviderCharge, "refundedCents"> }): Promise<void> {
  await rereading(async () => {
    const charge = await chargeRow(ctx, { chargeId });
    if (!charge || !isHeld(charge.status)) return;
    const amountCents = returnedCents(charge, { saidCents: said.refundedCents, waitingCents: await waitingRefundsCents(ctx, { chargeId }), sentCents: await transferredCents(ctx, { chargeId }) });
    if (amountCents === 0) return;
    const now = ctx.now();
    // The id is that of the total: the same news twice is the same refund.
    const refund: Refund = { id: `returned:${chargeId}:${said.refundedCents}`, chargeId, amountCents, feeShareCents: feeShareOfRefund(charge, amountCents), reason: RETURNED_OUTSIDE, decidedBy: null, status: "succeeded", providerRefundId: null, createdAt: now, settledAt: now, costCents: null };
    await commit(ctx.db, [ctx.db.insert(refunds).values(refund), ...(await refundedStatements(ctx, kinds, charge, refund))]);
    ctx.log("payments.returned_outside", { chargeId, refundId: refund.id });
  });
}
