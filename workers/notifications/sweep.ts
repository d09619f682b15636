import { broadcastSteps } from "#app/domain/broadcasts/commands/steps.server.ts";
import { commentSteps } from "#app/domain/comments/commands/steps.server.ts";
import type { Context } from "#app/domain/context.ts";
import { eventSteps } from "#app/domain/events/commands/steps.server.ts";
import { conversationSteps } from "#app/domain/messages/commands/steps.server.ts";
import { discoverySteps } from "#app/domain/discovery/commands/steps.server.ts";
import { identitySteps } from "#app/domain/identity/commands/steps.server.ts";
import { moderationSteps } from "#app/domain/moderation/commands/steps.server.ts";
import { notificationSteps } from "#app/domain/notifications/commands/steps.server.ts";
import { payoutSteps } from "#app/domain/payouts/commands/steps.server.ts";
import { postSteps } from "#app/domain/posts/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { runCronSteps } from "#workers/scheduler.ts";
import { deliverySteps } from "#workers/steps/deliveries.ts";
import { erasureSteps } from "#workers/steps/erase-posts.ts";
import { staffSteps } from "#workers/steps/staff.ts";

/** The steps of each minute, in this order. */
export const MINUTE_ORDER: readonly Step[] = [
  postSteps.enqueueDue,
  broadcastSteps.enqueueDue,
  // It runs every minute because DICT limits lookups per minute.
  payoutSteps.askKeyOwners,
  postSteps.announceOpenings,
  staffSteps.unwatchedBooks,
  staffSteps.lateInvoices,
  eventSteps.checkZones,
  eventSteps.changeSeries,
  eventSteps.extendSeries,
  eventSteps.endSwitches,
  eventSteps.forgetAnswers,
  eventSteps.endOffers,
  eventSteps.cancelBlockedSeats,
  eventSteps.moveWaitingLists,
  eventSteps.remindOfStart,
  eventSteps.remindOfDay,
  conversationSteps.notifyUnread,
  notificationSteps.sweepOutbox,
  notificationSteps.giveUpOnOldest,
  deliverySteps.sendDue,
  notificationSteps.sendDigests,
  notificationSteps.forgetDeliveries,
  deliverySteps.forgetReaders,
  notificationSteps.forgetAddresses,
  commentSteps.eraseRemoved,
  moderationSteps.endSuspensions,
  moderationSteps.eraseCases,
  erasureSteps.eraseDeletedPosts,
  discoverySteps.refresh,
  identitySteps.forgetAbandonedRegistrations,
];

/** Runs the cron. One failing step does not prevent the others. */
export async function runNotificationsCron(ctx: Context): Promise<void> {
  await runCronSteps(ctx, MINUTE_ORDER);
}
