import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import { COOLING_OFF_REFUND_REASON } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import {
  PurchaseNotFound,
  PurchaseAlreadyEnded,
  PurchaseUnderDispute,
  PurchaseCoolingOffExpired,
} from "#app/domain/purchases/errors.ts";
import {
  GiftNotFound,
  GiftDeliveryNotPossible,
  TooManyGiftEmails,
} from "#app/domain/purchases/gifts/errors.ts";
import { loadGiftSnapshot } from "#app/domain/purchases/gifts/queries.server.ts";
import { giftLink } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import type { GiftSnapshot } from "#app/domain/purchases/gifts/queries.server.ts";
import {
  GIFT_EMAIL_RATE_LIMITS,
  giftCoolingOffRefundProblem,
} from "#app/domain/purchases/gifts/rules.ts";
import { giftRefundReasons } from "#app/domain/purchases/gifts/schema.ts";
import type { GiftEndReason } from "#app/domain/purchases/gifts/schema.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import {
  giftDeliveryStatement,
  giftEndedStatements,
  openedSubscription,
  giftRevokedKey,
} from "./gift-kind.server.ts";

/**
 * Makes the giver's cooling-off refund. Within seven days of the payment everything is refunded,
 * without a reason. A subscription claimed with the gift ends now, and its member is notified (CDC
 * art. 49). Refuses PurchaseNotFound (also for another person's gift), PurchaseAlreadyEnded,
 * PurchaseCoolingOffExpired, and PurchaseUnderDispute.
 */
export async function requestGiftCoolingOffRefund(
  ctx: Context,
  { personId, giftId }: { personId: string; giftId: string },
): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const snapshot = await loadGiftSnapshot(ctx, { giftId });
    const charge = snapshot ? await chargeRow(ctx, snapshot.gift) : null;
    if (!snapshot || !charge || snapshot.gift.giverId !== personId) throw new PurchaseNotFound();
    const problem = giftCoolingOffRefundProblem(snapshot.gift, charge, ctx.now());
    if (problem === "over") throw new PurchaseAlreadyEnded();
    if (problem === "too_late") throw new PurchaseCoolingOffExpired();
    if (problem === "disputed") throw new PurchaseUnderDispute();
    return await endAndGiveBack(ctx, snapshot, charge, {
      reason: "regret",
      reasonText: COOLING_OFF_REFUND_REASON,
    });
  });
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: giftRevokedKey(giftId),
  });
  if (refundId) await refundNow(ctx, refundId);
}

/**
 * Refunds an unclaimed gift in full: its claim time is over, or the seller was banned or is
 * leaving. End and refund are one batch, so that a second run finds nothing. If the provider
 * refuses the refund, the giver is notified and staff sees it. Does nothing to a gift that is
 * claimed, over, still claimable or disputed.
 */
export async function expireGift(ctx: Context, { giftId }: { giftId: string }): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const snapshot = await loadGiftSnapshot(ctx, { giftId });
    const charge = snapshot ? await chargeRow(ctx, snapshot.gift) : null;
    if (!snapshot || !charge || !isRefundable(charge.status)) return null;
    const { paidAt, claimUntil, claimedAt, endedAt } = snapshot.gift;
    if (paidAt === null || claimedAt !== null || endedAt !== null) return null;
    const reason =
      claimUntil !== null && claimUntil <= ctx.now()
        ? "unclaimed"
        : snapshot.isSellerGone
          ? "creator_left"
          : null;
    return reason === null
      ? null
      : await endAndGiveBack(ctx, snapshot, charge, {
          reason,
          reasonText: giftRefundReasons[reason],
        });
  });
  if (refundId) await refundNow(ctx, refundId);
}

/** Returns the refund's id; null when nothing remains to refund. */
async function endAndGiveBack(
  ctx: Context,
  snapshot: GiftSnapshot,
  charge: Charge,
  { reason, reasonText }: { reason: GiftEndReason; reasonText: string },
): Promise<string | null> {
  const backCents = await refundableCents(ctx, charge);
  const refundId = backCents > 0 ? ctx.newId() : null;
  const opened = await openedSubscription(ctx, snapshot);
  await commit(ctx.db, [
    ...giftEndedStatements(ctx, { snapshot, opened }, reason),
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

/**
 * Sends the gift's e-mail to its recipient on the delivery day. Does nothing if it was sent, or if
 * there is nothing to claim.
 */
export async function deliverGift(ctx: Context, { giftId }: { giftId: string }): Promise<void> {
  const key = `gift:${giftId}:delivered`;
  const isDelivered = await retryOnConflict(async () => {
    const snapshot = await loadGiftSnapshot(ctx, { giftId });
    if (
      !snapshot ||
      snapshot.gift.deliveredAt !== null ||
      snapshot.gift.recipientEmail === "" ||
      !isWaiting(snapshot) ||
      (snapshot.gift.deliverAt ?? 0) > ctx.now()
    )
      return false;
    const link = await giftLink(ctx, { giftId });
    await commit(ctx.db, [
      deliveredStatement(ctx, { giftId, email: snapshot.gift.recipientEmail }),
      giftDeliveryStatement(ctx, snapshot, { key, link }),
    ]);
    return true;
  });
  if (isDelivered)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/**
 * Sends the gift's e-mail again, to this address, or before its day. Refuses GiftNotFound (also for
 * another person's gift), GiftDeliveryNotPossible, TooManyGiftEmails.
 */
export async function resendGift(
  ctx: Context,
  { giverId, giftId, recipientEmail }: { giverId: string; giftId: string; recipientEmail: string },
): Promise<void> {
  const snapshot = await loadGiftSnapshot(ctx, { giftId });
  if (!snapshot || snapshot.gift.giverId !== giverId || snapshot.gift.paidAt === null)
    throw new GiftNotFound();
  if (!isWaiting(snapshot)) throw new GiftDeliveryNotPossible();
  const key = `gift:${giftId}:delivered:${ctx.newId()}`;
  const link = await giftLink(ctx, { giftId });
  const counted = { act: "gift_delivery", personId: giverId, limits: [GIFT_EMAIL_RATE_LIMITS] };
  await commit(ctx.db, [
    ...rateLimitStatements(ctx, counted),
    deliveredStatement(ctx, { giftId, email: recipientEmail }),
    giftDeliveryStatement(
      ctx,
      { ...snapshot, gift: { ...snapshot.gift, recipientEmail } },
      { key, link },
    ),
  ]).catch(async (error: unknown) => {
    if (!(error instanceof StaleWrite)) throw error;
    const now = await loadGiftSnapshot(ctx, { giftId });
    throw now && isWaiting(now)
      ? new TooManyGiftEmails(await rateLimitResetAt(ctx, counted))
      : new GiftDeliveryNotPossible();
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

const isWaiting = ({ gift: { paidAt, claimedAt, endedAt } }: GiftSnapshot): boolean =>
  paidAt !== null && claimedAt === null && endedAt === null;

function deliveredStatement(
  ctx: Context,
  { giftId, email }: { giftId: string; email: string },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(gifts)
      .set({ deliveredAt: ctx.now(), recipientEmail: email })
      .where(
        and(
          eq(gifts.id, giftId),
          isNotNull(gifts.paidAt),
          isNull(gifts.claimedAt),
          isNull(gifts.endedAt),
        ),
      ),
  );
}

/**
 * Builds the statements that erase the names, addresses and messages of a deleted member's gifts,
 * given and received. A gift whose delivery day has not come keeps its recipient, since its giver
 * paid for it to arrive.
 */
export function eraseGiftTextsStatements(
  ctx: Context,
  { personId, email }: { personId: string; email: string },
): BatchWrite[] {
  const erased = { recipientName: "", recipientEmail: "", message: "" };
  const isToArrive = sql`(${gifts.paidAt} IS NOT NULL AND ${gifts.claimedAt} IS NULL AND ${gifts.endedAt} IS NULL AND ${gifts.deliverAt} IS NOT NULL AND ${gifts.deliveredAt} IS NULL)`;
  return [
    ctx.db
      .update(gifts)
      .set(erased)
      .where(and(eq(gifts.giverId, personId), sql`NOT ${isToArrive}`)),
    ctx.db
      .update(gifts)
      .set(erased)
      .where(or(eq(gifts.claimedBy, personId), eq(gifts.recipientEmail, email.toLowerCase()))),
  ];
}
