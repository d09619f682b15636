import { savedMethodSteps } from "#app/domain/billing/commands/steps.server.ts";
import type { Context, Queues } from "#app/domain/context.ts";
import { deletionSteps } from "#app/domain/deletion/commands/steps.server.ts";
import { documentSteps } from "#app/domain/documents/commands/steps.server.ts";
import { fiscalSteps } from "#app/domain/fiscal/commands/steps.server.ts";
import { identitySteps } from "#app/domain/identity/commands/steps.server.ts";
import { planSteps } from "#app/domain/plans/commands/steps.server.ts";
import {
  chargeSteps,
  debitSteps,
  falseAgeSteps,
  giftSteps,
  purchaseSteps,
} from "#app/domain/purchases/commands/steps.server.ts";
import { retryBackoffSteps } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import {
  pixMandateSteps,
  priceChangeSteps,
  subscriptionSteps,
  trialSteps,
} from "#app/domain/subscriptions/commands/steps.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { shiftSubscribersForVacation } from "#app/domain/subscriptions/vacation-sweep/commands.server.ts";
import { isQueueMessageStale } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { runCronSteps } from "#workers/scheduler.ts";
import { staffSteps } from "#workers/steps/staff.ts";

type RenewalQueueMessage = Omit<Parameters<Queues["renewals"]["send"]>[0], "version">;

/**
 * The steps of the renewals cron, every five minutes, in this order. First starts and charges, next
 * provider requests, then ends and notifications, last deletion.
 */
export const RENEWALS_ORDER: readonly Step[] = [
  subscriptionSteps.beginPaidPlans,
  planSteps.enqueueVacations,
  subscriptionSteps.enqueueRenewals,
  chargeSteps.settle,
  chargeSteps.remindToConfirm,
  pixMandateSteps.settleAuthorisations,
  debitSteps.takeBack,
  debitSteps.retry,
  trialSteps.advanceSetups,
  trialSteps.remindToConfirm,
  purchaseSteps.close,
  giftSteps.deliver,
  giftSteps.close,
  falseAgeSteps.refund,
  falseAgeSteps.closeSubscriptions,
  subscriptionSteps.closeOfBanned,
  subscriptionSteps.expireComps,
  planSteps.announceFullPrices,
  priceChangeSteps.ask,
  priceChangeSteps.remind,
  trialSteps.forgetCards,
  savedMethodSteps.describe,
  savedMethodSteps.closeAttempts,
  savedMethodSteps.forget,
  deletionSteps.advance,
  savedMethodSteps.forgetRemoved,
  retryBackoffSteps.forget,
  fiscalSteps.forgetTakers,
  identitySteps.forgetFormerEmails,
  documentSteps.askRegistry,
  documentSteps.advance,
  staffSteps.lateContests,
  deletionSteps.forgetArchivedDocuments,
];

/** Runs the renewals cron once. */
export async function runRenewals(ctx: Context): Promise<void> {
  await runCronSteps(ctx, RENEWALS_ORDER);
}

/**
 * Handles a queue message for one subscription, or one vacation. An outdated message does nothing:
 * a newer one handles the change.
 */
export async function handleRenewalMessage(
  ctx: Context,
  { type, id, until }: RenewalQueueMessage,
): Promise<void> {
  if (type === "vacation.sweep") return await shiftSubscribersForVacation(ctx, { vacationId: id });
  if (!isQueueMessageStale(until, ctx.now()))
    await advanceSubscription(ctx, { subscriptionId: id });
}
