import { stepPerRow, enqueueStep } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { notifyFullPrice } from "./coupons.server.ts";
import { dueFullPriceNotices } from "#app/domain/plans/queries/coupons.server.ts";
import { vacationsToApply } from "#app/domain/plans/queries/vacations.server.ts";
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
