import { and, eq, isNull, or } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isLeaving } from "#app/domain/identity/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { refundNow, refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { joinedOrLetGo } from "#app/domain/payments/commands/open-attempt.server.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { retryOnConflict } from "#app/domain/payments/commands/retry-on-conflict.server.ts";
import { chargeRow, returnableCents } from "#app/domain/payments/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { REGRET_WORDS } from "#app/domain/payments/rules/regret.ts";
import { methodsFor } from "#app/domain/plans/rules.ts";
import {
  MethodNotOffered,
  OwnPage,
  PurchaseNotFound,
  PurchaseOver,
  RegretDisputed,
  RegretTooLate,
  TipAmountRefused,
  TipsNotAccepted,
} from "#app/domain/purchases/errors.ts";
import { openTip, tipRow, tipTarget } from "#app/domain/purchases/queries/tips.server.ts";
import type { TipTarget } from "#app/domain/purchases/queries/tips.server.ts";
import { regretProblem } from "#app/domain/purchases/rules.ts";
import { isTipAmount, tipDescription } from "#app/domain/purchases/rules/tips.ts";
import { refuseGoneCard } from "#app/domain/subscriptions/commands/renewal/payment-method.server.ts";
import { LeavingBuysNothing, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { tips } from "#drizzle/schema/purchases.ts";
import {
  chargeOpened,
  chargeStatements,
  refuseWhatIsTooMuch,
  startPaying,
  wishOf,
} from "./open-attempt.server.ts";
import type { Opened, Paying } from "./open-attempt.server.ts";
import { tipEndStatement } from "./tip-kind.server.ts";

export type TipWish = Paying & {
  /** Whose page, by id or username. */
  creatorKey: string;
  amountCents: Cents;
  message: string;
};

/**
 * Opens a tip and asks the provider for its charge, as `startPurchase` does: rows first, the
 * charge's id as key, and a second one to the same page joins the one that is open, which keeps the
 * last message; another amount, method or card lets it go first. Refuses: TipsNotAccepted (also
 * across a block), OwnPage, TipAmountRefused, MethodNotOffered, LeavingBuysNothing,
 * TooManyOpenPayments, TooManyDeclines, SavedCardGone, PaymentDeclined. Source: domain rules,
 * "Plans".
 */
export async function startTip(ctx: Context, wish: TipWish): Promise<Joined> {
  return await startPaying(ctx, wish, () => openOrJoin(ctx, wish));
}

async function openOrJoin(ctx: Context, wish: TipWish): Promise<Opened> {
  const target = await targetOf(ctx, wish);
  const joined = await joinedOpen(ctx, wish, target);
  if (joined) return { joined };
  await refuseGoneCard(ctx, wish);
  await refuseWhatIsTooMuch(ctx, wish);
  const tipId = ctx.newId();
  const agreed = { creatorId: target.id, amountCents: wish.amountCents };
  const charge = chargeOpened(ctx, wish, {
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
    }),
    ...chargeStatements(ctx, wish, charge),
  ]).catch(async (error: unknown) => {
    if (!(error instanceof StaleWrite)) throw error;
    await refuseGoneCard(ctx, wish);
    throw new TooManyOpenPayments();
  });
  return { charge };
}

async function targetOf(
  ctx: Context,
  { memberId, creatorKey, amountCents, method }: TipWish,
): Promise<TipTarget> {
  const target = await tipTarget(ctx, { key: creatorKey, memberId });
  if (!target) throw new TipsNotAccepted();
  if (target.id === memberId) throw new OwnPage();
  if (await isLeaving(ctx, { personId: memberId })) throw new LeavingBuysNothing();
  if (!isTipAmount(amountCents)) throw new TipAmountRefused();
  if (!methodsFor(amountCents).includes(method) || !isMethodOffered(method, ctx))
    throw new MethodNotOffered({ method, amountCents });
  return target;
}

async function joinedOpen(
  ctx: Context,
  wish: TipWish,
  { id: creatorId }: TipTarget,
): Promise<Joined | null> {
  const openNow = () => openTip(ctx, { memberId: wish.memberId, creatorId });
  const open = await openNow();
  if (!open) return null;
  const joined = await joinedOrLetGo(ctx, {
    wish: wishOf(wish, wish.amountCents),
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
 * Right of regret: within seven days of the payment all of a tip goes back, no reason asked (CDC
 * art. 49). Refuses PurchaseNotFound (also for somebody else's), PurchaseOver, RegretTooLate, and
 * RegretDisputed while the bank has the money.
 */
export async function regretTip(
  ctx: Context,
  { personId, tipId }: { personId: string; tipId: string },
): Promise<void> {
  const refundId = await retryOnConflict(async () => {
    const tip = await tipRow(ctx, { tipId });
    const charge = tip ? await chargeRow(ctx, tip) : null;
    if (!tip || !charge || tip.personId !== personId) throw new PurchaseNotFound();
    const problem = regretProblem(
      { boughtAt: tip.paidAt, endedAt: tip.endedAt },
      charge,
      ctx.now(),
    );
    if (problem === "over") throw new PurchaseOver();
    if (problem === "too_late") throw new RegretTooLate();
    if (problem === "disputed") throw new RegretDisputed();
    const backCents = await returnableCents(ctx, charge);
    const id = backCents > 0 ? ctx.newId() : null;
    await commit(ctx.db, [
      exactlyOne(tipEndStatement(ctx, { tipId, reason: "regret" })),
      ...(id
        ? [refundStatement(ctx, charge, { id, amountCents: backCents, reason: REGRET_WORDS })]
        : []),
    ]);
    return id;
  });
  if (refundId) await refundNow(ctx, refundId);
}

/**
 * The statement after which nothing is known of what somebody who left wrote with their tips, or
 * was written to them.
 */
export function erasedTipMessagesStatement(
  ctx: Context,
  { personId }: { personId: string },
): Write {
  return ctx.db
    .update(tips)
    .set({ message: "" })
    .where(or(eq(tips.personId, personId), eq(tips.creatorId, personId)));
}
