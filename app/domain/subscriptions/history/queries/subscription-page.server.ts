import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  fanSubscriptionStatement,
  toSubscriptionView,
} from "#app/domain/subscriptions/queries.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { toSubscriptionPayment, subscriptionPaymentsStatement } from "./payments.server.ts";
import type { SubscriptionPayment } from "./payments.server.ts";
import {
  toSubscriptionSnapshot,
  subscriptionSnapshotStatements,
} from "#app/domain/subscriptions/snapshot/queries.server.ts";

/**
 * `nextCents`: the price of the next period, with its coupon, plan change and price change. Null
 * when a charge is already open, which has its own price.
 */
export type SubscriptionPage = SubscriptionView & {
  nextCents: Cents | null;
  /** Its last payments, newest first. */ payments: SubscriptionPayment[];
};

/** Loads one subscription of its fan for its own page, in one round trip; null for anyone else's. */
export async function loadSubscriptionPage(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<SubscriptionPage | null> {
  const [[row], payments, ...snapshotRows] = await ctx.db.batch([
    fanSubscriptionStatement(ctx, { fanId, subscriptionId }),
    subscriptionPaymentsStatement(ctx, { fanId, subscriptionId }),
    ...subscriptionSnapshotStatements(
      { db: ctx.db, adultSpaces: ctx.settings.adultSpaces },
      { subscriptionId: sql`${subscriptionId}` },
    ),
  ]);
  if (!row) return null;
  const isAsked = row.openChargeId !== null || row.debit !== null;
  return {
    ...toSubscriptionView(row),
    payments: payments.map(toSubscriptionPayment),
    nextCents: isAsked
      ? null
      : (toSubscriptionSnapshot(ctx, snapshotRows)?.nextPaymentCents ?? null),
  };
}
