import { eachDue, enqueuesDue } from "#app/domain/setbacks/commands/steps.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";
import { tellFullPrice } from "#app/domain/plans/commands/coupons.server.ts";
import { fullPricesToTell } from "#app/domain/plans/queries/coupons.server.ts";
import { vacationsToSweep } from "#app/domain/plans/queries/vacations.server.ts";
import { addDays } from "#app/domain/time.ts";

const VACATIONS_LIMIT = 100;
const FULL_PRICES_LIMIT = 200;
/** How long before it the first full price after a coupon is told. */
const FULL_PRICE_DAYS = 7;
/** How long one that rests may stay untold: more than a pause takes. */
const PAUSED_DAYS = 40;

/**
 * Subscribers of who is on vacation are moved by the queue, page by page; discounts that end are
 * told.
 */
export const planSteps = {
  enqueueVacations: enqueuesDue({
    name: "plans.enqueue_vacations",
    event: "renewals.enqueue_failed",
    due: (ctx, now) => vacationsToSweep(ctx, { now, limit: VACATIONS_LIMIT }),
    send: (ctx, ids) =>
      ctx.queues.renewals.sendAll(ids.map((id) => ({ version: 1, type: "vacation.sweep", id }))),
  }),
  announceFullPrices: eachDue({
    name: "plans.announce_full_prices",
    event: "renewals.full_price_failed",
    kind: "full_price",
    due: (ctx, now) =>
      fullPricesToTell(ctx, {
        from: addDays(now, -PAUSED_DAYS),
        until: addDays(now, FULL_PRICE_DAYS),
        limit: FULL_PRICES_LIMIT,
      }),
    each: (ctx, subscriptionId) => tellFullPrice(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;
