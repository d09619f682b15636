import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotVerified,
  LeavingMemberCannotSubscribe,
  NotCancelable,
  NotReactivable,
  PageClosed,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import {
  canCancel,
  canReactivate,
  methodAfterReactivation,
  cancellationProtocol,
  RENEWING_STATUSES,
} from "#app/domain/subscriptions/rules.ts";
import { isOnTrial } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { CancellationReason } from "#app/domain/subscriptions/schema.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/renewals/commands/cancel-renewals.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import {
  isStillPaused,
  resumedSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { loadAgreedRenewal } from "#app/domain/subscriptions/plan-changes/commands/renewal.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";

/**
 * Stops the renewal; what was paid for stays open until its end. Its protocol is written with it
 * and sent by mail, and what is already asked for the next period is taken back at the provider.
 * Refuses SubscriptionNotFound (also for somebody else's) and NotCancelable when it does not renew
 * any more. Source: domain rules, "Subscriptions".
 */
export async function cancelSubscription(ctx: Context, mine: MemberSubscriptionRef): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const { subscription, vacation, creatorName, plan } = await ownFacts(ctx, mine);
    if (subscription.compEndsAt !== null || !canCancel(subscription.status))
      throw new NotCancelable();
    const now = ctx.now();
    const id = ctx.newId();
    const protocol = cancellationProtocol(id, now);
    const key = `cancellation:${id}`;
    // What a pause kept is given back first: its days begin today, and are the last.
    const taken =
      subscription.status === "paused"
        ? await resumedSubscription(ctx, { subscription, vacation })
        : null;
    const accessUntil = taken?.set.accessUntil ?? subscription.accessUntil;
    const undoUrl = await subscriptionLinkUrl(ctx, "reactivate", {
      subscriptionId: subscription.id,
      endsAt: accessUntil ?? now,
    });
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(subscriptions)
          .set({ status: "canceled", canceledAt: now, updatedAt: now, ...taken?.set })
          .where(
            taken
              ? isStillPaused(subscription)
              : and(
                  eq(subscriptions.id, subscription.id),
                  eq(subscriptions.status, subscription.status),
                ),
          ),
      ),
      ...(taken?.also ?? []),
      ctx.db
        .insert(subscriptionCancellations)
        .values({ id, subscriptionId: subscription.id, protocol, createdAt: now }),
      announce<LifecycleMessage>(ctx, key, {
        type: "subscription.canceled",
        subscriptionId: subscription.id,
        fanId: subscription.fanId,
        creatorName,
        planName: plan.name,
        protocol,
        accessUntil,
        undoUrl,
      }),
    ]);
    return key;
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  await cancelOpenRenewals(ctx, mine);
}

/**
 * Why it was canceled, for the cancellation that stands. Says nothing when there is none. Refuses
 * SubscriptionNotFound.
 */
export async function explainCancellation(
  ctx: Context,
  { reason, ...mine }: MemberSubscriptionRef & { reason: CancellationReason },
): Promise<void> {
  const subscription = await memberSubscription(ctx, mine);
  await ctx.db
    .update(subscriptionCancellations)
    .set({ reason })
    .where(
      and(
        eq(subscriptionCancellations.subscriptionId, subscription.id),
        isNull(subscriptionCancellations.undoneAt),
      ),
    );
}

/**
 * Takes a cancellation back before the end: the renewal goes on at the same price and day, by the
 * same card while that is kept and else by Pix codes, and what is due is asked for at once.
 * `amountCents` is what its person was shown. Refuses SubscriptionNotFound, PlanPriceChanged,
 * NotReactivable, PageShut, CreatorAway, LeavingBuysNothing, TaxIdRequired.
 */
export async function reactivateSubscription(
  ctx: Context,
  { amountCents, ...mine }: MemberSubscriptionRef & { amountCents?: Cents | undefined },
): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const {
      subscription,
      plan,
      creatorName,
      isShut,
      isAgeClosed,
      isPayerLeaving,
      awayUntil,
      nextPaymentCents,
    } = await loadAgreedRenewal(ctx, { ...mine, amountCents });
    const now = ctx.now();
    const { accessUntil, currentPeriodEndsAt, savedMethodId } = subscription;
    if (!canReactivate(subscription, now) || accessUntil === null || currentPeriodEndsAt === null)
      throw new NotReactivable();
    if (isShut) throw new PageClosed();
    if (awayUntil !== null) throw new CreatorOnVacation(awayUntil);
    if (isAgeClosed) throw new AgeNotVerified();
    if (isPayerLeaving) throw new LeavingMemberCannotSubscribe();
    const method = methodAfterReactivation(subscription, {
      isPixOffered: isMethodOffered("pix", ctx),
    });
    await requirePayerTaxId(ctx, { payerId: mine.fanId, method });
    const key = `subscription:${subscription.id}:reactivated:${ctx.newId()}`;
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(subscriptions)
          .set({
            status: isOnTrial(subscription) ? "trialing" : "active",
            canceledAt: null,
            method,
            updatedAt: now,
          })
          .where(
            and(
              eq(subscriptions.id, subscription.id),
              eq(subscriptions.status, "canceled"),
              eq(subscriptions.accessUntil, accessUntil),
              savedMethodId === null
                ? isNull(subscriptions.savedMethodId)
                : eq(subscriptions.savedMethodId, savedMethodId),
            ),
          ),
      ),
      ctx.db
        .update(subscriptionCancellations)
        .set({ undoneAt: now })
        .where(
          and(
            eq(subscriptionCancellations.subscriptionId, subscription.id),
            isNull(subscriptionCancellations.undoneAt),
          ),
        ),
      announce<LifecycleMessage>(ctx, key, {
        type: "subscription.reactivated",
        subscriptionId: subscription.id,
        fanId: subscription.fanId,
        creatorName,
        planName: plan.name,
        nextChargeAt: Math.max(now, currentPeriodEndsAt),
        amountCents: nextPaymentCents,
        method,
        isAutomatic: subscription.recurringPixId !== null,
        isMethodMoved: method !== subscription.method,
      }),
    ]);
    return key;
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  // What was due meanwhile is asked for now; a period that is over falls into grace with it.
  await advanceSubscription(ctx, mine);
  await advanceSubscription(ctx, mine);
}

async function ownFacts(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<SubscriptionSnapshot> {
  const facts = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!facts || facts.subscription.fanId !== fanId) throw new SubscriptionNotFound();
  return facts;
}

/** More than anybody renews by one card. */
const MOST_BY_CARD = 100;

/**
 * Cancels what renews by a saved card, each as `cancelSubscription` does: its own protocol, letter
 * and way back, what is asked for taken back, and the days that a pause kept. One that stopped
 * meanwhile is left as it is, and so is what did not begin. Safe to run twice.
 */
export async function cancelRenewedBy(
  ctx: Context,
  { fanId, savedMethodId }: { fanId: string; savedMethodId: string },
): Promise<void> {
  const rows = await ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        eq(subscriptions.savedMethodId, savedMethodId),
        inArray(subscriptions.status, RENEWING_STATUSES.filter(canCancel)),
      ),
    )
    .limit(MOST_BY_CARD);
  for (const { id } of rows) {
    try {
      await cancelSubscription(ctx, { fanId, subscriptionId: id });
    } catch (error) {
      if (!(error instanceof NotCancelable)) throw error;
    }
  }
}
