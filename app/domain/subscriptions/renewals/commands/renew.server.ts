import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { releaseCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { ensureFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules.ts";
import type { DueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { nextCalendarCheckAt } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { dropImpossibleChange } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { proposePriceChangeLate } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { resumeStatements } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { requestTaxId } from "./tax-id.server.ts";
import { startUpcoming, rescheduleStart } from "./upcoming.server.ts";
import { shiftForVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";
import { loadCalendar } from "./calendar.server.ts";
import type { CalendarSnapshot } from "./calendar.server.ts";
import { sendRenewal } from "./send-renewal.server.ts";
import { remind } from "./reminder.server.ts";
import { fallPastDue } from "./past-due.server.ts";

/**
 * More steps than can follow one another in one run: a renewal that is sent, refused and falls past
 * due.
 */
const MOST_STEPS = 5;
/**
 * How long to wait before the cancellation of a charge that the provider did not cancel is tried
 * again.
 */
const LET_GO_AGAIN_MS = 10 * MINUTE_MS;
/** How long an upcoming subscription waits for the one before it to be ended. */
const WAITS_MS = MINUTE_MS;

/**
 * Takes the due steps of one subscription. It sends reminders, charges the next period, and cancels
 * charges by a former payment method. It also starts the grace period, resumes a pause, starts an
 * upcoming subscription, or ends it. It schedules the next check. Safe to run twice. Returns the
 * charge that it made, if any.
 */
export async function advanceSubscription(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<{ chargeId: string | null }> {
  let chargeId: string | null = null;
  let before: DueStep["kind"] | null = null;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const calendar = await loadCalendar(ctx, subscriptionId);
    if (!calendar) {
      // The fan or the creator no longer exists: no step is left.
      await ctx.db
        .update(subscriptions)
        .set({ calendarAt: null, enqueuedUntil: null })
        .where(eq(subscriptions.id, subscriptionId));
      return { chargeId };
    }
    const { step } = calendar;
    // A vacation moves the subscription before anything is charged, whichever run comes first.
    if (await isMovedFirst(ctx, calendar)) continue;
    if (await isAskedFirst(ctx, calendar)) continue;
    if (step.kind === "nothing" || step.kind === "wait") {
      await lookAgain(
        ctx,
        calendar,
        step.kind === "wait"
          ? ctx.now() + WAITS_MS
          : nextCalendarCheckAt(
              calendar.subscription,
              ctx.now(),
              calendar.subscriptionSnapshot.awayUntil,
            ),
      );
      return { chargeId };
    }
    // The provider did not cancel the charge: try again a little later, so that the queue is not
    // blocked.
    if (step.kind === "let_go" && before === "let_go") {
      await lookAgain(ctx, calendar, ctx.now() + LET_GO_AGAIN_MS);
      return { chargeId };
    }
    before = step.kind;
    try {
      chargeId = (await taken(ctx, calendar, step)) ?? chargeId;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  // Something blocks the step that is due: the next run checks again.
  await ctx.db
    .update(subscriptions)
    .set({ enqueuedUntil: null })
    .where(eq(subscriptions.id, subscriptionId));
  return { chargeId };
}

/** Whether another run advanced the subscription first, or its creator just started a vacation. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof StaleWrite ||
  error instanceof UniqueViolation ||
  (error instanceof RuleViolation && error.rule === "immutable_vacation");

async function isMovedFirst(
  ctx: Context,
  { subscriptionSnapshot }: CalendarSnapshot,
): Promise<boolean> {
  try {
    return await shiftForVacation(ctx, subscriptionSnapshot);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return true;
  }
}

/**
 * Proposes a pending price change before anything is charged, to a subscriber who was not asked
 * with the others.
 */
async function isAskedFirst(
  ctx: Context,
  { subscriptionSnapshot, lateAsk }: CalendarSnapshot,
): Promise<boolean> {
  if (!lateAsk || subscriptionSnapshot.isShut || subscriptionSnapshot.isPayerLeaving) return false;
  try {
    await proposePriceChangeLate(ctx, subscriptionSnapshot, lateAsk);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  return true;
}

/**
 * Marks the subscription as processed and schedules its next check. If something relevant changed
 * meanwhile, the next run checks it instead.
 */
async function lookAgain(
  ctx: Context,
  { subscriptionSnapshot, calendarAt }: CalendarSnapshot,
  at: Instant | null,
): Promise<void> {
  if (calendarAt === null) return;
  const { id, status, currentPeriodEndsAt } = subscriptionSnapshot.subscription;
  const isAsRead = and(
    eq(subscriptions.calendarAt, calendarAt),
    eq(subscriptions.status, status),
    sql`${subscriptions.currentPeriodEndsAt} IS ${currentPeriodEndsAt}`,
  );
  await ctx.db
    .update(subscriptions)
    .set({
      calendarAt: sql`CASE WHEN ${isAsRead} THEN CAST(${at} AS INTEGER) ELSE ${subscriptions.calendarAt} END`,
      enqueuedUntil: null,
    })
    .where(eq(subscriptions.id, id));
}

/** Takes one step; returns the charge that it made. */
async function taken(
  ctx: Context,
  { subscriptionSnapshot, debit, openCode }: CalendarSnapshot,
  step: Exclude<DueStep, { kind: "nothing" | "wait" }>,
): Promise<string | null> {
  switch (step.kind) {
    case "send_renewal":
      if (await dropImpossibleChange(ctx, subscriptionSnapshot)) return null;
      return await sendRenewal(ctx, subscriptionSnapshot, { period: step.period, debit });
    case "let_go":
      await cancelOpenRenewals(ctx, { subscriptionId: subscriptionSnapshot.subscription.id });
      return null;
    case "ask_tax_id":
      await requestTaxId(ctx, subscriptionSnapshot);
      return null;
    case "remind":
      await remind(ctx, subscriptionSnapshot, { leadDays: step.leadDays, openCode });
      return null;
    case "past_due":
      await fallPastDue(ctx, subscriptionSnapshot, step.accessUntil);
      return null;
    case "resume":
      await resume(ctx, subscriptionSnapshot);
      return null;
    case "begin":
      await startUpcoming(ctx, subscriptionSnapshot);
      return null;
    case "move":
      await rescheduleStart(ctx, subscriptionSnapshot, step.to);
      return null;
    case "call_off":
      await closeSubscription(ctx, {
        subscriptionId: subscriptionSnapshot.subscription.id,
        because: "blocked",
      });
      return null;
    case "expire":
      await expire(ctx, subscriptionSnapshot);
      return null;
  }
}

/** The caller checks first that the page is not closed: nothing resumes on a closed page. */
async function resume(ctx: Context, subscriptionSnapshot: SubscriptionSnapshot): Promise<void> {
  const { writes, key } = await resumeStatements(ctx, subscriptionSnapshot);
  await commit(ctx.db, writes);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/**
 * Ends a subscription. The fan keeps following, unless a closed page ended it. Source: issue 4,
 * "Comments, likes, follows".
 */
async function expire(
  ctx: Context,
  { subscription, others, plan, creatorName, creatorUsername, isShut }: SubscriptionSnapshot,
): Promise<void> {
  const key = `subscription:${subscription.id}:ended:${subscription.accessUntil ?? 0}`;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", holdsSeat: false, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, subscription.status),
            eq(subscriptions.holdsSeat, subscription.holdsSeat),
            eq(subscriptions.accessUntil, subscription.accessUntil ?? 0),
          ),
        ),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: plan.id })] : []),
    ...(isOnTrial(subscription)
      ? releaseCouponStatements(ctx, { subscriptionId: subscription.id })
      : []),
    ...(isShut
      ? []
      : [
          ensureFollowingStatement(ctx, {
            followerId: subscription.fanId,
            creatorId: subscription.creatorId,
          }),
        ]),
    announce<LifecycleMessage>(ctx, key, {
      type: "subscription.ended",
      subscriptionId: subscription.id,
      fanId: subscription.fanId,
      creatorName,
      creatorUsername,
      planName: plan.name,
      ...(subscription.giftedBy === null ? {} : { isGift: true }),
      ...(others.some(({ status }) => status === "upcoming") ? { isFollowed: true } : {}),
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  // The paid upcoming subscription starts at the same moment.
  for (const { id, status } of others)
    if (status === "upcoming") await advanceSubscription(ctx, { subscriptionId: id });
  // A charge that still waits for its payer's confirmation can no longer be paid.
  if (subscription.status === "requires_action")
    await cancelOpenRenewals(ctx, { subscriptionId: subscription.id });
}
