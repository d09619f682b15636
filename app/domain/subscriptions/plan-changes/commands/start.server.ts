import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  newChargeStatement,
  openChargesLimitStatement,
  withSavedMethodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import {
  joinOrCancelOpenCheckout,
  toCheckoutStart,
} from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import { requestCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import {
  SubscriptionMethodNotOffered,
  PaymentDeclined,
  SubscriptionNotFound,
  TooManyDeclines,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import {
  PlanChangeOutdated,
  PlanChangeRefused,
  RenewalInProgress,
} from "#app/domain/subscriptions/plan-changes/errors.ts";
import { planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { planChangeOffer } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import type {
  PlanChangeOffer,
  PlanChangeRequest,
} from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { openChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { OpenChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { openRenewals } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/checkout/rules.ts";
import { splitPeriodsAt } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { PlanChangeQuote } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import {
  planChangeAbandonedStatements,
  subscriptionUnchanged,
} from "#app/domain/subscriptions/renewal-terms/commands/change-state.server.ts";
import { applyPendingVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";

export type PlanChangePayment = PlanChangeRequest & {
  payerName: string;
  method: PaymentMethod;
  /** The difference that the page showed. */
  amountCents?: Cents | undefined;
  /** From the provider's own field; null sends the member to the provider's page. */
  cardToken: string | null;
  /** One of the member's saved cards, instead. */
  savedMethodId?: string | null;
  /** Whether a newly typed card is saved. */
  keep?: boolean;
};

type UpgradeOffer = PlanChangeOffer & { quote: Extract<PlanChangeQuote, { happens: "now" }> };

/**
 * Opens an upgrade: the charge of its difference, and a seat of the new plan while that charge is
 * open. Rows are committed first; the charge's id is the idempotency key. A second request joins
 * the open one, or cancels it for another plan, method or card. Open renewal charges are canceled
 * first, since their price changes. No renewal is sent while the upgrade waits. Refuses
 * SubscriptionNotFound (also for another member's), PlanChangeRefused, PlanChangeOutdated,
 * RenewalInProgress, SubscriptionMethodNotOffered, TooManyOpenPayments, TooManyDeclines,
 * SavedCardRemoved, TaxIdRequired, PaymentDeclined. Source: domain rules, "Subscriptions" (changing
 * plan).
 */
export async function startPlanChange(
  ctx: Context,
  wish: PlanChangePayment,
): Promise<JoinedCheckout> {
  await applyPendingVacation(ctx, wish);
  const opened = await retryOnConflict(() => openOrJoin(ctx, wish));
  if ("joined" in opened) return toCheckoutStart(opened.joined);
  const { chargeId, amountCents, description, expiresAt } = opened;
  const { status, providerCharge, refusedCode } = await requestCharge(ctx, {
    chargeId,
    amountCents,
    description,
    method: wish.method,
    expiresAt,
    payerName: wish.payerName,
    cardToken: wish.cardToken,
    savedMethodId: wish.savedMethodId ?? null,
    saveMethod: wish.keep ?? false,
    isPayerThere: true,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return toCheckoutStart({
    chargeId,
    status,
    nextActionUrl: providerCharge?.nextActionUrl ?? null,
  });
}

type OpenedPlanChange =
  | { joined: JoinedCheckout }
  | { chargeId: string; amountCents: Cents; description: string; expiresAt: number };

async function openOrJoin(ctx: Context, wish: PlanChangePayment): Promise<OpenedPlanChange> {
  const wanted = await requestedPlanOffer(ctx, wish);
  const joined = await joinedOpenChange(ctx, wish);
  if (joined) return { joined };
  throwPlanChangeProblem(wanted);
  await requirePayerTaxId(ctx, { payerId: wish.fanId, method: wish.method });
  await cancelPendingRenewals(ctx, wish);
  const upgrade = upgradeOf(await requestedPlanOffer(ctx, wish), wish);
  await refuseWhatCannotPay(ctx, wish, upgrade);
  const { subscriptionSnapshot, offer, quote } = upgrade;
  const [chargeId, planChangeId] = [ctx.newId(), ctx.newId()];
  const expiresAt = ctx.now() + paymentMethods[wish.method].checkoutExpiresAfterMs;
  const { subscription, change } = subscriptionSnapshot;
  const description = differenceDescription(upgrade);
  const { savedMethodId = null } = wish;
  const takesSeat = offer.plan.id !== subscription.planId;
  try {
    await commit(ctx.db, [
      newChargeStatement(ctx, {
        id: chargeId,
        payerId: wish.fanId,
        creatorId: subscription.creatorId,
        purchaseKind: "plan_change",
        purchaseId: subscription.id,
        planChangeId,
        description,
        amountCents: quote.dueCents,
        method: wish.method,
        expiresAt,
        period: null,
      }),
      ...(savedMethodId
        ? [withSavedMethodStatement(ctx, { chargeId, personId: wish.fanId, savedMethodId })]
        : []),
      ...(change ? planChangeAbandonedStatements(ctx, { change, reason: "replaced" }) : []),
      newChangeStatement(ctx, upgrade, {
        id: planChangeId,
        holdsSeat: takesSeat,
        periodSplit: quote.keepsPeriod ? null : newPeriodSplit(ctx, upgrade),
      }),
      ...(takesSeat ? [holdSeatStatement(ctx, { planId: offer.plan.id })] : []),
      planChangeStillAllowedStatement(ctx, upgrade),
      openChargesLimitStatement(ctx, {
        chargeId,
        payerId: wish.fanId,
        limit: OPEN_CHECKOUTS_LIMIT,
      }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) await refuseWhatCannotPay(ctx, wish, upgrade);
    throw error;
  }
  return { chargeId, amountCents: quote.dueCents, description, expiresAt };
}

const differenceDescription = ({ offer }: Pick<PlanChangeOffer, "offer">): string =>
  `Diferença da mudança para o plano ${offer.plan.name}, de ${offer.creator.name}`;

/**
 * The open change of the same subscription, if it is joined or cannot be canceled; null when none
 * remains.
 */
async function joinedOpenChange(
  ctx: Context,
  wish: Pick<
    PlanChangePayment,
    "subscriptionId" | "planPriceId" | "method" | "amountCents" | "cardToken" | "savedMethodId"
  >,
): Promise<JoinedCheckout | null> {
  const openNow = () => openChange(ctx, wish);
  const open = await openNow();
  if (!open) return null;
  const isSame = open.toPlanPriceId === wish.planPriceId;
  return await joinOrCancelOpenCheckout(ctx, {
    wish: {
      method: wish.method,
      amountCents: isSame ? (wish.amountCents ?? open.amountCents) : null,
      hasCardToken: wish.cardToken !== null || Boolean(wish.savedMethodId),
    },
    open,
    openNow,
  });
}

/**
 * Cancels at the provider an unpaid plan change, because the member requests something else.
 * Returns the change that could not be canceled, or null.
 */
export async function cancelOpenPlanChange(
  ctx: Context,
  reference: { subscriptionId: string },
): Promise<OpenChange | null> {
  const openNow = () => openChange(ctx, reference);
  const open = await openNow();
  if (!open) return null;
  await joinOrCancelOpenCheckout(ctx, {
    wish: { method: open.method, amountCents: null, hasCardToken: false },
    open,
    openNow,
  });
  return await openNow();
}

/**
 * Cancels the open charges of the next period, which are made again at the new price. Refuses
 * RenewalInProgress for a charge that the bank already has.
 */
export async function cancelPendingRenewals(
  ctx: Context,
  reference: { subscriptionId: string },
): Promise<void> {
  await cancelOpenRenewals(ctx, reference);
  if ((await openRenewals(ctx, reference)).length > 0) throw new RenewalInProgress();
}

/**
 * Quotes the requested change. Refuses SubscriptionNotFound, and PlanChangeRefused for a price that
 * does not exist or is not this creator's.
 */
export async function requestedPlanOffer(
  ctx: Context,
  { fanId, subscriptionId, planPriceId }: PlanChangeRequest,
): Promise<PlanChangeOffer> {
  const priced = await planOfPrice(ctx, { planPriceId });
  const offer =
    priced &&
    (await planChangeOffer(ctx, { fanId, subscriptionId, planPriceId, planId: priced.planId }));
  if (!offer) throw new SubscriptionNotFound();
  return offer;
}

export function throwPlanChangeProblem({ problem }: Pick<PlanChangeOffer, "problem">): void {
  if (problem) throw new PlanChangeRefused(problem);
}

/** Nobody pays another difference than the one they were shown. */
function upgradeOf(
  offer: PlanChangeOffer,
  { amountCents, method }: PlanChangePayment,
): UpgradeOffer {
  throwPlanChangeProblem(offer);
  const { quote } = offer;
  if (quote.happens !== "now" || (amountCents !== undefined && amountCents !== quote.dueCents))
    throw new PlanChangeOutdated();
  if (!offer.methods.includes(method))
    throw new SubscriptionMethodNotOffered({ method, amountCents: quote.dueCents });
  return { ...offer, quote };
}

async function refuseWhatCannotPay(
  ctx: Context,
  { fanId, method, savedMethodId }: PlanChangePayment,
  upgrade: UpgradeOffer,
): Promise<void> {
  throwPlanChangeProblem(upgrade);
  if ((await openChargesCount(ctx, { payerId: fanId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT)
    throw new TooManyOpenPayments();
  await requireSavedCard(ctx, { memberId: fanId, savedMethodId: savedMethodId ?? null });
  if (
    paymentMethods[method].limitsDeclines &&
    (await declinesCount(ctx, { payerId: fanId, since: ctx.now() - HOUR_MS })) >= DECLINES_LIMIT
  )
    throw new TooManyDeclines();
}

type NewPeriodSplit = NonNullable<(typeof planChanges.$inferInsert)["periodSplit"]>;

function newPeriodSplit(ctx: Context, { covering, quote }: UpgradeOffer): NewPeriodSplit {
  const { cuts, moved } = splitPeriodsAt(covering, quote.covers.startsAt);
  return { cuts, moved: moved.map((one) => ({ ...one, periodId: ctx.newId() })) };
}

/** The statement that inserts a change as agreed, before any of it happens. */
export function newChangeStatement(
  ctx: Context,
  {
    subscriptionSnapshot: { subscription },
    offer,
    quote,
  }: Pick<PlanChangeOffer, "subscriptionSnapshot" | "offer" | "quote">,
  {
    id,
    holdsSeat,
    periodSplit,
  }: { id: string; holdsSeat: boolean; periodSplit: NewPeriodSplit | null },
): BatchWrite {
  const isNow = quote.happens === "now";
  return ctx.db.insert(planChanges).values({
    id,
    subscriptionId: subscription.id,
    happens: quote.happens,
    state: isNow ? "open" : "scheduled",
    fromPlanId: subscription.planId,
    fromPlanPriceId: subscription.planPriceId,
    fromInterval: subscription.interval,
    fromAmountCents: subscription.amountCents,
    toPlanId: offer.plan.id,
    toPlanPriceId: offer.price.id,
    toInterval: offer.price.interval,
    toAmountCents: offer.price.amountCents,
    beforeStartsAt: subscription.currentPeriodStartsAt ?? ctx.now(),
    beforeEndsAt: subscription.currentPeriodEndsAt ?? ctx.now(),
    beforeAnchorAt: subscription.anchorAt,
    ...(isNow
      ? {
          coversFrom: quote.covers.startsAt,
          coversUntil: quote.covers.endsAt,
          creditCents: quote.creditCents,
          dueCents: quote.dueCents,
        }
      : {}),
    periodSplit,
    holdsSeat,
    createdAt: ctx.now(),
  });
}

/**
 * The version guard of a change: throws StaleWrite if the subscription changed, or a renewal may
 * still be paid. The calendar checks the subscription again.
 */
export function planChangeStillAllowedStatement(
  ctx: Context,
  { subscriptionSnapshot: { subscription } }: Pick<PlanChangeOffer, "subscriptionSnapshot">,
): BatchWrite {
  const renewing = sql`EXISTS (SELECT 1 FROM charges renewal WHERE renewal.purchase_kind = 'subscription' AND renewal.purchase_id = ${subscription.id} AND renewal.period_starts_at IS NOT NULL AND renewal.status IN ('created', 'awaiting_payment', 'requires_action', 'processing'))`;
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ calendarAt: ctx.now(), updatedAt: ctx.now() })
      .where(
        and(
          subscriptionUnchanged(subscription),
          eq(subscriptions.amountCents, subscription.amountCents),
          sql`NOT ${renewing}`,
        ),
      ),
  );
}
