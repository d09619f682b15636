import type { Context } from "#app/domain/context.ts";
import { countAct } from "#app/domain/floods/commands.server.ts";
import { confirmWith } from "#app/domain/payments/commands/confirm.server.ts";
import { debtKind, debtKindWith, owedNow } from "#app/domain/payments/commands/debt-kind.server.ts";
import { firstKnowing } from "#app/domain/payments/commands/kinds.server.ts";
import type { PurchaseKinds } from "#app/domain/payments/commands/kinds.server.ts";
import { sendRefundWith, settleRefundWith } from "#app/domain/payments/commands/refunds.server.ts";
import type { RefundNews } from "#app/domain/payments/commands/refunds.server.ts";
import { reconcileWith } from "#app/domain/payments/commands/request.server.ts";
import { settleDisputeWith } from "#app/domain/payments/commands/settle-dispute.server.ts";
import type {
  DisputeNews,
  DisputeOutcome,
} from "#app/domain/payments/commands/settle-dispute.server.ts";
import { settleWith } from "#app/domain/payments/commands/settle.server.ts";
import { tellToConfirmWith } from "#app/domain/payments/commands/to-confirm.server.ts";
import type { News } from "#app/domain/payments/commands/settle.server.ts";
import type { RefundStanding } from "#app/domain/payments/queries/money.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { AskedTooOften } from "#app/domain/purchases/errors.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
import {
  subscriptionKinds,
  subscriptionKindsKnowing,
} from "#app/domain/subscriptions/commands/kind.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { giftKind, giftKindWith, openedByGift, standingOfGift } from "./gift-kind.server.ts";
import { singleKind, singleKindWith, standingOfSingle } from "./single-kind.server.ts";
import { standingOfTip, tipKind, tipKindWith } from "./tip-kind.server.ts";

/**
 * Everything that is paid for. Whoever settles what a provider says of a charge, whatever it pays
 * for, comes through here.
 */
export const purchaseKinds: PurchaseKinds = {
  ...subscriptionKinds,
  post: singleKind,
  collection: singleKind,
  tip: tipKind,
  gift: giftKind,
  debt: debtKind,
};

/**
 * `settleWith` for a charge of any kind. What was read beside the charge that is given
 * (`news.read`) is read again only when it moved meanwhile.
 */
export async function settleCharge(
  ctx: Context,
  news: News,
  beside: PaidFor | null = null,
): Promise<ChargeStatus> {
  return await settleWith(ctx, beside ? kindsKnowing(beside) : purchaseKinds, news);
}

function kindsKnowing({ subscription, single, tip, gift, debt }: PaidFor): PurchaseKinds {
  const singleKnowing = singleKindWith(firstKnowing(single, standingOfSingle));
  return {
    ...subscriptionKindsKnowing(subscription),
    post: singleKnowing,
    collection: singleKnowing,
    tip: tipKindWith(firstKnowing(tip, standingOfTip)),
    gift: giftKindWith(
      firstKnowing(gift, standingOfGift),
      firstKnowing(subscription.facts?.subscription ?? null, openedByGift),
    ),
    debt: debtKindWith(firstKnowing(debt, owedNow)),
  };
}

/** Whoever waits in front of the page asks a few times; the bank tells us by itself too. */
const ASK_LIMITS = [
  { windowMs: MINUTE_MS, limit: 6 },
  { windowMs: HOUR_MS, limit: 60 },
];

/**
 * "Já paguei": `settleCharge`, where its payer asks. Refuses AskedTooOften past six times in a
 * minute or sixty in an hour. Throws ProviderUnclear.
 */
export async function askAboutCharge(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<ChargeStatus> {
  await countAsked(ctx, memberId);
  return await settleCharge(ctx, { chargeId });
}

const countAsked = (ctx: Context, personId: string): Promise<void> =>
  countAct(
    ctx,
    { act: "ask-charge", personId, limits: ASK_LIMITS },
    (freeAt) => new AskedTooOften(freeAt),
  );

/**
 * `confirmWith` for a charge of any kind, where its payer asks; counted as `askAboutCharge`.
 * Refuses AskedTooOften.
 */
export async function confirmCharge(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<{ status: ChargeStatus; nextActionUrl: string | null }> {
  await countAsked(ctx, memberId);
  return await confirmWith(ctx, purchaseKinds, { chargeId });
}

/** `reconcileWith` for a charge of any kind; `beside` as in `settleCharge`. */
export async function reconcileCharge(
  ctx: Context,
  charge: Pick<News, "chargeId" | "read" | "back">,
  beside: PaidFor | null = null,
): Promise<void> {
  await reconcileWith(ctx, beside ? kindsKnowing(beside) : purchaseKinds, charge);
}

/** `tellToConfirmWith` for a charge of any kind. */
export async function tellToConfirm(ctx: Context, charge: { chargeId: string }): Promise<void> {
  await tellToConfirmWith(ctx, purchaseKinds, charge);
}

/** `sendRefundWith` for a refund of any kind of charge; `beside` as in `settleCharge`. */
export async function sendRefund(
  ctx: Context,
  refund: { refundId: string; read?: RefundStanding },
  beside: PaidFor | null = null,
): Promise<void> {
  await sendRefundWith(ctx, beside ? kindsKnowing(beside) : purchaseKinds, refund);
}

/** `settleRefundWith` for a refund of any kind of charge; `beside` as in `settleCharge`. */
export async function settleRefund(
  ctx: Context,
  refund: RefundNews,
  beside: PaidFor | null = null,
): Promise<void> {
  await settleRefundWith(ctx, beside ? kindsKnowing(beside) : purchaseKinds, refund);
}

/** `settleDisputeWith` for a charge of any kind; `beside` as in `settleCharge`. */
export async function settleDispute(
  ctx: Context,
  dispute: DisputeNews,
  beside: PaidFor | null = null,
): Promise<DisputeOutcome> {
  return await settleDisputeWith(ctx, beside ? kindsKnowing(beside) : purchaseKinds, dispute);
}
