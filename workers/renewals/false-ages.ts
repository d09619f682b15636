import type { Context } from "#app/domain/context.ts";
import { giveFalseAgeBack } from "#app/domain/purchases/commands/false-age.server.ts";
import { falseAgeCharges } from "#app/domain/purchases/queries/false-age.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/ending/close.server.ts";
import { subscriptionsOfUnderage } from "#app/domain/subscriptions/queries/ending/closing.server.ts";
import { eachDue } from "#workers/steps.ts";
import type { Step } from "#workers/steps.ts";

const CHARGES_LIMIT = 100;
const CLOSINGS_LIMIT = 200;

/**
 * Who sells told a false age: page by page what was not paid out to them goes back to who paid, and
 * what is still subscribed ends.
 */
export const FALSE_AGE_STEPS: readonly Step[] = [
  eachDue("renewals.false_age_failed", {
    due: (ctx) => falseAgeCharges(ctx, { limit: CHARGES_LIMIT }),
    each: (ctx, chargeId) => giveFalseAgeBack(ctx, { chargeId }),
  }),
  eachDue("renewals.subscription_close_failed", {
    kind: "seller_closed",
    due: underageToClose,
    each: (ctx, subscriptionId) =>
      closeSubscription(ctx, { subscriptionId, because: "creator_left" }),
  }),
];

/** Only once all of it is decided: what ends here gives back days of what is left. */
async function underageToClose(ctx: Context): Promise<string[]> {
  const undecided = await falseAgeCharges(ctx, { limit: 1 });
  return undecided.length > 0 ? [] : await subscriptionsOfUnderage(ctx, { limit: CLOSINGS_LIMIT });
}
