import type { Context } from "#app/domain/context.ts";
import { chargesToAsk } from "#app/domain/payments/queries.server.ts";
import { reconcileCharge } from "#app/domain/subscriptions/commands/request.server.ts";
import { subscriptionsDue } from "#app/domain/subscriptions/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { forEachQuietly } from "#workers/consume.ts";

const DUE_LIMIT = 500;
const ASK_LIMIT = 200;
/** How long an answer of the provider may stay unknown before it is asked again. */
const UNCLEAR_FOR_MS = MINUTE_MS;

/** What the calendar asks for: renewals and expiries are enqueued one by one; charges that ran out or went silent are asked about. */
export async function runRenewals(ctx: Context): Promise<void> {
  const now = ctx.now();
  for (const id of await subscriptionsDue(ctx, { now, limit: DUE_LIMIT })) {
    await ctx.queues.renewals.send({ version: 1, type: "subscription.renew", id });
  }
  const overdue = await chargesToAsk(ctx, { now, askedBefore: now - UNCLEAR_FOR_MS, limit: ASK_LIMIT });
  await forEachQuietly(ctx, "renewals.charge_unclear", overdue, (chargeId) => reconcileCharge(ctx, { chargeId }));
}
