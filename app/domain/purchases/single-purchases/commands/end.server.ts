import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import {
  PurchaseNotFound,
  PurchaseAlreadyEnded,
  PurchaseUnderDispute,
  PurchaseCoolingOffExpired,
  TicketsPassedOn,
} from "#app/domain/purchases/errors.ts";
import { purchaseRow } from "#app/domain/purchases/queries.server.ts";
import {
  arePassedOn,
  purchaseStartsAt,
} from "#app/domain/purchases/single-purchases/queries/event-seats.server.ts";
import { coolingOffRefundProblem, purchasedContentPath } from "#app/domain/purchases/rules.ts";
import { purchaseClosingReasonText } from "#app/domain/purchases/schema.ts";
import type { PurchaseClosingReason, PurchaseEndReason } from "#app/domain/purchases/schema.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { COOLING_OFF_REFUND_REASON } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { purchaseEndedStatement } from "./single-kind.server.ts";

/**
 * Makes a cooling-off refund. Within seven days of the payment everything is refunded without a
 * reason, and access ends at once (CDC art. 49). Refuses PurchaseNotFound (also for another
 * person's purchase), PurchaseAlreadyEnded, PurchaseCoolingOffExpired, PurchaseUnderDispute, and
 * TicketsPassedOn.
 */
export async function requestPurchaseCoolingOffRefund(
  ctx: Context,
  { personId, purchaseId }: { personId: string; purchaseId: string },
): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const purchase = await purchaseRow(ctx, { purchaseId });
    const charge = purchase ? await chargeRow(ctx, purchase) : null;
    if (!purchase || !charge || purchase.personId !== personId) throw new PurchaseNotFound();
    const startsAt = await purchaseStartsAt(ctx, purchase);
    const problem = coolingOffRefundProblem({ ...purchase, startsAt }, charge, ctx.now());
    if (problem === "over") throw new PurchaseAlreadyEnded();
    if (problem === "too_late") throw new PurchaseCoolingOffExpired(purchase.kind);
    if (problem === "disputed") throw new PurchaseUnderDispute();
    if (await arePassedOn(ctx, purchase))
      throw new TicketsPassedOn({ eventPath: purchasedContentPath("event", purchase.targetId) });
    return await endAndGiveBack(ctx, charge, {
      reason: "regret",
      reasonText: COOLING_OFF_REFUND_REASON,
    });
  });
  if (refundId) await refundNow(ctx, refundId);
}

/**
 * Ends a purchase whose content was removed or whose seller leaves, and refunds what remains of its
 * price. End and refund are one batch, so that a second run finds nothing. Does nothing to a
 * disputed or ended purchase. Source: domain rules, "Access to a post".
 */
export async function endAndRefundPurchase(
  ctx: Context,
  { purchaseId, because }: { purchaseId: string; because: PurchaseClosingReason },
): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const purchase = await purchaseRow(ctx, { purchaseId });
    const charge = purchase ? await chargeRow(ctx, purchase) : null;
    if (
      !purchase ||
      !charge ||
      purchase.boughtAt === null ||
      purchase.endedAt !== null ||
      !isRefundable(charge.status)
    )
      return null;
    return await endAndGiveBack(ctx, charge, {
      reason: because,
      reasonText: purchaseClosingReasonText(purchase.kind, because),
    });
  });
  if (refundId) await refundNow(ctx, refundId);
}

/**
 * Builds the statement that ends the purchases of a deleted member. Nothing is refunded, since no
 * payer remains.
 */
export function endBuyerPurchasesStatement(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite {
  return ctx.db
    .update(purchases)
    .set({ endedAt: ctx.now(), endedReason: "buyer_left" })
    .where(
      and(
        eq(purchases.personId, personId),
        isNotNull(purchases.boughtAt),
        isNull(purchases.endedAt),
      ),
    );
}

/** Returns the refund's id; null when nothing remains to refund. */
async function endAndGiveBack(
  ctx: Context,
  charge: Charge,
  { reason, reasonText }: { reason: PurchaseEndReason; reasonText: string },
): Promise<string | null> {
  const backCents = await refundableCents(ctx, charge);
  const refundId = backCents > 0 ? ctx.newId() : null;
  await commit(ctx.db, [
    ...(reason === "regret" && charge.purchaseKind === "event"
      ? [nobodyEnteredStatement(ctx, charge)]
      : []),
    purchaseEndedStatement(ctx, { purchaseId: charge.purchaseId, reason }),
    ...(refundId
      ? [
          requestRefundStatement(ctx, charge, {
            id: refundId,
            amountCents: backCents,
            reason: reasonText,
          }),
        ]
      : []),
  ]);
  return refundId;
}

/** A ticket that was used since it was read is not refunded: the batch is stale. */
function nobodyEnteredStatement(ctx: Context, { purchaseId }: Pick<Charge, "purchaseId">) {
  return guardStatement(
    ctx.db,
    sql`NOT EXISTS (SELECT 1 FROM purchases bought JOIN event_seats seat ON seat.order_id = bought.target_id WHERE bought.id = ${purchaseId} AND seat.checked_in_at IS NOT NULL)`,
  );
}
