import { stepPerRow, enqueueStep } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { notifyFullPrice } from "./coupons.server.ts";
import { dueFullPriceNotices } from "#app/domain/plans/queries/coupons.server.ts";
import { vacationsToApply } from "#app/domain/plans/queries/vacations.server.ts";
import { addDays } from "#app/domain/time.ts";

const VACATIONS_LIMIT = 100;
const FULL_PRICES_LIMIT = 200;
/** How many days before it the first full price after a coupon is notified. */
const FULL_PRICE_DAYS = 7;
/** How long the notice may be missing for a paused subscription: longer than a pause. */
const PAUSED_DAYS = 40;

/**
 * The scheduled steps of plans. A queue moves the subscribers of creators on vacation, page by
 * page; ending discounts are notified.
 */
export const planSteps = {
  enqueueVacations: enqueueStep({
    name: "plans.enqueue_vacations",
    event: "renewals.enqueue_failed",
    due: (ctx, now) => vacationsToApply(ctx, { now, limit: VACATIONS_LIMIT }),
    send: (ctx, ids) =>
      ctx.queues.renewals.sendAll(ids.map((id) => ({ version: 1, type: "vacation.sweep", id }))),
  }),
  announceFullPrices: stepPerRow({
    name: "plans.announce_full_prices",
    event: "renewals.full_price_failed",
    kind: "full_price",
    due: (ctx, now) =>
      dueFullPriceNotices(ctx, {
        from: addDays(now, -PAUSED_DAYS),
        until: addDays(now, FULL_PRICE_DAYS),
        limit: FULL_PRICES_LIMIT,
      }),
    each: (ctx, subscriptionId) => notifyFullPrice(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;
