import type { Context } from "#app/domain/context.ts";
import { stepPerRow, stepPerLoadedRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { chargesToReconcile, refundsToSend } from "#app/domain/payments/queries.server.ts";
import { chargesAwaitingConfirmation } from "#app/domain/payments/charges/queries/unconfirmed-charges.server.ts";
import { CONFIRMATION_REMINDER_AFTER_MS } from "#app/domain/payments/charges/rules/confirmation-reminder.ts";
import { endAndRefundPurchase } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { expireGift, deliverGift } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { refundUnderageSale } from "#app/domain/purchases/underage-sellers/commands.server.ts";
import { sendRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { notifyUnconfirmedCharge } from "#app/domain/payments/charges/commands/confirmation-reminder.server.ts";
import { purchasesToClose } from "#app/domain/purchases/queries.server.ts";
import {
  refundSnapshots,
  settlementSnapshots,
} from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import { underageSalesToRefund } from "#app/domain/purchases/underage-sellers/queries.server.ts";
import {
  expiredGifts,
  dueGiftDeliveries,
} from "#app/domain/purchases/gifts/queries/due-gifts.server.ts";
import {
  retryDebit,
  cancelDebit,
} from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import {
  debitsToRetry,
  debitsToCancel,
} from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { subscriptionsOfUnderage } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const ASK_LIMIT = 200;
/** Charges read in one call, each with its purchase. */
const CHARGES_READ = 20;
const AUTOMATIC_LIMIT = 100;
const CLOSINGS_LIMIT = 200;
const GIFTS_LIMIT = 200;
const FALSE_AGE_CHARGES_LIMIT = 100;
const REFUNDS_PER_RUN = 100;
/** Refunds read in one call, each with about thirty statements. */
const REFUNDS_READ = 10;
/** How long an unclear answer of the provider waits before the next request. */
const UNCLEAR_FOR_MS = MINUTE_MS;

/** Settles overdue and unconfirmed charges, and sends pending refunds again. */
export const chargeSteps = {
  settle: stepPerLoadedRow({
    name: "charges.settle",
    event: "renewals.charge_unclear",
    due: (ctx, now) =>
      chargesToReconcile(ctx, { now, askedBefore: now - UNCLEAR_FOR_MS, limit: ASK_LIMIT }),
    size: CHARGES_READ,
    read: (ctx, chargeIds) => settlementSnapshots(ctx, { chargeIds }),
    each: (ctx, chargeId, snapshot) => reconcileCharge(ctx, { chargeId, snapshot }),
  }),
  remindToConfirm: stepPerRow({
    name: "charges.remind_to_confirm",
    event: "renewals.charge_unclear",
    due: (ctx, now) =>
      chargesAwaitingConfirmation(ctx, {
        now,
        since: now - CONFIRMATION_REMINDER_AFTER_MS,
        limit: ASK_LIMIT,
      }),
    each: (ctx, chargeId) => notifyUnconfirmedCharge(ctx, { chargeId }),
  }),
  sendRefunds: stepPerLoadedRow({
    name: "charges.send_refunds",
    event: "payouts.refund_unclear",
    due: (ctx) => refundsToSend(ctx, { limit: REFUNDS_PER_RUN }),
    size: REFUNDS_READ,
    read: (ctx, refundIds) => refundSnapshots(ctx, { refundIds }),
    each: (ctx, refundId, snapshot) => sendRefund(ctx, { refundId, snapshot: snapshot ?? null }),
  }),
} satisfies Record<string, Step>;

/** Builds a step over due debits, each read with its purchase. */
const eachDebit = (
  name: string,
  {
    due,
    each,
  }: {
    due(ctx: Context, now: Instant): Promise<string[]>;
    each: typeof cancelDebit;
  },
): Step =>
  stepPerLoadedRow({
    name,
    event: "renewals.debit_unclear",
    due,
    size: CHARGES_READ,
    read: (ctx, chargeIds) => settlementSnapshots(ctx, { chargeIds }),
    each: (ctx, chargeId, snapshot) => each(ctx, { chargeId, snapshot }),
  });

/** Debits of Pix Automático: cancels unwanted ones, and retries refused ones. */
export const debitSteps = {
  takeBack: eachDebit("debits.take_back", {
    due: (ctx, now) =>
      debitsToCancel(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: AUTOMATIC_LIMIT }),
    each: cancelDebit,
  }),
  retry: eachDebit("debits.retry", {
    due: (ctx) => debitsToRetry(ctx, { limit: AUTOMATIC_LIMIT }),
    each: retryDebit,
  }),
} satisfies Record<string, Step>;

/** Refunds purchases whose content was removed. */
export const purchaseSteps = {
  close: stepPerRow({
    name: "purchases.close",
    event: "renewals.purchase_close_failed",
    due: (ctx, now) => purchasesToClose(ctx, { now, limit: CLOSINGS_LIMIT }),
    each: (ctx, purchaseId) => endAndRefundPurchase(ctx, { purchaseId, because: "removed" }),
  }),
} satisfies Record<string, Step>;

/**
 * Scheduled steps of gifts: delivers due ones, and refunds those that were not claimed in time or
 * whose page closed.
 */
export const giftSteps = {
  deliver: stepPerRow({
    name: "gifts.deliver",
    event: "renewals.gift_delivery_failed",
    due: (ctx, now) => dueGiftDeliveries(ctx, { now, limit: GIFTS_LIMIT }),
    each: (ctx, giftId) => deliverGift(ctx, { giftId }),
  }),
  close: stepPerRow({
    name: "gifts.close",
    event: "renewals.gift_close_failed",
    due: (ctx, now) => expiredGifts(ctx, { now, bannedBefore: now - DAY_MS, limit: GIFTS_LIMIT }),
    each: (ctx, giftId) => expireGift(ctx, { giftId }),
  }),
} satisfies Record<string, Step>;

/**
 * Steps for sellers who lied about their age. Refunds the part of each sale that was not paid out,
 * then ends subscriptions.
 */
export const falseAgeSteps = {
  refund: stepPerRow({
    name: "false_ages.refund",
    event: "renewals.false_age_failed",
    due: (ctx) => underageSalesToRefund(ctx, { limit: FALSE_AGE_CHARGES_LIMIT }),
    each: (ctx, chargeId) => refundUnderageSale(ctx, { chargeId }),
  }),
  closeSubscriptions: stepPerRow({
    name: "false_ages.close_subscriptions",
    event: "renewals.subscription_close_failed",
    kind: "seller_closed",
    due: underageToClose,
    each: (ctx, subscriptionId) =>
      closeSubscription(ctx, { subscriptionId, because: "creator_left" }),
  }),
} satisfies Record<string, Step>;

/**
 * Runs only once all refunds are decided, since an ending subscription refunds days of what
 * remains.
 */
async function underageToClose(ctx: Context): Promise<string[]> {
  const [undecided, subscriptionIds] = await Promise.all([
    underageSalesToRefund(ctx, { limit: 1 }),
    subscriptionsOfUnderage(ctx, { limit: CLOSINGS_LIMIT }),
  ]);
  return undecided.length > 0 ? [] : subscriptionIds;
}
