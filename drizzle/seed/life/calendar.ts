import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { civilDate, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import type { Rehearsal } from "#drizzle/seed/rehearsal/rehearsal.ts";
import { runPayoutJob, runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { deliverMessage } from "#workers/notifications/deliver.ts";

/** What happens at an instant; it may put more on the calendar. */
type Happening = { at: number; order: number; run: () => Promise<void> };

export type Calendar = {
  /** Puts something on the calendar; what falls after the town's present is forgotten. */
  at(instant: number, run: () => Promise<void>): void;
  /** Lives everything in order. */
  live(): Promise<void>;
};

export type CalendarOptions = {
  rehearsal: Rehearsal;
  startAt: number;
  endAt: number;
  /** A renewal was charged; who pays it decides here. */
  onRenewal: (chargeId: string) => Promise<void>;
};

const OUTBOX_AT_ONCE = 200;

export function calendar({ rehearsal, startAt, endAt, onRenewal }: CalendarOptions): Calendar {
  const happenings: Happening[] = [];
  let order = 0;
  const put: Calendar["at"] = (instant, run) => {
    if (instant > endAt) return;
    const happening = {
      at: Math.max(Math.floor(instant), rehearsal.ctx.now()),
      order: order++,
      run,
    };
    const index = happenings.findLastIndex((other) => other.at <= happening.at);
    happenings.splice(index + 1, 0, happening);
  };
  for (let day = startAt; day <= endAt; day += DAY_MS) {
    const midnight = instantOf(civilDate(day));
    // Transfers take a moment, so that a second round settles what the first sent.
    for (const offset of [6 * HOUR_MS, 6 * HOUR_MS + 10 * MINUTE_MS])
      put(midnight + offset, () => runCrons(rehearsal, onRenewal));
  }
  return {
    at: put,
    live: async () => {
      for (let happening = happenings.shift(); happening; happening = happenings.shift()) {
        rehearsal.travelTo(happening.at);
        const before = rehearsal.product.announcedCount();
        await happening.run();
        // Everything announced is notified the moment it happened.
        if (rehearsal.product.announcedCount() > before) await deliverWaiting(rehearsal);
      }
    },
  };
}

/** The three money crons and what they put in queues, as their workers run them. */
async function runCrons(
  { ctx, provider, queued }: Rehearsal,
  onRenewal: CalendarOptions["onRenewal"],
): Promise<void> {
  await provider.settleDue();
  await runRenewals(ctx);
  for (const subscriptionId of queued.renewals.splice(0)) {
    const { chargeId } = await advanceSubscription(ctx, { subscriptionId });
    if (chargeId) await onRenewal(chargeId);
  }
  await runPayouts(ctx);
  for (const message of queued.payouts.splice(0)) await runPayoutJob(ctx, message);
}

/** Delivers what was announced and not told yet, as the notifications worker does. */
export async function deliverWaiting({ ctx, queued }: Rehearsal): Promise<void> {
  queued.notifications.splice(0);
  for (const outboxId of await waitingOutbox(ctx, {
    before: ctx.realNow() + 1,
    limit: OUTBOX_AT_ONCE,
  }))
    await deliverMessage(ctx, { outboxId });
}
