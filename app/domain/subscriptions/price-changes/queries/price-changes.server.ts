import { and, asc, desc, eq, inArray, isNull, lte, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import type { ActivePixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  priceAsks,
  priceConsents,
  recurringPix,
  subscriptions,
} from "#drizzle/schema/subscriptions.ts";

export type PriceChange = typeof priceAsks.$inferSelect;

/** The whole row, for commands. */
export async function priceChangeRow(
  ctx: Context,
  { askId }: { askId: string },
): Promise<PriceChange | null> {
  const [row] = await ctx.db.select().from(priceAsks).where(eq(priceAsks.id, askId)).limit(1);
  return row ?? null;
}

/** No plan change is pending: a pending change sets its own price. */
export const noPendingPlanChange = sql`NOT EXISTS (SELECT 1 FROM plan_changes pending_change WHERE pending_change.subscription_id = ${subscriptions.id} AND pending_change.state IN ('open', 'scheduled', 'paid'))`;

type PlanIntervalRef = { planId: string; interval: Interval };

/** Whether a subscription was already notified of a price change. */
const isNotified = (askId: SQL | SQLiteColumn | string) =>
  sql`EXISTS (SELECT 1 FROM price_consents consent_row WHERE consent_row.subscription_id = ${subscriptions.id} AND consent_row.ask_id = ${askId})`;

const paysByThemselves = and(
  inArray(subscriptions.status, [...RENEWING_STATUSES]),
  isNull(subscriptions.compEndsAt),
  isNull(subscriptions.giftedBy),
  noPendingPlanChange,
);

const paysOlder = ({ planId, interval }: PlanIntervalRef) =>
  and(
    sql`${subscriptions.planPriceId} IN (SELECT older.id FROM plan_prices older WHERE older.plan_id = ${planId} AND older.interval = ${interval} AND older.retired_at IS NOT NULL)`,
    // These are the exact words of the index `subscriptions_at_price`.
    sql`${subscriptions.status} NOT IN ('incomplete', 'expired')`,
    paysByThemselves,
  );

/** More prices than any plan has had. */
const MOST_PRICES = 100;

/**
 * How many subscribers pay each older price of a plan and interval (centavos), other than
 * `amountCents`; highest price first. Subscribers with a pending plan change are not counted.
 */
export async function olderPriceCounts(
  ctx: Context,
  { amountCents, ...sold }: PlanIntervalRef & { amountCents: Cents },
): Promise<{ amountCents: Cents; count: number }[]> {
  return await ctx.db
    .select({ amountCents: subscriptions.amountCents, count: sql<number>`COUNT(*)`.as("count") })
    .from(subscriptions)
    .where(
      and(paysOlder(sold), sql`${subscriptions.amountCents} <> CAST(${amountCents} AS INTEGER)`),
    )
    .groupBy(subscriptions.amountCents)
    .orderBy(desc(subscriptions.amountCents))
    .limit(MOST_PRICES);
}

export type OlderPayer = {
  id: string;
  fanId: string;
  planPriceId: string;
  amountCents: Cents;
  method: PaymentMethod;
  status: SubscriptionStatus;
  currentPeriodEndsAt: Instant | null;
  mandate: ActivePixMandate | null;
};

/**
 * Subscribers at another price who were not yet notified of a price change, after `notifiedUpTo`;
 * `cursor` starts the next page.
 */
export async function olderPayers(
  ctx: Context,
  { id: askId, planId, interval, amountCents, notifiedUpTo }: PriceChange,
  { limit }: { limit: number },
): Promise<(OlderPayer & { cursor: string })[]> {
  const [afterPrice = "", afterId = ""] = (notifiedUpTo ?? "/").split("/");
  const rows = await ctx.db
    .select({
      id: sql<string>`${subscriptions.id}`.as("payer_subscription_id"),
      fanId: subscriptions.fanId,
      planPriceId: subscriptions.planPriceId,
      amountCents: sql<Cents>`${subscriptions.amountCents}`.as("paid_cents"),
      method: subscriptions.method,
      status: sql<SubscriptionStatus>`${subscriptions.status}`.as("payer_status"),
      currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
      mandate: recurringPix,
    })
    .from(subscriptions)
    .leftJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
    .where(
      and(
        paysOlder({ planId, interval }),
        sql`(${subscriptions.planPriceId}, ${subscriptions.id}) > (${afterPrice}, ${afterId})`,
        sql`${subscriptions.amountCents} <> CAST(${amountCents} AS INTEGER)`,
        sql`NOT ${isNotified(askId)}`,
      ),
    )
    .orderBy(asc(subscriptions.planPriceId), asc(subscriptions.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, cursor: `${row.planPriceId}/${row.id}` }));
}

/**
 * The statement of the price change that one subscription still has to be asked about. It pays an
 * older price by its own fan, and has no pending plan change. It missed the notifications because
 * it was canceled, was changing plan, or had not started. One at most.
 */
export function latePriceChangeStatement(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
) {
  return ctx.db
    .select({ ask: priceAsks })
    .from(subscriptions)
    .innerJoin(
      priceAsks,
      and(
        eq(priceAsks.planId, subscriptions.planId),
        eq(priceAsks.interval, subscriptions.interval),
        isNull(priceAsks.withdrawnAt),
      ),
    )
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        paysByThemselves,
        ne(priceAsks.planPriceId, subscriptions.planPriceId),
        ne(priceAsks.amountCents, subscriptions.amountCents),
        sql`NOT ${isNotified(priceAsks.id)}`,
      ),
    )
    .limit(1);
}

/** Price changes with people still to notify, oldest first. */
export async function priceChangesToNotify(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: priceAsks.id })
    .from(priceAsks)
    .where(and(sql`told_all_at IS NULL AND withdrawn_at IS NULL`, isRetryDue(ctx, priceAsks.id)))
    .orderBy(asc(priceAsks.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Subscriptions whose subscriber did not answer and is due a reminder. */
export async function priceChangesToRemind(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ subscriptionId: priceConsents.subscriptionId })
    .from(priceConsents)
    .where(
      and(
        sql`state = 'asked' AND remind_at IS NOT NULL AND reminded_at IS NULL`,
        lte(priceConsents.remindAt, now),
        isRetryDue(ctx, priceConsents.subscriptionId, "price_reminder"),
      ),
    )
    .orderBy(asc(priceConsents.remindAt))
    .limit(limit);
  return rows.map(({ subscriptionId }) => subscriptionId);
}

/**
 * The consent of one subscriber to a price change, also one that is over; null when they were not
 * asked.
 */
export async function priceConsentRow(
  ctx: Context,
  { subscriptionId, askId }: { subscriptionId: string; askId: string },
): Promise<PriceConsent | null> {
  const [row] = await ctx.db
    .select()
    .from(priceConsents)
    .where(and(eq(priceConsents.subscriptionId, subscriptionId), eq(priceConsents.askId, askId)))
    .limit(1);
  return row ? { ...row, state: row.state as PriceConsent["state"] } : null;
}

/** The state of the subscribers of older prices of one current price. */
export type PriceChangeStatus = {
  interval: Interval;
  olderCount: number;
  ask: Pick<
    PriceChange,
    | "id"
    | "planPriceId"
    | "amountCents"
    | "takesEffectAt"
    | "askedCount"
    | "acceptedCount"
    | "declinedCount"
    | "loweredCount"
    | "allNotifiedAt"
  > | null;
};

/**
 * For each interval of a creator's plan: how many subscribers pay another price than the current
 * one, and the status of its price change. One round trip.
 */
export async function priceChangeStatuses(
  ctx: Context,
  { planId, creatorId }: { planId: string; creatorId: string },
): Promise<PriceChangeStatus[]> {
  const [asks, older] = await ctx.db.batch([
    ctx.db
      .select({
        id: priceAsks.id,
        interval: priceAsks.interval,
        planPriceId: priceAsks.planPriceId,
        amountCents: priceAsks.amountCents,
        takesEffectAt: priceAsks.takesEffectAt,
        askedCount: priceAsks.askedCount,
        acceptedCount: priceAsks.acceptedCount,
        declinedCount: priceAsks.declinedCount,
        loweredCount: priceAsks.loweredCount,
        allNotifiedAt: priceAsks.allNotifiedAt,
      })
      .from(priceAsks)
      .where(
        and(
          eq(priceAsks.planId, planId),
          isNull(priceAsks.withdrawnAt),
          sql`EXISTS (SELECT 1 FROM plans own WHERE own.id = ${priceAsks.planId} AND own.creator_id = ${creatorId})`,
        ),
      )
      .limit(MOST_PRICES),
    ctx.db
      .select({
        interval: sql<Interval>`sold.interval`.as("sold_interval"),
        count: sql<number>`COUNT(*)`.as("count"),
      })
      .from(
        sql`plan_prices sold JOIN plan_prices older ON older.plan_id = sold.plan_id AND older.interval = sold.interval AND older.retired_at IS NOT NULL JOIN ${subscriptions} ON ${subscriptions.planPriceId} = older.id`,
      )
      .where(
        and(
          sql`sold.plan_id = ${planId} AND sold.retired_at IS NULL AND ${subscriptions.status} NOT IN ('incomplete', 'expired') AND ${subscriptions.amountCents} <> sold.amount_cents`,
          eq(subscriptions.creatorId, creatorId),
          paysByThemselves,
        ),
      )
      .groupBy(sql`sold.interval`)
      .limit(MOST_PRICES),
  ]);
  const intervals = new Set([
    ...asks.map(({ interval }) => interval),
    ...older.map(({ interval }) => interval),
  ]);
  return [...intervals].map((interval) => ({
    interval,
    olderCount: older.find((one) => one.interval === interval)?.count ?? 0,
    ask: asks.find((one) => one.interval === interval) ?? null,
  }));
}
