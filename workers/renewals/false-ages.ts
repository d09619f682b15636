import type { Context } from "#app/domain/context.ts";
import { giveFalseAgeBack } from "#app/domain/purchases/commands/false-age.server.ts";
import { falseAgeCharges } from "#app/domain/purchases/queries/false-age.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/close.server.ts";
import { subscriptionsOfUnderage } from "#app/domain/subscriptions/queries/closing.server.ts";
import { forEachQuietly } from "#workers/consume.ts";

const CHARGES_LIMIT = 100;
const CLOSINGS_LIMIT = 200;

/** Who sells told a false age: page by page what was not paid out to them goes back to who paid, and what is still subscribed ends. */
export async function runFalseAges(ctx: Context): Promise<void> {
  const charges = await falseAgeCharges(ctx, { limit: CHARGES_LIMIT });
  await forEachQuietly(ctx, "renewals.false_age_failed", charges, (chargeId) => giveFalseAgeBack(ctx, { chargeId }));
  // Only once all of it is decided: what ends here gives back days of what is left.
  if (charges.length > 0) return;
  const shut = await subscriptionsOfUnderage(ctx, { limit: CLOSINGS_LIMIT });
  await forEachQuietly(ctx, "renewals.subscription_close_failed", shut, (subscriptionId) => closeSubscription(ctx, { subscriptionId, because: "creator_left" }), "seller_closed");
}
