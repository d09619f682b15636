import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotVerified,
  LeavingMemberCannotSubscribe,
  NotCancelable,
  NotReactivable,
  PageClosed,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import {
  canCancel,
  canReactivate,
  methodAfterReactivation,
  cancellationProtocol,
  RENEWING_STATUSES,
  isOnTrial,
} from "#app/domain/subscriptions/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { CancellationReason, Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import {
  isStillPaused,
  resumedSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { loadAgreedRenewal } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";

/**
 * Cancels the renewal; the paid period stays open until its end. The cancellation's protocol is
 * saved with it and sent by email. Open charges of the next period are canceled at the provider.
 * Refuses SubscriptionNotFound (also for another member's) and NotCancelable when it no longer
 * renews. Source: domain rules, "Subscriptions".
 */
export async function cancelSubscription(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const { subscription, vacation, creatorName, plan } = await memberSnapshot(ctx, reference);
    if (subscription.compEndsAt !== null || !canCancel(subscription.status))
      throw new NotCancelable();
    const now = ctx.now();
    const id = ctx.newId();
    const protocol = cancellationProtocol(id, now);
    const key = `cancellation:${id}`;
    // The days that a pause saved are restored first: they start today, and are the last ones.
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
      ...(taken?.extraWrites ?? []),
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
  await cancelOpenRenewals(ctx, reference);
}

/**
 * Saves the reason of the current cancellation. Does nothing when there is none. Refuses
 * SubscriptionNotFound.
 */
export async function explainCancellation(
  ctx: Context,
  { reason, ...reference }: MemberSubscriptionRef & { reason: CancellationReason },
): Promise<void> {
  const subscription = await memberSubscription(ctx, reference);
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
 * Undoes a cancellation before the end. The renewal continues at the same price and day, by the
 * saved card or else by Pix codes. A due payment is charged at once. `amountCents` is what the
 * member was shown. Refuses SubscriptionNotFound, PlanPriceChanged, NotReactivable, PageClosed,
 * CreatorOnVacation, LeavingMemberCannotSubscribe, TaxIdRequired.
 */
export async function reactivateSubscription(
  ctx: Context,
  { amountCents, ...reference }: MemberSubscriptionRef & { amountCents?: Cents | undefined },
): Promise<void> {
  const outboxId = await retryOnConflict(() => reactivate(ctx, { ...reference, amountCents }));
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  // A payment that became due is charged now. If its period is over, the grace period starts.
  await advanceSubscription(ctx, reference);
  await advanceSubscription(ctx, reference);
}

/** Decides and commits one attempt. Returns the id of the outbox message. */
async function reactivate(
  ctx: Context,
  agreed: MemberSubscriptionRef & { amountCents: Cents | undefined },
): Promise<string> {
  const renewal = await loadAgreedRenewal(ctx, agreed);
  const { subscription, plan, creatorName, nextPaymentCents } = renewal;
  const now = ctx.now();
  const { accessUntil, currentPeriodEndsAt } = subscription;
  if (!canReactivate(subscription, now) || accessUntil === null || currentPeriodEndsAt === null)
    throw new NotReactivable();
  enforceRenewable(renewal);
  const method = methodAfterReactivation(subscription, {
    isPixOffered: isMethodOffered("pix", ctx),
  });
  await requirePayerTaxId(ctx, { payerId: agreed.fanId, method });
  const key = `subscription:${subscription.id}:reactivated:${ctx.newId()}`;
  await commit(ctx.db, [
    ...reactivatedStatements(ctx, { ...subscription, accessUntil }, { method, now }),
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
}

/** Refuses PageClosed, CreatorOnVacation, AgeNotVerified, LeavingMemberCannotSubscribe. */
function enforceRenewable({
  isShut,
  awayUntil,
  isAgeClosed,
  isPayerLeaving,
}: Awaited<ReturnType<typeof loadAgreedRenewal>>): void {
  if (isShut) throw new PageClosed();
  if (awayUntil !== null) throw new CreatorOnVacation(awayUntil);
  if (isAgeClosed) throw new AgeNotVerified();
  if (isPayerLeaving) throw new LeavingMemberCannotSubscribe();
}

/** Throws StaleWrite if the status, the end or the saved card changed since they were read. */
const reactivatedStatements = (
  ctx: Context,
  subscription: Subscription & { accessUntil: Instant },
  { method, now }: { method: PaymentMethod; now: Instant },
): BatchWrite[] => [
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
          eq(subscriptions.accessUntil, subscription.accessUntil),
          subscription.savedMethodId === null
            ? isNull(subscriptions.savedMethodId)
            : eq(subscriptions.savedMethodId, subscription.savedMethodId),
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
];

async function memberSnapshot(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<SubscriptionSnapshot> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  return subscriptionSnapshot;
}

/** More subscriptions than anybody renews by one card. */
const MOST_BY_CARD = 100;

/**
 * Cancels the subscriptions that renew by a saved card, each as `cancelSubscription` does. Each
 * gets its own protocol, email and undo link; open charges are canceled and days saved by a pause
 * are restored. Upcoming subscriptions, and ones canceled meanwhile, are left alone. Safe to run
 * twice.
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
