import { and, asc, desc, eq, inArray, isNull, lte, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
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

/** That no change of plan stands: what changes with it has a price of its own. */
export const noPendingPlanChange = sql`NOT EXISTS (SELECT 1 FROM plan_changes standing WHERE standing.subscription_id = ${subscriptions.id} AND standing.state IN ('open', 'scheduled', 'paid'))`;

type PlanIntervalRef = { planId: string; interval: Interval };

/** That a subscription was told of an ask already. */
const isTold = (askId: SQL | SQLiteColumn | string) =>
  sql`EXISTS (SELECT 1 FROM price_consents told WHERE told.subscription_id = ${subscriptions.id} AND told.ask_id = ${askId})`;

const paysByThemselves = and(
  inArray(subscriptions.status, [...RENEWING_STATUSES]),
  isNull(subscriptions.compEndsAt),
  isNull(subscriptions.giftedBy),
  noPendingPlanChange,
);

const paysOlder = ({ planId, interval }: PlanIntervalRef) =>
  and(
    sql`${subscriptions.planPriceId} IN (SELECT older.id FROM plan_prices older WHERE older.plan_id = ${planId} AND older.interval = ${interval} AND older.retired_at IS NOT NULL)`,
    // The words of the index `subscriptions_at_price`.
    sql`${subscriptions.status} NOT IN ('incomplete', 'expired')`,
    paysByThemselves,
  );

/** More prices than a plan had. */
const MOST_PRICES = 100;

/**
 * How many pay which older price of a plan and interval (centavos), where it is not `amountCents`;
 * dearest first. Who changes plan is not counted.
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
  authorisation: ActivePixMandate | null;
};

/**
 * Who pays another price of what an ask is for and was not told of it, after `toldUpTo`; `cursor`
 * is theirs for the next page.
 */
export async function olderPayers(
  ctx: Context,
  { id: askId, planId, interval, amountCents, toldUpTo }: PriceChange,
  { limit }: { limit: number },
): Promise<(OlderPayer & { cursor: string })[]> {
  const [afterPrice = "", afterId = ""] = (toldUpTo ?? "/").split("/");
  const rows = await ctx.db
    .select({
      id: sql<string>`${subscriptions.id}`.as("payer_subscription_id"),
      fanId: subscriptions.fanId,
      planPriceId: subscriptions.planPriceId,
      amountCents: sql<Cents>`${subscriptions.amountCents}`.as("paid_cents"),
      method: subscriptions.method,
      status: sql<SubscriptionStatus>`${subscriptions.status}`.as("payer_status"),
      currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
      authorisation: recurringPix,
    })
    .from(subscriptions)
    .leftJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
    .where(
      and(
        paysOlder({ planId, interval }),
        sql`(${subscriptions.planPriceId}, ${subscriptions.id}) > (${afterPrice}, ${afterId})`,
        sql`${subscriptions.amountCents} <> CAST(${amountCents} AS INTEGER)`,
        sql`NOT ${isTold(askId)}`,
      ),
    )
    .orderBy(asc(subscriptions.planPriceId), asc(subscriptions.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, cursor: `${row.planPriceId}/${row.id}` }));
}

/**
 * The statement of the ask that one subscription is to be told of beside everybody: it pays an
 * older price of what the ask is for, by its own person and with no change of plan before it, and
 * was not told, because it was canceled, on its way to another plan or not begun when the others
 * were. One at most.
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
        sql`NOT ${isTold(priceAsks.id)}`,
      ),
    )
    .limit(1);
}

/** Asks of which somebody was not told yet, oldest first. */
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

/** The subscriptions of who did not answer and is to be reminded. */
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
 * What one person was asked and answered, also of an ask that is over; null when they were not
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

/** How the subscribers of older prices stand to one price that is sold now. */
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
    | "keptCount"
    | "loweredCount"
    | "toldAllAt"
  > | null;
};

/**
 * For each interval of one's plan: who pays another price than it sells at now, and how its ask
 * goes; in one round trip.
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
        keptCount: priceAsks.keptCount,
        loweredCount: priceAsks.loweredCount,
        toldAllAt: priceAsks.toldAllAt,
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
