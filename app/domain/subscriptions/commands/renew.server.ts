import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { newChargeStatement } from "#app/domain/payments/commands/charges.server.ts";
import { requestAutomaticWith, requestWith } from "#app/domain/payments/commands/request.server.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { freedCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { keepsFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { purchaseFacts, wasRenewalTried } from "#app/domain/subscriptions/queries.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries.server.ts";
import { dueStep, GRACE_DAYS } from "#app/domain/subscriptions/rules.ts";
import { subscriptionDescription } from "#app/domain/subscriptions/rules/ahead.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules/trial.ts";
import { firstChargeExpiresAt, trialStep } from "#app/domain/subscriptions/rules/trial-calendar.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { nextDebit } from "./debits.server.ts";
import type { Debit } from "./debits.server.ts";
import { renewalDueKey, subscriptionKinds } from "./kind.server.ts";
import { resumeStatements } from "./pause.server.ts";

/**
 * Does what the calendar asks of one subscription now: sends the charge of its next period, lets it fall into grace, takes
 * it up after a pause, or ends it. Safe to run twice; gives the charge it made, if any.
 */
export async function advanceSubscription(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<{ chargeId: string | null }> {
  const facts = await purchaseFacts(ctx, { subscriptionId });
  const endsAt = facts?.subscription.currentPeriodEndsAt;
  if (!facts || endsAt === undefined || endsAt === null) return { chargeId: null };
  // A shut door is not paid for again: what was paid ends as if it had been canceled. What rests goes on first: its days are kept until then.
  const due = (facts.isShut || facts.isPayerLeaving) && facts.subscription.status !== "paused" ? { ...facts.subscription, status: "canceled" as const } : facts.subscription;
  const debit = await nextDebit(ctx, facts);
  const asked = { wasRenewalTried: await wasRenewalTried(ctx, { subscriptionId, startsAt: endsAt }), isDebited: debit !== null, now: ctx.now() };
  const step = due.status === "trialing" ? trialStep(due, asked) : dueStep(due, asked);
  try {
    if (step.kind === "send_renewal") return { chargeId: await sendRenewal(ctx, facts, { period: step.period, debit }) };
    if (step.kind === "past_due") await fallPastDue(ctx, facts, step.accessUntil);
    if (step.kind === "resume") await resume(ctx, facts);
    if (step.kind === "expire") await expire(ctx, facts);
  } catch (error) {
    // Somebody else advanced it first: what they did is what the calendar asked for.
    if (!(error instanceof StaleWrite || error instanceof UniqueViolation)) throw error;
  }
  return { chargeId: null };
}

/** The conditional statement by which nothing is asked of who canceled or paused a moment ago. */
export function stillRenewsStatement(ctx: Context, { id, status, currentPeriodEndsAt, recurringPixId }: Subscription): Write {
  return exactlyOne(
    ctx.db
      .update(subscriptions)
      .set({ updatedAt: ctx.now() })
      .where(and(eq(subscriptions.id, id), eq(subscriptions.status, status), eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0), sql`${subscriptions.recurringPixId} IS ${recurringPixId}`)),
  );
}

async function sendRenewal(ctx: Context, { subscription, plan, creatorName, fanName, nextPaymentCents: amountCents }: PurchaseFacts, { period, debit }: { period: { startsAt: Instant; endsAt: Instant }; debit: Debit | null }): Promise<string> {
  const chargeId = ctx.newId();
  const description = subscriptionDescription({ planName: plan.name, creatorName, interval: subscription.interval, periods: 1 });
  const expiresAt = subscription.status === "trialing" ? firstChargeExpiresAt(subscription, period.startsAt) : addDays(period.startsAt, GRACE_DAYS);
  await commit(ctx.db, [
    stillRenewsStatement(ctx, subscription),
    newChargeStatement(ctx, {
      id: chargeId,
      payerId: subscription.fanId,
      creatorId: subscription.creatorId,
      purchaseKind: "subscription",
      purchaseId: subscription.id,
      description,
      amountCents,
      method: subscription.method,
      expiresAt,
      period,
      automatic: debit,
    }),
  ]);
  if (debit) {
    await requestAutomaticWith(ctx, subscriptionKinds, { chargeId });
    return chargeId;
  }
  const { status } = await requestWith(ctx, subscriptionKinds, {
    chargeId,
    amountCents,
    description,
    method: subscription.method,
    expiresAt,
    payerName: fanName,
    cardToken: null,
    savedMethodId: subscription.savedMethodId,
    saveMethod: subscription.savedMethodId === null,
  });
  if (status === "awaiting_payment") await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: renewalDueKey(chargeId) });
  return chargeId;
}

/** A shut door is asked before: nothing goes on behind it. */
async function resume(ctx: Context, facts: PurchaseFacts): Promise<void> {
  const { writes, key } = await resumeStatements(ctx, facts);
  await commit(ctx.db, writes);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

async function fallPastDue(ctx: Context, { subscription, plan, creatorName, nextPaymentCents: amountCents }: PurchaseFacts, accessUntil: Instant): Promise<void> {
  const { id: subscriptionId, fanId, method, recurringPixId } = subscription;
  const key = `subscription:${subscriptionId}:past_due:${accessUntil}`;
  await commit(ctx.db, [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "past_due", accessUntil, updatedAt: ctx.now() })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.currentPeriodEndsAt, subscription.currentPeriodEndsAt ?? 0))),
    ),
    announce(ctx, key, { type: "subscription.past_due", subscriptionId, fanId, creatorName, planName: plan.name, amountCents, method, isAutomatic: recurringPixId !== null, accessUntil, appOrigin: ctx.settings.appOrigin }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/** Whose subscription ends goes on following, unless a shut door ended it. Source: issue 4, "Comments, likes, follows". */
async function expire(ctx: Context, { subscription, plan, creatorName, creatorUsername, isShut }: PurchaseFacts): Promise<void> {
  await commit(ctx.db, [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", holdsSeat: false, updatedAt: ctx.now() })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.holdsSeat, subscription.holdsSeat), eq(subscriptions.accessUntil, subscription.accessUntil ?? 0))),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: plan.id })] : []),
    ...(isOnTrial(subscription) ? freedCouponStatements(ctx, { subscriptionId: subscription.id }) : []),
    ...(isShut ? [] : [keepsFollowingStatement(ctx, { followerId: subscription.fanId, creatorId: subscription.creatorId })]),
    announce(ctx, `subscription:${subscription.id}:ended:${subscription.accessUntil ?? 0}`, {
      type: "subscription.ended",
      subscriptionId: subscription.id,
      fanId: subscription.fanId,
      creatorName,
      creatorUsername,
      planName: plan.name,
      ...(subscription.giftedBy === null ? {} : { isGift: true }),
    }),
  ]);
}
