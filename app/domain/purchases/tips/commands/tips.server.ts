import { and, eq, isNull, or } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { joinOrCancelOpenCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { COOLING_OFF_REFUND_REASON } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import {
  PurchaseMethodNotOffered,
  CannotTipYourself,
  PurchaseNotFound,
  PurchaseAlreadyEnded,
  PurchaseUnderDispute,
  PurchaseCoolingOffExpired,
  TipsNotAccepted,
} from "#app/domain/purchases/errors.ts";
import { InvalidTipAmount } from "#app/domain/purchases/tips/errors.ts";
import { openTip, tipRow, tipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import type { TipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import { coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import { isTipAmount, tipDescription } from "#app/domain/purchases/tips/rules.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import {
  LeavingMemberCannotSubscribe,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { tips } from "#drizzle/schema/purchases.ts";
import {
  oneOffCharge,
  oneOffChargeStatements,
  enforceCheckoutLimits,
  openOneOffCheckout,
  checkoutIntentOf,
} from "#app/domain/purchases/checkout/commands/open-checkout.server.ts";
import type {
  OpenedOneOffCheckout,
  OneOffPayment,
} from "#app/domain/purchases/checkout/commands/open-checkout.server.ts";
import { tipEndedStatement } from "./tip-kind.server.ts";

export type TipCheckout = OneOffPayment & {
  /** The page's id or username. */
  creatorKey: string;
  amountCents: Cents;
  message: string;
};

/**
 * Opens a tip and requests its charge, like `startPurchase`. Rows are committed first, and the
 * charge's id is the key. A second tip to the same page joins the open one, which stores the latest
 * message. Another amount, method or card cancels it first. Refuses: TipsNotAccepted (also across a
 * block), CannotTipYourself, InvalidTipAmount, PurchaseMethodNotOffered,
 * LeavingMemberCannotSubscribe, TooManyOpenPayments, TooManyDeclines, SavedCardRemoved,
 * PaymentDeclined. Source: domain rules, "Plans".
 */
export async function startTip(ctx: Context, wish: TipCheckout): Promise<JoinedCheckout> {
  return await openOneOffCheckout(ctx, wish, () => openOrJoin(ctx, wish));
}

async function openOrJoin(ctx: Context, wish: TipCheckout): Promise<OpenedOneOffCheckout> {
  const target = await targetOf(ctx, wish);
  const joined = await joinedOpen(ctx, wish, target);
  if (joined) return { joined };
  await requireSavedCard(ctx, wish);
  await enforceCheckoutLimits(ctx, wish);
  const tipId = ctx.newId();
  const agreed = { creatorId: target.id, amountCents: wish.amountCents };
  const charge = oneOffCharge(ctx, wish, {
    ...agreed,
    purchaseKind: "tip",
    purchaseId: tipId,
    description: tipDescription(target.name),
  });
  await commit(ctx.db, [
    ctx.db.insert(tips).values({
      ...agreed,
      id: tipId,
      personId: wish.memberId,
      chargeId: charge.id,
      message: wish.message,
      createdAt: ctx.now(),
      linkSlug: linkSlugSql(target.id, wish.link),
    }),
    ...oneOffChargeStatements(ctx, wish, charge),
  ]).catch(async (error: unknown) => {
    if (!(error instanceof StaleWrite)) throw error;
    await requireSavedCard(ctx, wish);
    throw new TooManyOpenPayments();
  });
  return { charge };
}

async function targetOf(
  ctx: Context,
  { memberId, creatorKey, amountCents, method }: TipCheckout,
): Promise<TipTarget> {
  const target = await tipTarget(ctx, { key: creatorKey, memberId });
  if (!target) throw new TipsNotAccepted();
  if (target.id === memberId) throw new CannotTipYourself();
  if (await isAccountClosing(ctx, { personId: memberId })) throw new LeavingMemberCannotSubscribe();
  if (!isTipAmount(amountCents)) throw new InvalidTipAmount();
  if (!methodsForPrice(amountCents).includes(method) || !isMethodOffered(method, ctx))
    throw new PurchaseMethodNotOffered({ method, amountCents });
  return target;
}

async function joinedOpen(
  ctx: Context,
  wish: TipCheckout,
  { id: creatorId }: TipTarget,
): Promise<JoinedCheckout | null> {
  const openNow = () => openTip(ctx, { memberId: wish.memberId, creatorId });
  const open = await openNow();
  if (!open) return null;
  const joined = await joinOrCancelOpenCheckout(ctx, {
    wish: checkoutIntentOf(wish, wish.amountCents),
    open,
    openNow,
  });
  if (joined)
    await ctx.db
      .update(tips)
      .set({ message: wish.message })
      .where(and(eq(tips.id, open.tipId), isNull(tips.paidAt), isNull(tips.endedAt)));
  return joined;
}

/**
 * Makes the cooling-off refund of a tip. Within seven days of the payment all of it is refunded,
 * without a reason (CDC art. 49). Refuses PurchaseNotFound (also for another person's tip),
 * PurchaseAlreadyEnded, PurchaseCoolingOffExpired, and PurchaseUnderDispute.
 */
export async function requestTipCoolingOffRefund(
  ctx: Context,
  { personId, tipId }: { personId: string; tipId: string },
): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const tip = await tipRow(ctx, { tipId });
    const charge = tip ? await chargeRow(ctx, tip) : null;
    if (!tip || !charge || tip.personId !== personId) throw new PurchaseNotFound();
    const problem = coolingOffRefundProblem(
      { boughtAt: tip.paidAt, endedAt: tip.endedAt },
      charge,
      ctx.now(),
    );
    if (problem === "over") throw new PurchaseAlreadyEnded();
    if (problem === "too_late") throw new PurchaseCoolingOffExpired();
    if (problem === "disputed") throw new PurchaseUnderDispute();
    const backCents = await refundableCents(ctx, charge);
    const id = backCents > 0 ? ctx.newId() : null;
    await commit(ctx.db, [
      mustChangeOne(tipEndedStatement(ctx, { tipId, reason: "regret" })),
      ...(id
        ? [
            requestRefundStatement(ctx, charge, {
              id,
              amountCents: backCents,
              reason: COOLING_OFF_REFUND_REASON,
            }),
          ]
        : []),
    ]);
    return id;
  });
  if (refundId) await refundNow(ctx, refundId);
}

/** Builds the statement that erases the messages of a deleted member's tips, given and received. */
export function eraseTipMessagesStatement(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite {
  return ctx.db
    .update(tips)
    .set({ message: "" })
    .where(or(eq(tips.personId, personId), eq(tips.creatorId, personId)));
}
