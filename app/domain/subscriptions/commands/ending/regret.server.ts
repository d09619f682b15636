import { notExists, sql } from "drizzle-orm";
import { commit, provided } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { refundNow, refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { retryOnConflict } from "#app/domain/payments/commands/retry-on-conflict.server.ts";
import { REGRET_WORDS } from "#app/domain/payments/rules/regret.ts";
import { RegretDisputed, RegretTooLate } from "#app/domain/subscriptions/errors.ts";
import {
  isDisputed,
  openDisputeStatement,
} from "#app/domain/subscriptions/queries/ending/closing.server.ts";
import { regretReturns } from "#app/domain/subscriptions/queries/ending/regret.server.ts";
import { mayRegret } from "#app/domain/subscriptions/rules.ts";
import { endedNowStatements } from "./ended.server.ts";
import { letRenewalsGo } from "#app/domain/subscriptions/commands/renewal/let-go.server.ts";
import { ownSubscription } from "#app/domain/subscriptions/commands/own.server.ts";
import type { Mine } from "#app/domain/subscriptions/commands/own.server.ts";

/**
 * Right of regret: within seven days of the first payment everything is given back and access ends
 * at once, no reason asked (CDC art. 49); what is already asked for the next period is taken back.
 * Refuses SubscriptionNotFound, RegretTooLate, and RegretDisputed while a payment of it is fought
 * over: what that comes to decides what is given back for it.
 */
export async function regretSubscription(ctx: Context, mine: Mine): Promise<void> {
  const refundIds = await retryOnConflict(async () => {
    const subscription = await ownSubscription(ctx, mine);
    const paid = await regretReturns(ctx, { subscriptionId: subscription.id });
    // What is on its way back already, by who sold, is not asked for again; access ends all the
    // same.
    if (paid.length === 0 || !mayRegret(subscription, ctx.now())) throw new RegretTooLate();
    if (await isDisputed(ctx, mine)) throw new RegretDisputed();
    const refunds = paid
      .filter(({ amountCents }) => amountCents > 0)
      .map((one) => ({ ...one, id: ctx.newId() }));
    await commit(ctx.db, [
      provided(
        ctx.db,
        notExists(openDisputeStatement(ctx, { subscriptionId: sql`${subscription.id}` })),
      ),
      ...endedNowStatements(ctx, subscription),
      ...refunds.map(({ charge, id, amountCents }) =>
        refundStatement(ctx, charge, { id, amountCents, reason: REGRET_WORDS }),
      ),
    ]);
    return refunds.map(({ id }) => id);
  });
  await letRenewalsGo(ctx, mine);
  for (const refundId of refundIds) await refundNow(ctx, refundId);
}
