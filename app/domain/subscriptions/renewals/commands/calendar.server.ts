import type { Context } from "#app/domain/context.ts";
import { renewsByCode } from "#app/domain/payments/methods/rules.ts";
import { providerOf, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { Instant } from "#app/domain/time.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  loadCalendarInputs,
  missingTaxId,
} from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import type { OpenCode } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import type { PriceChange } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { dueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import type { DueStepInput, DueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { reminderDue } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { dueTrialStep } from "#app/domain/subscriptions/trials/rules/trial-calendar.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { nextDebit } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import type { DebitOrder } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import { advanceUpcoming } from "./upcoming.server.ts";

/** A subscription with its due step. */
export type CalendarSnapshot = {
  subscriptionSnapshot: SubscriptionSnapshot;
  subscription: Subscription;
  step: DueStep;
  debit: DebitOrder | null;
  calendarAt: Instant | null;
  lateAsk: PriceChange | null;
  openCode: OpenCode | null;
};

/**
 * Loads a subscription as the calendar needs it. A closed page or a leaving payer is not charged
 * again: the paid period ends as if canceled. A paused subscription resumes first, because its days
 * are saved until then. A change to a plan that cards cannot pay is charged by Pix.
 */
export async function loadCalendar(
  ctx: Context,
  subscriptionId: string,
): Promise<CalendarSnapshot | null> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot) return null;
  const isEnding =
    (subscriptionSnapshot.isShut || subscriptionSnapshot.isPayerLeaving) &&
    isLive(subscriptionSnapshot.subscription.status) &&
    subscriptionSnapshot.subscription.status !== "paused";
  const { method } = nextTerms(
    subscriptionSnapshot.subscription,
    subscriptionSnapshot.change,
    subscriptionSnapshot.agreed,
  );
  const subscription = {
    ...subscriptionSnapshot.subscription,
    method,
    ...(isEnding ? { status: "canceled" as const } : {}),
  };
  const endsAt = subscription.currentPeriodEndsAt;
  const now = ctx.now();
  const { calendarAt, lateAsk, openCode, ...due } = await loadCalendarInputs(ctx, {
    subscriptionId,
    endsAt: endsAt ?? 0,
    leadDays: reminderDue(subscription, now),
    isOver: subscription.status === "expired",
  });
  const debit = await nextDebit(ctx, subscriptionSnapshot);
  const asked = {
    ...due,
    isDebited: debit !== null,
    isAway: subscriptionSnapshot.awayUntil !== null,
    now,
  };
  const stepWith = (withoutTaxId: DueStepInput["withoutTaxId"]) =>
    (subscription.status === "trialing" ? dueTrialStep : dueStep)(subscription, {
      ...asked,
      withoutTaxId,
    });
  const step =
    subscriptionSnapshot.subscription.status === "upcoming"
      ? await advanceUpcoming(ctx, subscriptionSnapshot)
      : stepWith(null);
  const taker = debit === null ? acquirerFor(ctx.payments, method) : providerOf(ctx, debit);
  const needsTaxId = step.kind === "send_renewal" && renewsByCode(method) && taker.needsPayerTaxId;
  return {
    subscriptionSnapshot,
    subscription,
    step: needsTaxId ? stepWith(await missingTaxId(ctx, subscription, endsAt ?? 0)) : step,
    debit,
    calendarAt,
    lateAsk,
    openCode,
  };
}
