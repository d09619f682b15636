import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { subscriptionStatement, viewOf } from "#app/domain/subscriptions/queries.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { asPayment, subscriptionPaymentsStatement } from "./payments.server.ts";
import type { SubscriptionPayment } from "./payments.server.ts";
import { purchaseFactsOf, purchaseFactsStatements } from "./purchase-facts.server.ts";

/**
 * `nextCents`: what its next period costs, with the coupon, the change of plan and the new price
 * that hold then; null where one is being asked for already, at the price of its asking.
 */
export type ShownSubscription = SubscriptionView & {
  nextCents: Cents | null;
  /** Its last payments, newest first. */ payments: SubscriptionPayment[];
};

/** One subscription of its fan as its own page shows it, in one round trip; null for anyone else's. */
export async function shownSubscription(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<ShownSubscription | null> {
  const [[row], payments, ...facts] = await ctx.db.batch([
    subscriptionStatement(ctx, { fanId, subscriptionId }),
    subscriptionPaymentsStatement(ctx, { fanId, subscriptionId }),
    ...purchaseFactsStatements(
      { db: ctx.db, adultSpaces: ctx.settings.adultSpaces },
      { subscriptionId: sql`${subscriptionId}` },
    ),
  ]);
  if (!row) return null;
  const isAsked = row.openChargeId !== null || row.debit !== null;
  return {
    ...viewOf(row),
    payments: payments.map(asPayment),
    nextCents: isAsked ? null : (purchaseFactsOf(ctx, facts)?.nextPaymentCents ?? null),
  };
}
