import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { refuseWithoutTaxId } from "#app/domain/payments/commands/payer-tax-id.server.ts";
import { retryOnConflict } from "#app/domain/payments/commands/retry-on-conflict.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { CreatorAway } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotChecked,
  LeavingBuysNothing,
  NotCancelable,
  NotReactivable,
  PageShut,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { linkAddress } from "#app/domain/subscriptions/queries/links.server.ts";
import {
  mayCancel,
  mayReactivate,
  methodToGoOn,
  protocolOf,
  RENEWING,
} from "#app/domain/subscriptions/rules.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules/trial.ts";
import type { CancellationReason } from "#app/domain/subscriptions/schema.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { letRenewalsGo } from "#app/domain/subscriptions/commands/renewal/let-go.server.ts";
import { ownSubscription } from "#app/domain/subscriptions/commands/own.server.ts";
import type { Mine } from "#app/domain/subscriptions/commands/own.server.ts";
import { isStillPaused, takenUp } from "#app/domain/subscriptions/commands/pause.server.ts";
import { agreedFacts } from "#app/domain/subscriptions/commands/plan-change/renewal.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renewal/renew.server.ts";

/**
 * Stops the renewal; what was paid for stays open until its end. Its protocol is written with it
 * and sent by mail, and what is already asked for the next period is taken back at the provider.
 * Refuses SubscriptionNotFound (also for somebody else's) and NotCancelable when it does not renew
 * any more. Source: domain rules, "Subscriptions".
 */
export async function cancelSubscription(ctx: Context, mine: Mine): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const { subscription, vacation, creatorName, plan } = await ownFacts(ctx, mine);
    if (subscription.compEndsAt !== null || !mayCancel(subscription.status))
      throw new NotCancelable();
    const now = ctx.now();
    const id = ctx.newId();
    const protocol = protocolOf(id, now);
    const key = `cancellation:${id}`;
    // What a pause kept is given back first: its days begin today, and are the last.
    const taken =
      subscription.status === "paused" ? await takenUp(ctx, { subscription, vacation }) : null;
    const accessUntil = taken?.set.accessUntil ?? subscription.accessUntil;
    const undoUrl = await linkAddress(ctx, "reactivate", {
      subscriptionId: subscription.id,
      endsAt: accessUntil ?? now,
    });
    await commit(ctx.db, [
      exactlyOne(
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
  await letRenewalsGo(ctx, mine);
}

/**
 * Why it was canceled, for the cancellation that stands. Says nothing when there is none. Refuses
 * SubscriptionNotFound.
 */
export async function explainCancellation(
  ctx: Context,
  { reason, ...mine }: Mine & { reason: CancellationReason },
): Promise<void> {
  const subscription = await ownSubscription(ctx, mine);
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
  { amountCents, ...mine }: Mine & { amountCents?: Cents | undefined },
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
    } = await agreedFacts(ctx, { ...mine, amountCents });
    const now = ctx.now();
    const { accessUntil, currentPeriodEndsAt, savedMethodId } = subscription;
    if (!mayReactivate(subscription, now) || accessUntil === null || currentPeriodEndsAt === null)
      throw new NotReactivable();
    if (isShut) throw new PageShut();
    if (awayUntil !== null) throw new CreatorAway(awayUntil);
    if (isAgeClosed) throw new AgeNotChecked();
    if (isPayerLeaving) throw new LeavingBuysNothing();
    const method = methodToGoOn(subscription, { isPixOffered: isMethodOffered("pix", ctx) });
    await refuseWithoutTaxId(ctx, { payerId: mine.fanId, method });
    const key = `subscription:${subscription.id}:reactivated:${ctx.newId()}`;
    await commit(ctx.db, [
      exactlyOne(
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

async function ownFacts(ctx: Context, { fanId, subscriptionId }: Mine): Promise<PurchaseFacts> {
  const facts = await purchaseFacts(ctx, { subscriptionId });
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
        inArray(subscriptions.status, RENEWING.filter(mayCancel)),
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
