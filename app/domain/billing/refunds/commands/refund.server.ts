import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { RefundRefused, TransactionNotFound } from "#app/domain/billing/errors.ts";
import { refundStates } from "#app/domain/billing/refunds/queries/refund.server.ts";
import { refundProblem } from "#app/domain/billing/refunds/rules.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow, refundRow } from "#app/domain/payments/queries.server.ts";
import { latestTransferOfRefund } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";

export type RefundRequest = {
  /** The seller that the sale must belong to. Null for a moderator, who may refund any sale. */
  sellerId: string | null;
  /** The person who decides. */
  decidedBy: string;
  chargeId: string;
  /** Made with the form: the same id again changes nothing. */
  refundId: string;
  amountCents: Cents;
  /** The payer reads it. If empty, the text only says who refunded. */
  reason: string;
};

/**
 * Refunds all or part of a payment, by decision of its seller or the staff. A full refund ends what
 * was paid for once the provider confirms it: money and access move together. The same `refundId`
 * again does nothing, so two clicks refund once. Of two parallel decisions, one is refused. Returns
 * whether it is done or waits. `requested` waits for the provider. `awaiting_key` waits for the
 * payer's Pix key: a Pix of more than 90 days. Throws TransactionNotFound, also for another
 * seller's sale. Throws RefundRefused, also for a refusal of the provider; then nothing changes.
 * Source: domain rules, "Fee" and "Ledger".
 */
export async function refundCharge(
  ctx: Context,
  wish: RefundRequest,
): Promise<"succeeded" | "requested" | "awaiting_key"> {
  try {
    await retryOnConflict(() => decideRefund(ctx, wish));
  } catch (error) {
    // The database allows one unconfirmed refund: this one, by another click, or somebody else's.
    if (!(error instanceof RuleViolation) || error.rule !== "immutable_refund_waits") throw error;
    if (!isSame(wish, await refundRow(ctx, wish))) throw new RefundRefused("waiting");
  }
  await refundNow(ctx, wish.refundId);
  const refund = await refundRow(ctx, wish);
  if (refund?.status === "failed") throw new RefundRefused("refused");
  if (refund?.status !== "succeeded") return "requested";
  return (await latestTransferOfRefund(ctx, wish)) ? "awaiting_key" : "succeeded";
}

async function decideRefund(ctx: Context, wish: RefundRequest): Promise<void> {
  const charge = await chargeRow(ctx, wish);
  // The payment of a debt is no sale: only its bank or its provider refunds it.
  if (
    !charge ||
    charge.purchaseKind === "debt" ||
    charge.succeededAt === null ||
    (wish.sellerId !== null && charge.creatorId !== wish.sellerId)
  )
    throw new TransactionNotFound();
  const existing = await refundRow(ctx, wish);
  if (isSame(wish, existing)) return;
  if (existing) throw new TransactionNotFound();
  const problem = refundProblem(charge, await refundStates(ctx, { chargeId: charge.id }), {
    amountCents: wish.amountCents,
  });
  if (problem) throw new RefundRefused(problem);
  await commit(ctx.db, [
    requestRefundStatement(ctx, charge, {
      id: wish.refundId,
      amountCents: wish.amountCents,
      reason: wish.reason || reasonOf(wish),
      decidedBy: wish.decidedBy,
    }),
  ]);
}

const isSame = (wish: RefundRequest, existing: Refund | null): boolean =>
  existing?.chargeId === wish.chargeId && existing.amountCents === wish.amountCents;

const reasonOf = ({ sellerId }: RefundRequest): string =>
  sellerId === null ? "O Coreto devolveu este pagamento." : "Quem vendeu devolveu este pagamento.";
